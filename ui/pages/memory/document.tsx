import { useSignal } from '@preact/signals'
import { apiAddress } from '../../api/client.ts'
import type { Document, MemoryAnswer } from '../../api/shapes.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Choice } from '../../parts/choice.tsx'
import { type DiffLine, DiffLines } from '../../parts/diff.tsx'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { bytes, counted } from '../../text/figures.ts'
import { Markdown } from '../../text/markdown.tsx'

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
  const view = useSignal<'text' | 'diff'>('text')
  const day = useSignal('')
  const owner = document.project ?? document.agent ?? undefined
  const isDiff = view.value === 'diff'
  const asked = useAnswer<MemoryAnswer>(
    apiAddress('memory', {
      owner,
      file: document.name,
      diff: isDiff,
      at: isDiff ? undefined : day.value || undefined,
    }),
    { keep: true },
  )
  return (
    <article>
      <div class="section-head">
        <h2 dir="auto">{document.name}</h2>
        {document.versions > 1 && (
          <Choice
            label="View"
            value={view.value}
            options={[
              { value: 'text', label: 'Text' },
              { value: 'diff', label: 'Last change' },
            ]}
            onChange={(value) => {
              view.value = value
            }}
          />
        )}
      </div>
      <p class="note breakable" dir="auto">
        {document.path}
      </p>
      <p class="note">
        {`${bytes(document.bytes)} · ${counted(document.versions, 'version')} · changed `}
        <Time at={document.modifiedAt} />
        {document.change && (
          <>
            <span class="added-count">{` +${document.change.added}`}</span>
            <span class="removed-count">{` −${document.change.removed}`}</span>
          </>
        )}
      </p>
      {!isDiff && document.versions > 1 && (
        <label class="field as-of">
          <span>As it was on</span>
          <input
            type="date"
            value={day.value}
            onChange={(event) => {
              day.value = event.currentTarget.value
            }}
          />
        </label>
      )}
      <Awaited asked={asked} what="The text">
        {({ documents }) => {
          const own = documents.find(({ path }) => path === document.path)
          if (isDiff)
            return own?.diff ? <DiffLines lines={linesOf(own.diff)} /> : <Empty title="No change known" />
          return own?.text ? (
            <div class="document">
              <Markdown text={own.text} />
            </div>
          ) : (
            <Empty title={day.value ? 'It did not exist then' : 'The text is empty'} />
          )
        }}
      </Awaited>
    </article>
  )
}
