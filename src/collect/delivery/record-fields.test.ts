import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readLines } from '../../io/lines.ts'
import { bufferSource } from '../../io/source.ts'
import type { JsonObject } from '../../model/json.ts'
import { fieldScanner, fieldsOf } from './record-fields.ts'

function seenIn(line: string): JsonObject | undefined {
  const bytes = Buffer.from(`${line}\n`)
  const source = bufferSource(bytes, 0, { size: bytes.length, mtimeMs: 0, identity: '' })
  let seen: JsonObject | undefined
  readLines(source, fieldScanner(), (shape) => {
    seen = fieldsOf(shape)
  })
  return seen
}

const NAMES = ['type', 'uuid', 'id', 'timestamp', 'ts', 'runAtMs', 'cwd', 'project', 'sessionId']

/** The same of a line that was parsed. */
function parsedIn(line: string): JsonObject {
  const entry = JSON.parse(line) as Record<string, unknown>
  const fields = Object.fromEntries(Object.entries(entry).filter(([name]) => NAMES.includes(name)))
  const { message } = entry
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return fields
  const { timestamp } = message as Record<string, unknown>
  return { ...fields, message: typeof timestamp === 'object' && timestamp ? {} : { timestamp } }
}

/** A name with an escape in it makes the scanner leave the line to the parser. */
const unescaped = fc.string().filter((text) => !/["\\]/.test(text))
const name = fc.oneof(fc.constantFrom(...NAMES, 'message', 'timestamp', 'content'), unescaped)
const plain = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.constant(null),
)
const inner = fc.oneof(
  plain,
  fc.dictionary(name, plain),
  fc.array(fc.dictionary(name, plain), { maxLength: 2 }),
)
const member = fc.tuple(name, fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: inner }))

it('a field is what JSON.parse makes of it, also where it stands twice', () => {
  fc.assert(
    fc.property(fc.array(member, { maxLength: 8 }), (members) => {
      const line = `{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(', ')}}`
      const seen = seenIn(line)
      const strange = members.some(
        ([key, value]) => NAMES.includes(key) && typeof value === 'object' && value,
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
])('nothing is said of %s', (line) => expect(seenIn(line)).toBeUndefined())
