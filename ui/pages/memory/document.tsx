import { ask, type ParametersOf } from '../../api/ask.ts'
import type { Document, MemoryAnswer } from '../../api/shapes.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { type DiffLine, DiffLines } from '../../parts/diff.tsx'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { bytes, counted } from '../../text/figures.ts'
import { Markdown } from '../../text/markdown.tsx'
import { shownVersion, Versions } from './versions.tsx'

/** The lines of a patch. The names of the files at its head are the same as above it. */
function linesOf(patch: string): DiffLine[] {
  return patch
    .split('\n')
    .filter((line) => !/^(?:---|\+\+\+|===|Index:|\\ )/.test(line) && line !== '')
    .map((line): DiffLine => {
      if (line.startsWith('@@')) return { kind: 'fold', text: line }
      const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
      return { kind, text: line.slice(1) }
    })
}

export function DocumentView({ document }: { document: Document | undefined }) {
  if (!document) return <Empty title="No such text">It may have been renamed. Choose another one.</Empty>
  return <Chosen key={document.path} document={document} />
}

function Chosen({ document }: { document: Document }) {
  const owner = document.project ?? document.agent ?? undefined
  const of: ParametersOf<'memory'> = { owner, file: document.name }
  const hasVersions = document.versions > 1
  const shown = hasVersions ? shownVersion() : { isDiff: false, version: undefined, since: undefined }
  const past = useAnswer(hasVersions ? ask('memory', { ...of, versions: true }) : undefined, {
    live: 10_000,
    keep: true,
  })
  const asked = useAnswer(
    ask('memory', {
      ...of,
      diff: shown.isDiff,
      at: shown.version ? `v${shown.version}` : undefined,
      since: shown.isDiff && shown.since ? `v${shown.since}` : undefined,
    }),
    { live: 10_000, keep: true },
  )
  const own = (answer: MemoryAnswer | undefined): Document | undefined =>
    answer?.documents.find(({ path }) => path === document.path)
  const { bytes: size, modifiedAt, change } = own(asked.answer) ?? document
  const history = own(past.answer)?.history
  return (
    <article>
      <h2 dir="auto">{document.name}</h2>
      <p class="note breakable" dir="auto">
        {document.path}
      </p>
      <p class="note">
        {`${bytes(size)} · ${counted(document.versions, 'version')} · changed `}
        <Time at={modifiedAt} />
        {change && (
          <>
            <span class="added-count">{` +${change.added}`}</span>
            <span class="removed-count">{` −${change.removed}`}</span>
          </>
        )}
      </p>
      {hasVersions && <Versions history={history ?? []} shown={shown} />}
      <Awaited asked={asked} what="The text">
        {(answer) => {
          const { text, diff } = own(answer) ?? {}
          if (shown.isDiff)
            return diff ? (
              <DiffLines lines={linesOf(diff)} />
            ) : (
              <Empty title="Nothing to compare with">The first version has none before it.</Empty>
            )
          return text ? (
            <div class="document">
              <Markdown text={text} />
            </div>
          ) : (
            <Empty title="The text is empty" />
          )
        }}
      </Awaited>
    </article>
  )
}
