import { ask, type ChangedFile, type Hunk } from '../../api/ask.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { counted, distinctNames } from '../../text/format.ts'
import { type DiffLine, DiffLines, type LineKind } from '../../text/prose.tsx'
import type { Conversation } from './conversation.ts'

/** What a session changed in files, its subagents included. */
export const changesAddress = ({ session }: Pick<Conversation, 'session'>) => ask('changes', { session })

const KINDS: Record<string, LineKind> = { '+': 'added', '-': 'removed', ' ': 'same' }

const linesOf = (hunks: readonly Hunk[]): DiffLine[] =>
  hunks.flatMap((hunk, index) => [
    ...(index > 0 ? [{ kind: 'fold' as const, text: `⋯ line ${hunk.newStart}` }] : []),
    ...hunk.lines.map((line): DiffLine => ({ kind: KINDS[line[0]!] ?? 'same', text: line.slice(1) })),
  ])

/** Every file that the session changed, its subagents included: first state against last. */
export function Changes({ conversation }: { conversation: Conversation }) {
  const asked = useAnswer(changesAddress(conversation), { live: 4000, keep: true })
  return (
    <Awaited asked={asked} what="The changes">
      {({ files, added, removed }) => {
        if (files.length === 0)
          return (
            <Empty title="No files changed">No edit of this session or of its subagents is recorded.</Empty>
          )
        const names = distinctNames(files.map(({ path }) => path))
        return (
          <>
            <p class="note">
              {counted(files.length, 'file')}
              <span class="added-count">{` +${added}`}</span>
              <span class="removed-count">{` −${removed}`}</span>, first state against last
            </p>
            <ul class="changes">
              {files.map((file) => (
                <Change key={file.path} file={file} name={names.get(file.path)!} />
              ))}
            </ul>
          </>
        )
      }}
    </Awaited>
  )
}

function Change({ file, name }: { file: ChangedFile; name: string }) {
  return (
    <li>
      <details class="change">
        <summary title={file.path}>
          <span class="change-status" data-status={file.status}>
            {file.status === 'created' ? 'new' : file.status === 'deleted' ? 'gone' : ''}
          </span>
          <span class="change-name" dir="auto">
            {name}
          </span>
          <span class="added-count">{file.added > 0 ? `+${file.added}` : ''}</span>
          <span class="removed-count">{file.removed > 0 ? `−${file.removed}` : ''}</span>
        </summary>
        <ChangeOf file={file} />
      </details>
    </li>
  )
}

/** What a session changed in one file. */
export const ChangeOf = ({ file }: { file: ChangedFile }) => (
  <>
    <p class="change-path breakable" dir="auto">
      {file.path}
    </p>
    <p class="note">
      {counted(file.edits, 'edit')}
      {file.tooLarge && '. The file is too large to be compared.'}
      {!file.complete && '. Some edits are not recorded in full, so parts may be missing.'}
    </p>
    {file.hunks.length > 0 && <DiffLines lines={linesOf(file.hunks)} />}
  </>
)
