import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LongValues, parseShortened } from '../../src/io/long-values.ts'
import { type ParsedLine, parseLine } from '../../src/io/parse-line.ts'
import type { Artifact } from '../../src/model/artifact.ts'
import type { Draft, Part } from '../../src/model/event.ts'
import { createFold, foldEntries } from '../../src/model/fold/fold.ts'
import { sentWords, toolPaths, toolTarget } from '../../src/model/fold/tool-arguments.ts'
import { traitsOf } from '../../src/platforms/identities.ts'
import { platformOf, platforms } from '../../src/platforms/index.ts'
import type { Platform } from '../../src/platforms/platform.ts'
import { changedEntry } from './mutations.ts'
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

const filling = fc
  .tuple(fc.constantFrom(...FILLING), fc.integer({ min: 0, max: 6000 }))
  .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length)))
/** A long text with telling ones at any place, at the beginning of a line or within it. */
const longText = fc
  .array(fc.oneof(filling, fc.constantFrom(...TELLING), fc.constant('\n')), { minLength: 1, maxLength: 7 })
  .map((pieces) => pieces.join(''))
  .map((text) => (text.length < 2100 ? text + 'y'.repeat(2100) : text))

/** An entry in which some of the texts are long. Keeps types and roles in most cases. */
const lengthened = (entry: unknown): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.array(longText, { minLength: 1, maxLength: 3 }), fc.nat(), fc.nat(3))
    .map(([texts, seed, share]) => {
      let at = seed
      const grow = (value: unknown, key: string): unknown => {
        if (typeof value === 'string') {
          at = (at * 1103515245 + 12345) % 2147483648
          const isKept = /^(?:type|role|name|toolName|tool|status|id)$/.test(key) && at % 16 > 0
          if (isKept || (at >> 4) % 4 < share) return value
          const text = texts[at % texts.length]!
          return (at >> 6) % 2 === 0 ? text : `${value}${(at >> 7) % 2 === 0 ? '\n' : ''}${text}`
        }
        if (Array.isArray(value)) return value.map((each) => grow(each, key))
        if (typeof value !== 'object' || value === null) return value
        return Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, grow(inner, each)]))
      }
      return grow(entry, '')
    })

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

const RUNS = Number(process.env.SCROLLBACK_RUNS ?? 250)

function holdsFor(platform: Platform, subjects: readonly Subject[]): void {
  it('answers the same with every file', () => {
    for (const { artifact } of subjects) fileIsTheSame(linesOf(artifact), artifact)
  })

  it('answers the same with records that have any long values', () => {
    const all = entriesOf(subjects)
    fc.assert(
      fc.property(
        fc
          .constantFrom(...all)
          .chain(({ entry, artifact }) => fc.tuple(lengthened(entry), fc.constant(artifact))),
        ([entry, artifact]) => {
          const line = Buffer.from(JSON.stringify(entry))
          lineIsTheSame(line, platform, artifact)
          fileIsTheSame([line], artifact)
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('answers the same with records of another form', () => {
    const all = entriesOf(subjects)
    const { artifact } = all[0]!
    fc.assert(
      fc.property(changedEntry(all.map(({ entry }) => entry)).chain(lengthened), (entry) =>
        lineIsTheSame(Buffer.from(JSON.stringify(entry) ?? ''), platform, artifact),
      ),
      { numRuns: RUNS },
    )
  })
}

/** How many lines of these files are shortened. */
function shortenedIn(subjects: readonly Subject[], { needs }: LongValues): number {
  let count = 0
  const counting: LongValues = {
    needs,
    isEnough: () => {
      count++
      return true
    },
  }
  for (const { artifact } of subjects)
    for (const line of linesOf(artifact)) parseShortened(line, 0, line.length, counting)
  return count
}

for (const platform of platforms) {
  describe(`${platform.identity.name}, without what is not needed of long values`, () => {
    holdsFor(platform, fixtures(platform.id))
  })
}

describe.skipIf(!corpusFolder)(
  'every platform, without what is not needed of long values, over SCROLLBACK_CORPUS (skipped if it is not set)',
  async () => {
    const subjects = [...demo(), ...(corpusFolder ? await corpus(corpusFolder) : [])]
    for (const platform of platforms) {
      const own = subjects.filter(({ artifact }) => artifact.platform === platform.id)
      if (own.length > 0) describe(platform.identity.name, () => holdsFor(platform, own))
    }

    it('shortens lines of these files', () => {
      const counts = platforms.map(({ id, records }) => {
        const own = subjects.filter(({ artifact }) => artifact.platform === id)
        return records.long ? shortenedIn(own, records.long) : 0
      })
      expect(counts.filter((count) => count > 10).length).toBeGreaterThan(2)
    })
  },
)
