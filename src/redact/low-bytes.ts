const isNode = typeof Buffer !== 'undefined'

/** Characters per piece of a text. */
export const PIECE = 16 * 1024
/** Bytes after a piece that may be read. */
const SLACK = 8

const room = isNode ? Buffer.alloc(PIECE + SLACK) : new Uint8Array(PIECE + SLACK)
let written = ''

/**
 * The low byte of every UTF-16 code of a text of at most one piece, so that positions are the same in both.
 * They are valid until the next call. Several searches of one text in a row share them.
 */
export function lowBytesOf(text: string): Uint8Array {
  if (text === written) return room
  written = text
  if (isNode) (room as Buffer).write(text, 0, 'latin1')
  else for (let at = 0; at < text.length; at++) room[at] = text.charCodeAt(at)
  return room
}
