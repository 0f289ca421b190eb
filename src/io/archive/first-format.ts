import { closeSync } from 'node:fs'
import { HEAD_BYTES, readHead } from '../frames.ts'
import { openOwnToRead, readAt } from '../own-files.ts'

/** Whether a segment begins with a header of the first format. */
export function isOfFirstFormat({ path }: { path: string }): boolean {
  return headAt(path, 0)?.type === 'first'
}

/** The header at a position of a segment. Undefined if it is unreadable. */
export function headAt(path: string, offset: number): ReturnType<typeof readHead> {
  try {
    const descriptor = openOwnToRead(path)
    try {
      return readHead(readAt(descriptor, offset, HEAD_BYTES))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}
