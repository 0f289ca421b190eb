import { useSignal } from '@preact/signals'
import type { ChangedFile, Hunk } from '../../api/ask.ts'
import { Button } from '../../parts/controls.tsx'
import { count, counted } from '../../text/format.ts'
import { type DiffLine, DiffLines, type LineKind } from '../../text/prose.tsx'
import { Why } from './why.tsx'
import { writtenIn } from './written.ts'

/** A change of a file. It is another one as soon as there is more of it. */
export const fileKey = ({ path, edits, added, removed }: ChangedFile): string =>
  `${path} ${edits} ${added} ${removed}`

interface ReviewProperties {
  file: ChangedFile
  session: string
  isViewed?: boolean
  /** Absent where files are not marked, which are then below other headings. */
  onViewed?(on: boolean): void
}

const STATUS: Record<string, string> = { created: 'new', deleted: 'deleted', unchanged: 'unchanged again' }

/** What a session changed in one file, with all hunks open until the file is marked as viewed. */
export function FileReview({ file, session, isViewed = false, onViewed }: ReviewProperties) {
  const status = STATUS[file.status]
  const Heading = onViewed ? 'h2' : 'h3'
  return (
    <section class="file-review" data-file={file.path} data-viewed={isViewed}>
      <header class="file-head">
        <Heading class="file-name" dir="auto" title={file.path}>
          {file.path}
        </Heading>
        {status && (
          <span class="tag" data-status={file.status}>
            {status}
          </span>
        )}
        {file.added > 0 && <span class="added-count">{`+${file.added}`}</span>}
        {file.removed > 0 && <span class="removed-count">{`−${file.removed}`}</span>}
        {onViewed && (
          <label class="viewed">
            <input
              type="checkbox"
              checked={isViewed}
              onChange={(event) => onViewed(event.currentTarget.checked)}
            />
            Viewed
          </label>
        )}
      </header>
      {!isViewed && (
        <>
          {(file.edits > 1 || file.tooLarge || !file.complete) && (
            <p class="note">
              {counted(file.edits, 'edit')}
              {file.tooLarge && '. The file is too large to be compared.'}
              {!file.complete && '. Some edits are not recorded in full, so parts may be missing.'}
            </p>
          )}
          {file.hunks.map((hunk, index) => (
            <HunkReview key={index} hunk={hunk} number={index + 1} file={file} session={session} />
          ))}
        </>
      )}
    </section>
  )
}

const KINDS: Record<string, LineKind> = { '+': 'added', '-': 'removed', ' ': 'same' }

const linesOf = ({ lines }: Hunk): DiffLine[] =>
  lines.map((line): DiffLine => ({ kind: KINDS[line[0]!] ?? 'same', text: line.slice(1) }))

/** More lines are drawn on request: a browser does not need all of a generated file. */
const MOST_LINES = 400

interface HunkProperties {
  hunk: Hunk
  number: number
  file: ChangedFile
  session: string
}

function HunkReview({ hunk, number, file, session }: HunkProperties) {
  const isAsked = useSignal(false)
  const isWhole = useSignal(false)
  const lines = linesOf(hunk)
  const shown = isWhole.value ? lines : lines.slice(0, MOST_LINES)
  const written = writtenIn(hunk)
  const place = file.complete ? `line ${count(hunk.newStart)}` : `edit ${count(number)}`
  return (
    <div class="hunk">
      <div class="hunk-head">
        <span class="number">{place}</span>
        {lines.some(({ kind }) => kind === 'removed' || kind === 'added') && (
          <Button
            label={written.length > 0 ? 'Why is this here?' : 'Why was this removed?'}
            icon="question"
            expanded={isAsked.value}
            onClick={() => {
              isAsked.value = !isAsked.value
            }}
          />
        )}
      </div>
      {isAsked.value && <Why file={file} written={written} session={session} />}
      <DiffLines lines={shown} label={`${file.path}, ${place}`} />
      {shown.length < lines.length && (
        <button
          type="button"
          class="quiet more"
          onClick={() => {
            isWhole.value = true
          }}
        >
          {`Show the other ${count(lines.length - shown.length)} lines`}
        </button>
      )}
    </div>
  )
}
