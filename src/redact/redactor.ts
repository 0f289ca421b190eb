import { createHmac, randomBytes } from 'node:crypto'
import { ScrollbackError } from '../errors.ts'
import { append } from '../model/iteration.ts'
import { mayHoldSecret } from './byte-filter.ts'
import { type Finding, joinOverlaps, ROUNDS, replaceFindings } from './findings.ts'
import { findHighEntropy } from './high-entropy.ts'
import { createIdentityFinder, HOME_KIND, type Identities, identityKinds } from './identities.ts'
import { type Label, type RecordSearch, type RedactedLine, redactJson, secretsOf } from './json-line.ts'
import { inText } from './json-text.ts'
import { findSecrets, findWithRules, redact } from './redact.ts'
import { type Find, inShownText, shownValue } from './shown-text.ts'

/** What counts as a secret: nothing, what the rules find, or also what only looks like one. */
export const REDACT_LEVELS = ['strict', 'standard', 'off'] as const

type RedactLevel = (typeof REDACT_LEVELS)[number]

/** The settings of redaction. */
export interface RedactSettings {
  level?: RedactLevel
  /** Whether identities are redacted too. */
  identities?: boolean
  /** Regular expressions for other kinds of secrets. */
  patterns?: { kind: string; pattern: string }[]
  /** Values that are not secrets: literally, or by a pattern that must match the whole value. */
  allow?: (string | { pattern: string })[]
}

/**
 * What is redacted besides secrets of known kinds, and how it is marked.
 *
 * @example
 * import { createRedactor, type RedactorOptions } from 'agent-scrollback'
 *
 * const off: RedactorOptions = { level: 'off' }
 * createRedactor(off).redact('as it is') // => 'as it is'
 */
export interface RedactorOptions extends RedactSettings, Identities {
  level: RedactLevel
  /** Add tags that are the same for equal secrets: `[REDACTED:kind#1]`. */
  tags?: boolean
  /**
   * Base64. With a key, a tag is the same in every run and thread that uses it: `[REDACTED:kind#k3f9c]`. It
   * reveals nothing without the key.
   */
  key?: string
}

/**
 * Redacts secrets and, on request, identities in everything that is delivered in one run.
 *
 * @example
 * import { createRedactor } from 'agent-scrollback'
 *
 * const key = `AKIA${'IOSFODNN7EXAMPLQ'}`
 * const redactor = createRedactor({ level: 'standard' })
 * redactor.redactJsonLine(JSON.stringify({ key })).text // => '{"key":"[REDACTED:aws-access-key-id]"}'
 */
export interface Redactor {
  /** The text with its findings replaced. Returns a text without findings unchanged. */
  redact(text: string): string
  /** In ascending order, without overlaps. */
  find(text: string): Finding[]
  /**
   * The same for a line of JSON, which remains JSON of the same shape. Anything that is not JSON is treated
   * as text.
   */
  redactJsonLine(line: string): RedactedLine
  /**
   * Whether `find` would certainly find nothing in these UTF-8 bytes. If false, the text has to be searched.
   */
  isClean(bytes: Uint8Array, start: number, end: number): boolean
}

const LONGEST_LABEL = 80
/** The number of characters in a tag that is derived from a key. */
const TAG_LENGTH = 5

/**
 * Throws `bad-pattern` if a pattern of the settings is invalid.
 *
 * @example
 * import { createRedactor } from 'agent-scrollback'
 *
 * const key = `AKIA${'IOSFODNN7EXAMPLQ'}`
 * const { redact } = createRedactor({ level: 'standard', tags: true })
 * redact(`one: ${key}`) // => 'one: [REDACTED:aws-access-key-id#1]'
 * redact(`again: ${key}`) // => 'again: [REDACTED:aws-access-key-id#1]'
 */
export function createRedactor(options: RedactorOptions): Redactor {
  const { level, tags = false } = options
  const { find, search, onlyRules } = createSearch(options)
  const label = createLabel(tags, options.key)
  const redactText = (text: string, onFinding: (kind: string) => void): string => {
    let redacted = text
    for (let round = 0; round < ROUNDS; round++) {
      const findings = find(redacted)
      if (findings.length === 0) break
      for (const { kind } of findings) onFinding(kind)
      redacted = replaceFindings(redacted, findings, label)
    }
    return redacted
  }
  /** How long the last line is that was not clean, so that the same line is not looked through again. */
  let unclean = -1
  const isClean = (bytes: Uint8Array, start: number, end: number): boolean => {
    if (level === 'off') return true
    if (!onlyRules) return false
    const clean = !mayHoldSecret(bytes, start, end)
    unclean = clean ? -1 : end - start
    return clean
  }
  const isCleanLine = (line: string): boolean => {
    if (!onlyRules || Buffer.byteLength(line) === unclean) return false
    const bytes = Buffer.from(line)
    return !mayHoldSecret(bytes, 0, bytes.length)
  }
  return {
    find,
    redact: (text) => redactText(text, () => {}),
    isClean,
    redactJsonLine(line) {
      if (level === 'off' || isCleanLine(line)) return { text: line, count: 0, kinds: {} }
      const redacted = redactJson(line, search, label)
      if (redacted !== undefined) return redacted
      const kinds: Record<string, number> = {}
      let count = 0
      const text = redactText(line, (kind) => {
        kinds[kind] = (kinds[kind] ?? 0) + 1
        count++
      })
      return { text, count, kinds }
    },
  }
}

/** The search of texts and records that redactors share. */
function createSearch(options: RedactorOptions) {
  const { level, identities = false, patterns = [], allow = [] } = options
  /** These need no neighbors, */
  const own: Find[] = patterns.length > 0 ? [createOwnFinder(patterns)] : []
  /** and these depend on them. */
  const others: Find[] = [
    ...(level === 'strict' ? [findHighEntropy] : []),
    ...(identities ? [createIdentityFinder(options)] : []),
  ]
  const onlyRules = own.length + others.length === 0
  const all = [...own, ...others]
  const findAll: Find = (text, seams, visit) => {
    const findings = findWithRules(text, seams, visit)
    return onlyRules ? findings : [...findings, ...all.flatMap((find) => find(text, seams))]
  }
  const isAllowed = createAllowList(allow)
  const counts = (text: string, { start, end }: Finding): boolean =>
    !isLabel(text, start, end) && !isAllowed(shownValue(text.slice(start, end)))
  const find = (text: string): Finding[] =>
    level === 'off' ? [] : joinOverlaps(inText(text, findAll).filter((finding) => counts(text, finding)))
  const search: RecordSearch = {
    text: (text) => inText(text, findAll),
    outline: (outline, visit) => inShownText(outline, findAll, visit),
    again: (text, visited) => {
      const findings = visited ? inText(text, findWithRules) : []
      for (const find of own) append(findings, inShownText(text, find))
      return findings
    },
    counts,
  }
  return { find, search, onlyRules }
}

let standard: RecordSearch | undefined

/**
 * Redacts JSON that is printed, in lines. Each line is a value, or a part of one that ends between strings.
 * It is searched like a record, so that it stays JSON, and no line depends on those before it.
 */
export function redactJsonText(json: string): string {
  const bytes = Buffer.from(json)
  if (!mayHoldSecret(bytes, 0, bytes.length)) return json
  standard ??= createSearch({ level: 'standard' }).search
  const search = standard
  return json
    .split('\n')
    .map((line) => redactJson(line, search, plainLabel, true)?.text ?? redact(line))
    .join('\n')
}

const plainLabel: Label = (kind) => `[REDACTED:${kind}]`

/** The secrets of a line of a file, in order. In a line of JSON, they are those of its decoded strings. */
export function secretsInLine(line: string): { kind: string; value: string }[] {
  standard ??= createSearch({ level: 'standard' }).search
  return (
    secretsOf(line, standard) ??
    findSecrets(line).map(({ kind, start, end }) => ({ kind, value: line.slice(start, end) }))
  )
}

function createAllowList(allow: NonNullable<RedactSettings['allow']>): (value: string) => boolean {
  if (allow.length === 0) return () => false
  const values = new Set(allow.filter((each) => typeof each === 'string'))
  const patterns = allow
    .filter((each) => typeof each !== 'string')
    .map(({ pattern }) => new RegExp(`^(?:${compile(pattern, 'allow').source})$`))
  return (value) => values.has(value) || patterns.some((pattern) => pattern.test(value))
}

/** Whether a finding is inside the replacement of another one. */
function isLabel(text: string, start: number, end: number): boolean {
  const open = text.lastIndexOf('[', start)
  if (open < 0 || start - open > LONGEST_LABEL) return false
  const [label] =
    /^\[(?:REDACTED:[\w-]+|EMAIL|PHONE|USER)(?:#[a-z0-9]+)?\]/.exec(text.slice(open, open + LONGEST_LABEL)) ??
    []
  return label !== undefined && open + label.length >= end
}

/**
 * Numbers the secrets of a kind in the order of their first occurrence. Does not store the secrets
 * themselves.
 */
function createLabel(tags: boolean, key: string | undefined): Label {
  const fingerprint = createFingerprint(Buffer.from(key ?? randomKey(), 'base64'))
  const seen = new Map<string, string>()
  const counts = new Map<string, number>()
  const word = (kind: string, tag: string): string =>
    identityKinds.includes(kind) ? `[${kind.toUpperCase()}${tag}]` : `[REDACTED:${kind}${tag}]`
  return (kind, value) => {
    if (kind === HOME_KIND) return '~'
    if (!tags) return word(kind, '')
    const id = fingerprint(value)
    if (key !== undefined)
      return word(
        kind,
        `#${id
          .replace(/[^A-Za-z0-9]/g, '')
          .slice(0, TAG_LENGTH)
          .toLowerCase()}`,
      )
    const known = seen.get(id)
    if (known !== undefined) return known
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    const made = word(kind, `#${number}`)
    seen.set(id, made)
    return made
  }
}

/** A user-defined kind of secret. */
interface OwnPattern {
  /** Lower-case letters, digits and `-`: `[REDACTED:kind]`. */
  kind: string
  /** A JavaScript regular expression. */
  pattern: string
}

/** A text is searched in pieces of this length, which limits the time of a slow pattern. */
const PIECE = 2048
/** The overlap of pieces, and the maximum length of such a secret. */
const LONGEST_OWN = 512
const LONGEST_PATTERN = 1000

/**
 * Creates a function that finds user-defined secrets. Throws `bad-pattern` for an invalid regular expression,
 * one that matches the empty string, and one with nested repetitions, which can take exponential time.
 */
function createOwnFinder(patterns: readonly OwnPattern[]): (text: string) => Finding[] {
  const compiled = patterns.map(({ kind, pattern }) => ({ kind, pattern: compile(pattern, kind) }))
  return (text) => compiled.flatMap(({ kind, pattern }) => findInPieces(text, kind, pattern))
}

function findInPieces(text: string, kind: string, pattern: RegExp): Finding[] {
  const findings: Finding[] = []
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE + LONGEST_OWN)
    for (const match of piece.matchAll(pattern))
      if (match[0] !== '')
        findings.push({ kind, start: at + match.index, end: at + match.index + match[0].length })
  }
  return findings
}

/** Compiles a pattern of the settings. Throws with the reason if it is invalid. */
function compile(pattern: string, kind: string): RegExp {
  const why = faultOfPattern(pattern)
  if (why === undefined) return new RegExp(pattern, 'g')
  throw new ScrollbackError(
    'bad-pattern',
    `the pattern of "${kind}" ${why}: ${pattern.slice(0, 80)}`,
    'Use a JavaScript regular expression, for example ACME-[0-9]{8}.',
  )
}

/** What is wrong with a pattern of the settings, as a clause. Undefined if it can be used. */
export function faultOfPattern(pattern: string): string | undefined {
  if (pattern.length > LONGEST_PATTERN) return `is longer than ${LONGEST_PATTERN} characters`
  try {
    if (''.match(new RegExp(pattern, 'g')) !== null) return 'matches nothing at all'
  } catch (error) {
    return `is no regular expression (${(error as Error).message.split(': ').at(-1)})`
  }
  return mayTakeForEver(pattern) ? 'repeats a repetition, which takes for ever on some texts' : undefined
}

/** An escape, a character class, the opening of a group, a repetition, or one character. */
const piece =
  /\\(?:[pPk](?:\{[^}]*\}|<[^>]*>)|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/g
/** Higher repetition counts are treated as unbounded. */
const OFTEN = 50

interface Group {
  /** It contains an unbounded repetition, or two alternatives that can begin alike. */
  risky: boolean
  /** What its alternatives begin with. */
  starts: string[]
  atStart: boolean
}

/**
 * Whether a pattern repeats a group without bound that itself contains an unbounded repetition or ambiguous
 * alternatives, such as `(a+)*` and `(\w|\d)*`. On some texts, such a pattern takes exponential time. The
 * pattern must be valid.
 */
function mayTakeForEver(pattern: string): boolean {
  const open: Group[] = [{ risky: false, starts: [], atStart: true }]
  const pieces = pattern.match(piece) ?? []
  for (const [at, each] of pieces.entries()) {
    const group = open.at(-1)!
    const endless = isEndless(pieces[at + 1])
    if (each.startsWith('(')) {
      if (group.atStart) group.starts.push('[\\s\\S]')
      group.atStart = false
      open.push({ risky: false, starts: [], atStart: true })
    } else if (each === ')') {
      open.pop()
      const risky = group.risky || mayBeginAlike(group.starts)
      if (risky && endless) return true
      const outside = open.at(-1)
      if (outside && (group.risky || endless)) outside.risky = true
    } else if (each === '|') group.atStart = true
    else {
      if (endless) group.risky = true
      if (group.atStart) group.starts.push(each)
      group.atStart = false
    }
  }
  return false
}

function isEndless(piece: string | undefined): boolean {
  if (piece === undefined) return false
  if (/^[*+]\??$/.test(piece)) return true
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(piece) ?? []
  if (least === undefined) return false
  return comma === ',' && most === '' ? true : Number(most === '' ? least : most) > OFTEN
}

function mayBeginAlike(starts: readonly string[]): boolean {
  const tests = starts.map((start) => new RegExp(`^(?:${/^[*+?{]/.test(start) ? '[\\s\\S]' : start})`))
  for (let code = 0x20; code < 0x7f && tests.length > 1; code++) {
    const character = String.fromCharCode(code)
    if (tests.filter((test) => test.test(character)).length > 1) return true
  }
  return false
}

/** The length of a fingerprint key in bytes. The key is random and made for one run. */
const KEY_BYTES = 32

export const randomKey = (): string => randomBytes(KEY_BYTES).toString('base64')

/**
 * Identifies equal secrets by a keyed hash, which is useless without the key. Nesting in JSON and line breaks
 * do not change the hash.
 */
export function createFingerprint(key: Uint8Array): (value: string) => string {
  return (value) => createHmac('sha256', key).update(plain(value)).digest('base64url')
}

const plain = (value: string): string => shownValue(value).replace(/\\+[nrt]|[\\\s]/g, '')
