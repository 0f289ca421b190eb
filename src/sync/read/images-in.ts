import { asObject, type JsonObject } from '../../model/json.ts'

/** An image in a record. */
export interface RecordImage {
  /** Decoded, as far as it is base64. */
  bytes: Buffer
  /** By the first bytes. What the record states may be wrong. */
  type: string
}

/** The types that are shown. An SVG could contain a script. */
const SIGNATURES: readonly { type: string; test(bytes: Buffer): boolean }[] = [
  { type: 'image/png', test: (bytes) => bytes.subarray(0, 8).equals(PNG) },
  { type: 'image/jpeg', test: (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff },
  { type: 'image/gif', test: (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) },
  {
    type: 'image/webp',
    test: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
]
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Enough of an image to know its type. */
const HEAD = 24

const typeOf = (head: Buffer): string | undefined => SIGNATURES.find(({ test }) => test(head))?.type

/** The images in a value of JSON, in order, in all forms that clients record: blocks with base64 text. */
export function* imagesIn(value: unknown): Generator<RecordImage> {
  const text = base64In(asObject(value))
  if (text !== undefined) {
    const type = typeOf(Buffer.from(text.slice(0, HEAD), 'base64'))
    if (type !== undefined) yield { type, bytes: Buffer.from(text, 'base64') }
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) yield* imagesIn(inner)
}

/** The base64 text of an image block. */
function base64In(block: JsonObject | undefined): string | undefined {
  if (!block || !/image/.test(String(block.type ?? ''))) return undefined
  const source = asObject(block.source)
  const url = asObject(block.image_url)?.url ?? block.image_url ?? source?.url
  const inline = typeof url === 'string' ? /^data:image\/[\w.+-]+;base64,(.*)$/s.exec(url)?.[1] : undefined
  const text = source?.data ?? block.data ?? inline
  return typeof text === 'string' ? text : undefined
}
