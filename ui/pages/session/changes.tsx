import { useEffect, useMemo, useRef } from 'preact/hooks'
import { ask, type ChangedFile } from '../../api/ask.ts'
import { get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Button } from '../../parts/controls.tsx'
import { Awaited, copy, Empty, toast } from '../../parts/notice.tsx'
import { counted } from '../../text/format.ts'
import type { Conversation } from './conversation.ts'
import { FileReview, fileKey } from './file-review.tsx'
import { setViewed, viewedIn } from './viewed.ts'
import { leftOut } from './written.ts'

/** What a session changed in files, its subagents included. */
export const changesAddress = ({ session }: Pick<Conversation, 'session'>) => ask('changes', { session })

/** Every file that the session changed, its subagents included, as a review: a tree, and all changes open. */
export function Changes({ conversation }: { conversation: Conversation }) {
  const asked = useAnswer(changesAddress(conversation), { live: 4000, keep: true })
  return (
    <Awaited asked={asked} what="The changes">
      {({ files, session, added, removed }) =>
        files.length === 0 ? (
          <Empty title="No files changed">No edit of this session or of its subagents is recorded.</Empty>
        ) : (
          <Review
            conversation={conversation}
            session={session}
            files={files}
            added={added}
            removed={removed}
          />
        )
      }
    </Awaited>
  )
}

interface ReviewProperties {
  conversation: Conversation
  session: string
  files: readonly ChangedFile[]
  added: number
  removed: number
}

function Review({ conversation, session, files, added, removed }: ReviewProperties) {
  const content = useRef<HTMLDivElement>(null)
  const viewed = viewedIn(session)
  const done = files.filter((file) => viewed.has(fileKey(file))).length
  const groups = useMemo(() => foldersOf(files), [files])
  const show = (path: string) =>
    content.current?.querySelector(`[data-file="${CSS.escape(path)}"]`)?.scrollIntoView({ block: 'start' })
  // The message that made a change leads to it.
  const wanted = conversation.wantedFile.value
  useEffect(() => {
    if (wanted === undefined) return
    show(wanted)
    conversation.wantedFile.value = undefined
  }, [wanted, files])
  return (
    <div class="review">
      <div class="review-head">
        <p class="note">
          {counted(files.length, 'file')}
          <span class="added-count">{` +${added}`}</span>
          <span class="removed-count">{` −${removed}`}</span>, first state against last
          {done > 0 && ` · ${done} viewed`}
        </p>
        <Button label="Copy as patch" icon="copy" onClick={() => void copyPatch(session)} />
      </div>
      <nav class="review-tree" aria-label="Changed files">
        {groups.map(({ folder, files: own }) => (
          <div key={folder}>
            <p class="review-folder" title={folder} dir="auto">
              {folder === '' ? '/' : folder}
            </p>
            <ul>
              {own.map(({ file, name }) => (
                <li key={file.path}>
                  <button
                    type="button"
                    class="review-file"
                    data-viewed={viewed.has(fileKey(file))}
                    onClick={() => show(file.path)}
                  >
                    <span class="review-name" dir="auto">
                      {name}
                    </span>
                    {file.added > 0 && <span class="added-count">{`+${file.added}`}</span>}
                    {file.removed > 0 && <span class="removed-count">{`−${file.removed}`}</span>}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="review-files" ref={content}>
        {groups
          .flatMap(({ files: own }) => own)
          .map(({ file }) => (
            <FileReview
              key={file.path}
              file={file}
              session={session}
              isViewed={viewed.has(fileKey(file))}
              onViewed={(on) => setViewed(session, fileKey(file), on)}
            />
          ))}
      </div>
    </div>
  )
}

interface Folder {
  folder: string
  files: { file: ChangedFile; name: string }[]
}

/** The files by folder, whose beginnings that all have in common are left out. */
function foldersOf(files: readonly ChangedFile[]): Folder[] {
  const folders = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/')))
  const shared = sharedFolder([...folders.keys()])
  return [...folders]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, own]) => ({
      folder: folder.slice(shared.length).replace(/^\//, ''),
      files: own.map((file) => ({ file, name: file.path.slice(file.path.lastIndexOf('/') + 1) })),
    }))
}

function sharedFolder(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((folder) => folder.split('/'))
  const end = first.findIndex((part, at) => others.some((other) => other[at] !== part))
  // The last part names the only folder.
  return first.slice(0, end < 0 ? -1 : end).join('/')
}

async function copyPatch(session: string): Promise<void> {
  try {
    const { files } = await get(ask('changes', { session, patch: true }))
    const patches = files.flatMap(({ patch }) => patch ?? [])
    const left = leftOut(files)
    if (patches.length === 0) return toast(['There is no patch', ...left].join('. '))
    await copy(patches.join(''), [`a patch of ${counted(patches.length, 'file')}`, ...left].join('. '))
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error))
  }
}
