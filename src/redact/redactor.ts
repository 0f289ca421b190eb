import { mayHoldSecret } from './byte-filter.ts'
import type { RedactLevel, RedactSettings } from './find-settings.ts'
import { findWithRules } from './find-with-rules.ts'
import { type Finding, joinOverlaps, ROUNDS, replaceFindings } from './findings.ts'
import { createFingerprint, randomKey } from './fingerprint.ts'
import { findHighEntropy } from './high-entropy.ts'
import { createIdentityFinder, HOME_KIND, type Identities, identityKinds } from './identities.ts'
import { type Label, type RedactedLine, redactJson } from './json-line.ts'
import { compile, createOwnFinder } from './own-patterns.ts'
import { type Find, inShownText, shownValue } from './shown-view.ts'

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
  const { level, tags = false, identities = false, patterns = [], allow = [] } = options
  const finders: Find[] = [findWithRules]
  if (level === 'strict') finders.push(findHighEntropy)
  if (patterns.length > 0) finders.push(createOwnFinder(patterns))
  if (identities) finders.push(createIdentityFinder(options))
  const onlyRules = finders.length === 1
  const findAll: Find = (text, seams) => finders.flatMap((find) => find(text, seams))
  const isAllowed = createAllowList(allow)
  const find = (text: string): Finding[] =>
    level === 'off'
      ? []
      : joinOverlaps(
          inShownText(text, findAll).filter(
            ({ start, end }) => !isLabel(text, start, end) && !isAllowed(shownValue(text.slice(start, end))),
          ),
        )
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
  return {
    find,
    redact: (text) => redactText(text, () => {}),
    isClean: (bytes, start, end) => level === 'off' || (onlyRules && !mayHoldSecret(bytes, start, end)),
    redactJsonLine(line) {
      const findings = find(line)
      if (findings.length === 0) return { text: line, count: 0, kinds: {} }
      if (isJson(line)) return redactJson(line, findings, find, label)
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
  const fingerprint = createFingerprint(key === undefined ? randomKey() : Buffer.from(key, 'base64'))
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

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
