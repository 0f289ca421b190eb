import { Scanner } from '../../io/scanner/scanner.ts'
import {
  depthOf,
  isElement,
  keyOf,
  kindOf,
  type LineShape,
  NULL,
  NUMBER,
  OBJECT,
  OBJECT_LINE,
  STRING,
  stringAt,
} from '../../io/scanner/shape.ts'
import { asObject, asTime, type JsonObject } from '../../model/json.ts'

/** Of a record: what its id, its time, its session and its place are made of. */
const KEYS = [
  ...([
    'message',
    'type',
    'uuid',
    'id',
    'timestamp',
    'ts',
    'runAtMs',
    'cwd',
    'project',
    'sessionId',
    'sessionKey',
    'childSessionKey',
  ] as const),
]
const MESSAGE = 1
const TIMESTAMP = KEYS.indexOf('timestamp') + 1
const FIRST_CAPACITY = 1024 * 1024

let scanner: Scanner | undefined

/** Of this thread: its memory is used again for the next file. */
export const fieldScanner = (): Scanner => {
  scanner ??= new Scanner({ words: KEYS, descend: new Set(['message']) }, FIRST_CAPACITY)
  return scanner
}

/**
 * The fields of a record that deliveries look at, and the time of its message, of a line that `fieldScanner` looked through; nothing else
 * of it is parsed. Undefined where only parsing tells: then the line is no JSON object, or a field is none of text and number.
 */
export function fieldsOf(line: LineShape): JsonObject | undefined {
  if (line.kind !== OBJECT_LINE) return undefined
  const fields: Record<string, unknown> = {}
  let message: Record<string, unknown> | undefined
  for (let index = line.first, end = index + line.pairs * 3; index < end; index += 3) {
    const meta = line.words[index]!
    const key = keyOf(meta)
    const depth = depthOf(meta)
    if (depth > 2 || isElement(meta)) continue
    if (depth === 2) {
      if (message && key === TIMESTAMP) message.timestamp = valueAt(line, index)
    } else if (key === MESSAGE) {
      message = kindOf(meta) === OBJECT ? {} : undefined
      fields.message = message
    } else {
      const value = valueAt(line, index)
      if (value === undefined) return undefined
      fields[KEYS[key - 1]!] = value
    }
  }
  return fields
}

/** When a record was written, in ms. */
export const timeOf = (fields: JsonObject | undefined): number | undefined =>
  fields &&
  (asTime(fields.timestamp) ??
    asTime(asObject(fields.message)?.timestamp) ??
    asTime(fields.ts) ??
    asTime(fields.runAtMs))

/** A text, a number or null; undefined for anything else. */
function valueAt(line: LineShape, index: number): unknown {
  const kind = kindOf(line.words[index]!)
  if (kind === STRING) return stringAt(line, index)
  if (kind === NULL) return null
  if (kind === NUMBER)
    return Number(line.bytes.toString('latin1', line.words[index + 1]!, line.words[index + 2]!))
  return undefined
}
