import { type Stats, statSync } from 'node:fs'

/** Whether a path is a plain file, following links. False for a path that is too long or inaccessible. */
export const isFile = (path: string): boolean => look(path)?.isFile() === true

/** Whether a path is a folder, following links. False as above. */
export const isFolder = (path: string): boolean => look(path)?.isDirectory() === true

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
