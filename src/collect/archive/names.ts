import { hash } from 'node:crypto'

/** No system takes longer names. */
const LONGEST = 200
const TAIL = 60
const PLAIN = /^[A-Za-z0-9._@ -]$/
/** Names that Windows keeps to itself. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * A text as one name that every system takes and that leads nowhere. Two texts never have the same name: what is no letter, digit, space
 * or one of `._@-` is written as `%` and two digits a byte; of what is too long a hash stands before its end, behind `%%`.
 */
export function encodedName(text: string): string {
  let name = ''
  for (const byte of Buffer.from(text.toWellFormed())) {
    const character = String.fromCharCode(byte)
    name += PLAIN.test(character) ? character : encoded(byte)
  }
  if (name === '') return '%'
  // "." and ".." lead elsewhere, and Windows drops a dot or a space at the end.
  if (/[. ]$/.test(name)) name = name.slice(0, -1) + encoded(name.charCodeAt(name.length - 1))
  if (RESERVED.test(name)) name = encoded(name.charCodeAt(0)) + name.slice(1)
  return name.length <= LONGEST && text.isWellFormed()
    ? name
    : `%%${hash('sha256', Buffer.from(text, 'utf16le'), 'hex')}${name.slice(-TAIL)}`
}

const encoded = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
