import type { ChangedFile } from '../../api/ask.ts'
import { count, counted, shortPath } from '../../text/format.ts'

/** More names are only counted. */
const MOST = 3

/** Which files a patch leaves out and why, as one sentence; none if it has all. Files that are as they were need no patch. */
export function leftOut(files: readonly Pick<ChangedFile, 'path' | 'notInPatch'>[]): string[] {
  const left = files.filter(({ notInPatch }) => notInPatch !== undefined)
  if (left.length === 0) return []
  const names = left.slice(0, MOST).map(({ path, notInPatch }) => `${shortPath(path, 2)} ${notInPatch}`)
  const more = left.length > MOST ? [`and ${count(left.length - MOST)} more`] : []
  return [
    `${counted(left.length, 'file')} ${left.length === 1 ? 'is' : 'are'} not in the patch: ${[...names, ...more].join(', ')}`,
  ]
}
