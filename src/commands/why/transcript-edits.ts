import { posix, win32 } from 'node:path'
import type { Context, FreshStore } from '../../context/context.ts'
import { faultOf } from '../../context/read-files.ts'
import { absolutePath } from '../../model/agent-paths.ts'
import { type FileEdit, fileEdits } from '../../sync/read/file-edits.ts'
import { followed, type WritingEdit } from './written-lines.ts'

/** The edits of transcripts, by line. */
export interface TranscriptEdits {
  /** Undefined if the transcript is gone or cannot be read. */
  of(path: string): ReadonlyMap<number, readonly WritingEdit[]> | undefined
}

export const inSlashes = (path: string): string => path.replaceAll(win32.sep, posix.sep)

/** Whether a path ends with another one. */
export const endsWith = (whole: string, end: string): boolean => whole === end || whole.endsWith(`/${end}`)

/** Whether an edit changes a file, or moves it away. */
export const isOf = ({ path, from }: FileEdit, file: string): boolean =>
  [path, ...(from === undefined ? [] : [from])].some((each) =>
    endsWith(inSlashes(file), posix.normalize(inSlashes(each)).replace(/^(?:\.\.\/)+/, '')),
  )

/** Reads transcripts when they are first needed, because the store has no contents of files. */
export function createTranscriptEdits({ store }: FreshStore, context: Context): TranscriptEdits {
  const read = new Map<string, ReadonlyMap<number, WritingEdit[]> | undefined>()
  return {
    of(path) {
      if (!read.has(path)) read.set(path, editsIn(path))
      return read.get(path)
    },
  }

  function editsIn(path: string): ReadonlyMap<number, WritingEdit[]> | undefined {
    const file = store.knownFile({ path })
    if (!file || file.goneMs !== undefined) return undefined
    const folders = store.sessions(undefined, [path])[0]?.session.cwds ?? []
    try {
      const edits = fileEdits(file.artifact).map((edit) => {
        // In which of several folders the agent was, only the record can say.
        const folder = edit.cwd ?? (folders.length === 1 ? folders[0]![0] : undefined)
        return {
          ...edit,
          path: absolutePath(edit.path, folder),
          ...(edit.from === undefined ? {} : { from: absolutePath(edit.from, folder) }),
        }
      })
      return Map.groupBy(followed(edits), ({ line }) => line)
    } catch (error) {
      context.note(`${path} ${faultOf(error)}`, 'partly')
      return undefined
    }
  }
}
