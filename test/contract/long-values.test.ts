import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isShortened, parseShortened } from '../../src/io/long-values.ts'
import { type ParsedLine, parseLine } from '../../src/io/parse-line.ts'
import type { Artifact } from '../../src/model/artifact.ts'
import type { Draft, Part } from '../../src/model/event.ts'
import { createFold, foldEntries } from '../../src/model/fold/fold.ts'
import { sentWords, toolPaths, toolTarget } from '../../src/model/fold/tool-arguments.ts'
import { traitsOf } from '../../src/platforms/identities.ts'
import { platformOf, platforms } from '../../src/platforms/index.ts'
import type { Platform } from '../../src/platforms/platform.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { createRandom } from '../random.ts'
import { put, temporaryHome } from '../records.ts'
import { claudeCall, claudeResult, MOSS, TRAPS } from './long-traps.ts'
import { corpus, corpusFolder, demo, fixtures, rawBytes, rawLines, type Subject } from './subjects.ts'

/** Texts that decide what a result is, where a platform looks for them. */
const TELLING = [
  'Error: it broke',
  'TypeError: no moss',
  '0 errors',
  'FAILED',
  'Output:',
  'err: it broke',
  'Exit code: 1',
  'Process exited with code 2',
  'Exit Code: 3',
  'Script failed',
  'User has answered your question: "a"="b".',
  "The user doesn't want to proceed with this tool use",
  'the user said:\nno',
  'aborted by user',
  '{"answers":{"a":{"answers":["b"]}}}',
  '{"output":"x","metadata":{"exit_code":1}}',
  '*** Begin Patch',
  '*** Update File: src/moss.ts',
  '<user_shell_command>\n<command>\nls\n</command>',
  '<tool_use_error>no</tool_use_error>',
  '"role":"toolResult"',
  '"toolName":"read"',
  '"is_error":true',
  '\u001A',
  'sk-ant-api03-not-really',
]
const FILLING = [
  'x',
  'moss and stones ',
  'const a = "b"\n',
  '     1→ if (a) {\n',
  '的',
  '😀',
  '\u001b[1m\\',
  '\n',
  ' ',
]

/** Fields that say how a call ended, who wrote a message, and which tool it is of. */
const FACTS: readonly [string, unknown][] = [
  ['is_error', true],
  ['isError', true],
  ['success', false],
  ['exitCode', 1],
  ['exit', 1],
  ['status', 'error'],
  ['status', 'failed'],
  ['role', 'user'],
  ['role', 'assistant'],
  ['role', 'toolResult'],
  ['role', 'developer'],
  ['name', 'message'],
  ['name', 'apply_patch'],
  ['toolName', 'read'],
  ['toolName', 'bash'],
  ['type', 'message'],
  ['type', 'text'],
  ['type', 'tool_result'],
]

type Random = (below: number) => number
const one = <Value>(random: Random, values: readonly Value[]): Value => values[random(values.length)]!

/** A long text with telling ones at any place, at the beginning of a line or within it. */
function longText(random: Random): string {
  const pieces: string[] = []
  for (let piece = random(3); piece < 5; piece++) {
    const unit = one(random, FILLING)
    const filling = unit.repeat(Math.ceil(random(4000) / unit.length))
    pieces.push(one(random, [filling, one(random, TELLING), one(random, TELLING), '\n']))
  }
  const text = pieces.join('')
  return text.length < 2100 ? text + one(random, FILLING).repeat(2100) : text
}

/** The places of all texts in an entry, and of all its objects. */
function placesIn(entry: unknown): { texts: (string | number)[][]; objects: (string | number)[][] } {
  const texts: (string | number)[][] = []
  const objects: (string | number)[][] = []
  const visit = (value: unknown, path: (string | number)[]): void => {
    if (typeof value === 'string') texts.push(path)
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) objects.push(path)
    for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key])
  }
  visit(entry, [])
  return { texts, objects }
}

type Holder = Record<string | number, unknown>
const at = (entry: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce((value, key) => (value as Holder)[key], entry)

/** The entry with a long text at a place, and perhaps at others, and with other facts around it. */
function lengthened(entry: unknown, path: readonly (string | number)[], random: Random): unknown {
  const copy = structuredClone(entry)
  const { texts, objects } = placesIn(copy)
  const grow = (place: readonly (string | number)[]): void => {
    const holder = at(copy, place.slice(0, -1)) as Holder
    const own = String(holder[place.at(-1)!])
    const text = longText(random)
    holder[place.at(-1)!] = random(3) === 0 ? `${own}${one(random, ['', '\n'])}${text}` : text
  }
  grow(path)
  if (random(3) === 0) grow(one(random, texts))
  // Not of the grown text, and mostly of the object that has it or is around it.
  for (let facts = random(3); facts > 0; facts--) {
    const around = objects.filter((place) => place.every((key, index) => path[index] === key))
    const holder = at(copy, one(random, random(4) === 0 ? objects : around)) as Holder
    const [key, value] = one(random, FACTS)
    if (key in holder || random(4) === 0) holder[key] = value
  }
  if (random(4) === 0) {
    const holder = at(copy, one(random, objects)) as Holder
    const key = one(random, Object.keys(holder).concat('x'))
    delete holder[key]
  }
  return copy
}

/** What is read of a part: not the output of tools, and of thinking only whether there is any. */
function readOf(part: Part, { asks }: ReturnType<typeof traitsOf>): unknown {
  if (part.type === 'thinking') return { ...part, text: part.text !== '' }
  if (part.type === 'tool-result') return { ...part, body: undefined }
  if (part.type !== 'tool-call') return part
  const { name, input } = part
  const told = {
    target: toolTarget(name, input),
    paths: toolPaths(input),
    sent: sentWords(name, input, asks),
  }
  return { ...part, input: told }
}

function draftsOf({ entries }: ParsedLine, platform: Platform, artifact: Artifact): unknown[] {
  const traits = traitsOf(artifact.platform)
  return entries
    .flatMap((entry): Draft[] => platform.records.normalize(entry, artifact))
    .map((draft) =>
      draft.payload.type === 'message'
        ? {
            ...draft,
            payload: { ...draft.payload, parts: draft.payload.parts.map((part) => readOf(part, traits)) },
          }
        : draft,
    )
}

const shortenedLine = (bytes: Buffer, { records }: Platform): ParsedLine =>
  parseShortened(bytes, 0, bytes.length, records.long)
const wholeLine = (bytes: Buffer): ParsedLine => parseLine(bytes, 0, bytes.length)

/** The drafts of a line are the same, and so is whether it is damaged. */
function lineIsTheSame(line: Buffer, platform: Platform, artifact: Artifact): void {
  const short = shortenedLine(line, platform)
  const whole = wholeLine(line)
  expect(short.damaged).toBe(whole.damaged)
  expect(draftsOf(short, platform, artifact)).toEqual(draftsOf(whole, platform, artifact))
}

/** The session, its items and its accounting, without redaction, which no shortened text may survive. */
function folded(lines: readonly Buffer[], artifact: Artifact, parse: (line: Buffer) => ParsedLine): unknown {
  const { records, identity } = platformOf(artifact.platform)
  return (['condensed', 'full'] as const).map((keep) => {
    const fold = createFold(artifact, { keep, traits: traitsOf(artifact.platform) })
    let offset = 0
    for (const [index, line] of lines.entries()) {
      const origin = { line: index + 1, offset, length: line.length }
      fold.line(origin)
      const normalize = (entry: unknown): Draft[] => records.normalize(entry, artifact)
      foldEntries(parse(line), origin, { normalize, record: identity.record }, fold)
      offset += line.length + 1
    }
    const sent = fold.drainSent()
    const { session, items } = fold.finish()
    return { session, items, sent }
  })
}

function fileIsTheSame(lines: readonly Buffer[], artifact: Artifact): void {
  const platform = platformOf(artifact.platform)
  const short = folded(lines, artifact, (line) => shortenedLine(line, platform))
  expect(short).toEqual(folded(lines, artifact, wholeLine))
}

const linesOf = (artifact: Artifact): Buffer[] => rawLines(rawBytes(artifact)).map(({ bytes }) => bytes)

/** Records of each kind, not all of the same. */
function entriesOf(subjects: readonly Subject[]): { entry: unknown; artifact: Artifact }[] {
  const kinds = new Map<string, { entry: unknown; artifact: Artifact }[]>()
  for (const { artifact } of subjects)
    for (const line of linesOf(artifact))
      for (const entry of wholeLine(line).entries) {
        const kind = JSON.stringify(entry).replace(/"(?:[^"\\]|\\.){25,}"|[\d.]+/g, '')
        const same = kinds.get(kind.slice(0, 160)) ?? []
        if (same.length < 3 && JSON.stringify(entry).length < 200_000) same.push({ entry, artifact })
        kinds.set(kind.slice(0, 160), same)
      }
  return [...kinds.values()].flat()
}

/** How many records with long values are compared for each platform. More find more. */
const RECORDS = Number(process.env.SCROLLBACK_RECORDS ?? 400)

function holdsFor(platform: Platform, subjects: readonly Subject[]): void {
  it('answers the same with every file', () => {
    for (const { artifact } of subjects) fileIsTheSame(linesOf(artifact), artifact)
  })

  it('answers the same with records that have any long values', () => {
    const random = createRandom(7)
    const all = entriesOf(subjects).flatMap(({ entry, artifact }) =>
      placesIn(entry).texts.flatMap((path) => (path.length > 0 ? { entry, artifact, path } : [])),
    )
    for (let record = 0; record < RECORDS; record++) {
      const { entry, artifact, path } = one(random, all)
      const line = Buffer.from(JSON.stringify(lengthened(entry, path, random)))
      lineIsTheSame(line, platform, artifact)
      fileIsTheSame([line], artifact)
    }
  })
}

for (const platform of platforms) {
  describe(`${platform.identity.name}, without what is not needed of long values`, () => {
    holdsFor(platform, fixtures(platform.id))
  })
}

describe.each(Object.keys(TRAPS))('what is needed of long values of %s', (id) => {
  const platform = platforms.find((each) => each.id === id)!
  const [{ artifact }] = fixtures(id) as [Subject]

  it.each(TRAPS[id]!)('$what', ({ line, shortened }) => {
    const bytes = Buffer.from(line)
    lineIsTheSame(bytes, platform, artifact)
    fileIsTheSame([bytes], artifact)
    expect(isShortened(shortenedLine(bytes, platform).entries)).toBe(shortened)
  })
})

describe('a secret that a long value ends in the middle of', () => {
  const secret = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`
  const [{ artifact }] = fixtures('claude-code') as [Subject]

  it.each([480, 1000, 1010, 1020])('is removed from the line of an error: after %i characters', (length) => {
    const before = 'a '.repeat(length / 2)
    const content = `${before}${secret} ${MOSS}`
    const lines = [claudeCall('Bash', { command: 'ls' }), claudeResult({ content, is_error: true })]
    const path = put(
      join(temporaryHome(), 'a.jsonl'),
      lines.map((each) => `${JSON.stringify(each)}\n`).join(''),
    )
    const { items } = readSession({ ...artifact, path, links: undefined })
    const error = items.find(({ who }) => who === 'error')
    expect(error?.text).toHaveLength(500)
    expect(JSON.stringify(items)).not.toContain('ghp_A')
    expect(JSON.stringify(items)).not.toContain('\\u001a')
  })
})

describe.skipIf(!corpusFolder)(
  'every platform, without what is not needed of long values, over SCROLLBACK_CORPUS (skipped if it is not set)',
  async () => {
    const subjects = [...demo(), ...(corpusFolder ? await corpus(corpusFolder) : [])]
    for (const platform of platforms) {
      const own = subjects.filter(({ artifact }) => artifact.platform === platform.id)
      if (own.length > 0) describe(platform.identity.name, () => holdsFor(platform, own))
    }
  },
)
