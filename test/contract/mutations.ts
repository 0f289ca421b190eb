import fc from 'fast-check'
import { parseLine } from '../../src/io/parse-line.ts'

/** Words of the formats where they do not belong, and values of every type. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    ...[
      'user',
      'assistant',
      'tool_result',
      'toolResult',
      'text',
      'message',
      'system',
      '',
      ' ',
      '\u0000',
      '\n',
    ],
    ...[true, false, null, [], {}, -1, 1e300, [null], { type: 'text' }, { content: [] }, '<synthetic>'],
  ),
)

/**
 * Ids are used as they are written: one with an escape, which no agent writes, is not recognized by the fast
 * path.
 */
export const ESCAPED_ID = /"(?:uuid|id|sessionId|parentUuid|parentId)"\s*:\s*"[^"]*\\/

type Json = Record<string, unknown>

/** Every object and array in an entry, with its keys. */
function* containers(entry: unknown): Generator<Json> {
  if (typeof entry !== 'object' || entry === null) return
  yield entry as Json
  for (const child of Object.values(entry)) yield* containers(child)
}

/** One change somewhere inside: a value of another type, or a field that is removed, renamed or moved. */
const change = fc.record({
  where: fc.nat(),
  key: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'rename', 'wrap', 'unwrap', 'repeat'),
  value,
  name: fc.constantFrom('type', 'content', 'role', 'text', 'id', 'uuid', 'timestamp', 'isError', 'x'),
})

type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

function changed(entry: unknown, { where, key, how, value, name }: Change): unknown {
  const copy = structuredClone({ entry })
  const all = [...containers(copy)]
  const holder = all[where % all.length]!
  const keys = Object.keys(holder)
  const field = keys[key % keys.length]
  if (field === undefined) return copy.entry
  const old = holder[field]
  const lose = () => (Array.isArray(holder) ? holder.splice(Number(field), 1) : delete holder[field])
  if (how === 'replace') holder[field] = value
  else if (how === 'remove') lose()
  else if (how === 'rename') {
    lose()
    if (!Array.isArray(holder)) holder[name] = old
  } else if (how === 'wrap') holder[field] = [old]
  else if (how === 'unwrap') holder[field] = Object.values(old ?? {})[0]
  else if (Array.isArray(holder)) holder.push(old)
  else holder[name] = old
  return copy.entry
}

/** One change of the bytes of a line, as after a crash, with a full disk or with two writers. */
const damage = fc.record({
  how: fc.constantFrom('none', 'none', 'cut', 'drop', 'insert', 'twice', 'second key'),
  at: fc.nat(),
  length: fc.integer({ min: 1, max: 40 }),
  bytes: fc.constantFrom(
    '\0',
    '\0\0\0',
    '\uFEFF',
    '}',
    '{',
    '"',
    '\\',
    '\r',
    ' ',
    '\t',
    '\u2028',
    'é',
    ',',
    '{"a":1}',
  ),
  name: fc.constantFrom('type', 'content', 'role', 'id', 'uuid', 'timestamp', 'text', 'isError'),
  value,
})

type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never

function damaged(line: string, { how, at, length, bytes, name, value }: Damage): string {
  const offset = at % (line.length + 1)
  if (how === 'cut') return line.slice(0, offset)
  if (how === 'drop') return line.slice(0, offset) + line.slice(offset + length)
  if (how === 'insert') return line.slice(0, offset) + bytes + line.slice(offset)
  if (how === 'twice') return line + line
  if (how === 'none') return line
  const brace = line.indexOf('{', offset)
  const [before, after] = [line.slice(0, brace + 1), line.slice(brace + 1)]
  return brace < 0 || after.startsWith('}')
    ? line
    : `${before}${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'},${after}`
}

/** A real line with a change in its bytes or in its content. */
export function changedLine(lines: readonly string[], entries: readonly unknown[]): fc.Arbitrary<string> {
  return fc.oneof(
    fc.tuple(fc.constantFrom(...lines), damage).map(([line, by]) => damaged(line, by)),
    fc
      .tuple(fc.constantFrom(...entries), fc.array(change, { maxLength: 3 }), damage)
      .map(([entry, by, then]) => damaged(JSON.stringify(by.reduce(changed, entry)) ?? '', then)),
  )
}

/** The same as a separate record, of lines only. */
export const lineOfRecord = (lines: readonly string[]): fc.Arbitrary<string> =>
  changedLine(
    lines,
    lines.flatMap((line) => parseLine(Buffer.from(line), 0, Buffer.byteLength(line)).entries),
  ).filter((line) => !ESCAPED_ID.test(line))

/** An entry with one or more changes in its content. */
export const changedEntry = (entries: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.constantFrom(...entries), fc.array(change, { minLength: 1, maxLength: 6 }))
    .map(([real, by]) => by.reduce(changed, real))
