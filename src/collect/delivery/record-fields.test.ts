import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readLines } from '../../io/lines.ts'
import { bufferSource } from '../../io/source.ts'
import type { JsonObject } from '../../model/json.ts'
import { createFieldReader } from './record-fields.ts'

const NAMES = ['type', 'uuid', 'id', 'timestamp', 'ts', 'runAtMs', 'cwd', 'project', 'sessionId']
const reader = createFieldReader([...NAMES, 'message.timestamp', 'message.in.id'])

function seenIn(line: string): JsonObject | undefined {
  const bytes = Buffer.from(`${line}\n`)
  const source = bufferSource(bytes, 0, { size: bytes.length, mtimeMs: 0, identity: '' })
  let seen: JsonObject | undefined
  readLines(source, reader.scanner, (shape) => {
    seen = reader.read(shape)
  })
  return seen
}

/** The same for a parsed line. */
function parsedIn(line: string): JsonObject {
  const entry = JSON.parse(line) as Record<string, unknown>
  const fields = Object.fromEntries(Object.entries(entry).filter(([name]) => NAMES.includes(name)))
  const { message } = entry
  if (!isObject(message)) return fields
  const { timestamp, in: within } = message as Record<string, unknown>
  return { ...fields, message: { timestamp, in: isObject(within) ? { id: within.id } : undefined } }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field name with an escape makes the scanner leave the line to the parser. */
const unescaped = fc.string().filter((text) => !/["\\]/.test(text))
const name = fc.oneof(fc.constantFrom(...NAMES, 'message', 'in', 'timestamp', 'content'), unescaped)
const plain = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.constant(null),
)
const inner = fc.oneof(
  plain,
  fc.dictionary(name, fc.oneof(plain, fc.dictionary(name, plain))),
  fc.array(fc.dictionary(name, plain), { maxLength: 2 }),
)
const member = fc.tuple(name, fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: inner }))

/** Whether a wanted field inside the message is neither string nor number. */
const isStrange = (message: unknown): boolean => {
  const { timestamp, in: within } = isObject(message) ? message : {}
  return isObject(timestamp) || Array.isArray(timestamp) || (isObject(within) && isObject(within.id))
}

it('a field has the value that JSON.parse returns, even if it occurs twice', () => {
  fc.assert(
    fc.property(fc.array(member, { maxLength: 8 }), (members) => {
      const line = `{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(', ')}}`
      const seen = seenIn(line)
      const strange = members.some(
        ([key, value]) =>
          (NAMES.includes(key) && typeof value === 'object' && value) ||
          (key === 'message' && isStrange(value)),
      )
      if (strange) expect([undefined, parsedIn(line)]).toContainEqual(seen)
      else expect({ ...seen }).toEqual(parsedIn(line))
    }),
    { numRuns: 2000 },
  )
})

it.each([
  '{"\\u0069d":"a"}',
  '[1]',
  '"text"',
  '7',
  '{"uuid":{}}',
  '{"uuid":true}',
  '{"id":"a"',
  '{"id":"a"}{"id":"b"}',
])('no field is reported for %s', (line) => expect(seenIn(line)).toBeUndefined())
