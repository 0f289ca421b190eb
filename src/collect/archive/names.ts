import { hash } from 'node:crypto'

/** Shorter than the limit of every file system. */
const LONGEST = 200
const TAIL = 60
const PLAIN = /^[A-Za-z0-9._@ -]$/
/** Names that Windows reserves. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Encodes a text as a file name that is valid on every system and stays in its folder. Different texts have
 * different names. Characters other than letters, digits, spaces and `._@-` become `%` and two digits per
 * byte. The end of a long text is replaced by `%%` and a hash.
 */
export function encodedName(text: string): string {
  let name = ''
  for (const byte of Buffer.from(text.toWellFormed())) {
    const character = String.fromCharCode(byte)
    name += PLAIN.test(character) ? character : encoded(byte)
  }
  if (name === '') return '%'
  // `.` and `..` are other folders, and Windows drops a dot or a space at the end.
  if (/[. ]$/.test(name)) name = name.slice(0, -1) + encoded(name.charCodeAt(name.length - 1))
  if (RESERVED.test(name)) name = encoded(name.charCodeAt(0)) + name.slice(1)
  return name.length <= LONGEST && text.isWellFormed()
    ? name
    : `%%${hash('sha256', Buffer.from(text, 'utf16le'), 'hex')}${name.slice(-TAIL)}`
}

const encoded = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** The text of an encoded name. Undefined if only a hash of it is left. */
export function decodedName(name: string): string | undefined {
  if (name.startsWith('%%')) return undefined
  if (name === '%') return ''
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}
