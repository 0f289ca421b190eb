import { mayHoldSecret } from './byte-filter.ts'
import { findWithRules } from './find-with-rules.ts'
import { type Finding, joinOverlaps, ROUNDS, replaceFindings } from './findings.ts'
import { createFingerprint, randomKey } from './fingerprint.ts'
import { findHighEntropy } from './high-entropy.ts'
import { createIdentityFinder, HOME_KIND, type Identities, identityKinds } from './identities.ts'
import { type Label, type RedactedLine, redactJson } from './json-line.ts'
import { compile, createOwnFinder } from './own-patterns.ts'
import type { RedactLevel, RedactSettings } from './redact-settings.ts'
import { type Find, inShownText, shownValue } from './shown-view.ts'

export interface RedactorOptions extends RedactSettings, Identities {
  level: RedactLevel
  /** Equal secrets get equal tags, `[REDACTED:kind#1]`; else none. */
  tags?: boolean
  /** Base64. With it a tag is the same in every run and thread that has the key, `[REDACTED:kind#k3f9c]`; it tells nothing without. */
  key?: string
}

/** Takes secrets, and people where that is wanted, out of what is delivered in one run. */
export interface Redactor {
  /** The text with a word in the place of each finding. Without findings the same text. */
  redact(text: string): string
  /** In ascending order, without overlaps. */
  find(text: string): Finding[]
  /** The same for a line of JSON, which stays JSON of the same shape; what is no JSON is taken as a text. */
  redactJsonLine(line: string): RedactedLine
  /** Whether `find` would find nothing in what these bytes of UTF-8 say; a no only means that it has to look. */
  isClean(bytes: Uint8Array, start: number, end: number): boolean
}

const LONGEST_LABEL = 80
/** Letters and digits of a tag that a key makes. */
const TAG_LENGTH = 5

/** Throws `bad-pattern` where a pattern of the settings cannot be used. */
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
  const redactText = (text: string, told: (kind: string) => void): string => {
    let redacted = text
    for (let round = 0; round < ROUNDS; round++) {
      const findings = find(redacted)
      if (findings.length === 0) break
      for (const { kind } of findings) told(kind)
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

/** Whether a finding lies in what was put in the place of another. */
function isLabel(text: string, start: number, end: number): boolean {
  const open = text.lastIndexOf('[', start)
  if (open < 0 || start - open > LONGEST_LABEL) return false
  const [label] =
    /^\[(?:REDACTED:[\w-]+|EMAIL|PHONE|USER)(?:#[a-z0-9]+)?\]/.exec(text.slice(open, open + LONGEST_LABEL)) ??
    []
  return label !== undefined && open + label.length >= end
}

/** Numbers secrets of a kind in the order in which they are first seen; of the secrets themselves nothing is kept. */
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
