const isNode = typeof Buffer !== 'undefined'

/** A buffer for low bytes. */
export const roomFor = (length: number): Uint8Array =>
  isNode ? Buffer.alloc(length) : new Uint8Array(length)

/** Writes the low byte of every UTF-16 code, so that positions are the same in both. Returns their number. */
export function writeLowBytes(text: string, into: Uint8Array): number {
  if (isNode) return (into as Buffer).write(text, 0, 'latin1')
  for (let at = 0; at < text.length; at++) into[at] = text.charCodeAt(at)
  return text.length
}
