import { isPlausible } from './judge.ts'
import { afterSign } from './rules/pattern-parts.ts'

/** One shape of secret. */
export interface Rule {
  /** The name of the finding, as in `[REDACTED:kind]`. */
  readonly kind: string
  /** The pattern is only tried where one of these occurs. */
  readonly triggers: readonly (string | Trigger)[]
  /** Whether triggers also match in capitals. */
  readonly anyCase?: boolean
  /**
   * Sticky, and begins at the trigger. The last group is the secret and ends the match; without groups, the
   * whole match is. The group `before` of a look-behind also belongs to the secret. A repetition followed by
   * anything that can fail must be bounded, so that every attempt takes bounded time.
   */
  readonly pattern: RegExp
  /**
   * What has to follow the pattern, also sticky. Rules of many names share it, because compiling such a
   * pattern takes milliseconds. If it does not follow, it is tried where the first group of the pattern
   * begins.
   */
  readonly after?: RegExp
  /** Makes the final decision about a match. */
  readonly judge: (secret: string, match: RegExpExecArray) => boolean
  /** Positions of secrets in the text, for rules whose match only says where to look. */
  readonly ranges?: (match: RegExpExecArray) => { start: number; end: number }[]
}

/** One for a password has no kind. */
export type PasswordRule = Omit<Rule, 'kind'> & Partial<Pick<Rule, 'kind'>>

export const passwordRules = (rules: readonly PasswordRule[]): Rule[] =>
  rules.map((rule) => ({ kind: 'password', ...rule }))

/** The group `given`, which a look-behind read before the match. */
export const givenRange: NonNullable<Rule['ranges']> = ({ groups, input, index }) => {
  const given = groups!.given!
  const start = input.lastIndexOf(given, index)
  return [{ start, end: start + given.length }]
}

/**
 * A token does not begin inside a word (`task-…` is not `sk-…`). The preceding character may also belong to
 * an escape such as `\n` in raw JSON, to a color code in terminal output, or to a percent escape in a URL.
 */
const boundary = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=\[[0-9;]{0,9}m)|(?<=%[0-9A-Fa-f]{2}))`

/**
 * A rule for a token with prefixes of its own. `body` is the source of the pattern after the boundary. The
 * match extends to the last letter of the token, so that no rest can begin at a new boundary.
 */
export function tokenRule(
  kind: string,
  triggers: readonly string[],
  body: string,
  judge: (secret: string) => boolean = isPlausible,
): Rule {
  const pattern = new RegExp(`${boundary}${body}[A-Za-z0-9_-]*`, 'y')
  return bodyRule({ kind, pattern, judge }, triggers, body)
}

/** The same for one prefix. `rest` is the source of the pattern behind it. */
export const prefixRule = (
  kind: string,
  prefix: string,
  rest: string,
  judge?: (secret: string) => boolean,
): Rule => tokenRule(kind, [prefix], prefix.replace(/[.|]/g, '\\$&') + rest, judge)

/**
 * The same for prefixes that are so short that base64 can contain them. No characters of base64 may be on
 * either side, except for those that also join the words of a name. Repetitions in `body` must be bounded.
 */
export function loneTokenRule(
  kind: string,
  triggers: readonly string[],
  body: string,
  judge: (secret: string) => boolean,
): Rule {
  const pattern = new RegExp(
    `${boundary}(?:(?<![+/])|${afterSign}|${inPath})${body}(?![A-Za-z0-9+=]|\\/(?![\\w.-]{1,40}(?:[\\s"'/:]|$)))`,
    'y',
  )
  return bodyRule({ kind, pattern, judge }, triggers, body)
}

/** The triggers are only derived where they are needed: the package contains what is made from them. */
const bodyRule = (
  rule: Pick<Rule, 'kind' | 'pattern' | 'judge'>,
  triggers: readonly string[],
  body: string,
): Rule => ({
  ...rule,
  get triggers() {
    return triggersWithRun(triggers, body)
  },
})

/** A token is a name in a path, which no base64 precedes. */
const inPath = String.raw`(?<=(?:^|[\s"'(=:~])[\w.~-]{0,40}(?:\/[\w.~-]{1,60}){0,8}\/)`

export const word = '[A-Za-z0-9_-]'
export const alphanumeric = '[A-Za-z0-9]'
export const hexDigit = '[0-9a-f]'
/** In names of files and folders, `-` and `_` are beside a token. */
export const end = '(?![A-Za-z0-9])'
export const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

/**
 * A rule for a token that is identified by its end. The pattern tries `ending`; what `start` matches before
 * it belongs to the token.
 */
export function endRule(kind: string, triggers: readonly string[], start: string, ending: string): Rule {
  const pattern = new RegExp(`(?<=${boundary}(?<before>${start}))(${ending})(?![A-Za-z0-9])`, 'y')
  return { kind, triggers, pattern, judge: () => true }
}

/** All texts with one character of each alphabet, or one piece of each list. */
export function combinations(...alphabets: readonly (string | readonly string[])[]): string[] {
  return alphabets.reduce<string[]>(
    (made, alphabet) => made.flatMap((start) => Array.from(alphabet, (character) => start + character)),
    [''],
  )
}

/** A literal at which a pattern begins, with the characters that must surround it. */
export interface Trigger {
  /** At least three characters. */
  literal: string
  /** The character before it. */
  before?: RegExp
  /** The number of characters of a class after it. */
  behind?: { kind: RegExp; count: number }
  /** A run of characters of a class, a digit among them, that ends at most this many characters before it. */
  ahead?: { kind: RegExp; count: number; within: number }
}

export const triggerOf = (trigger: string | Trigger): Trigger =>
  typeof trigger === 'string' ? { literal: trigger } : trigger

const firstRun = /(\[[^\]]+\])\{(\d+)/

/**
 * The triggers of a pattern. Where a run of one character class follows a literal, that run is required too.
 */
export function triggersWithRun(literals: readonly string[], source: string): Trigger[] {
  const run = firstRun.exec(source)
  if (run === null) return literals.map((literal) => ({ literal }))
  const isWhole = wholeMatcher(source.slice(0, run.index))
  const behind = { kind: new RegExp(run[1]!), count: Number(run[2]) }
  return literals.map((literal) => (isWhole(literal) ? { literal, behind } : { literal }))
}

/** Returns whether a part of a pattern is valid by itself and matches a whole text. */
function wholeMatcher(source: string): (text: string) => boolean {
  // Most parts are letters that mean themselves. Creating hundreds of patterns takes milliseconds.
  if (/^[\w-]*$/.test(source)) return (text) => text === source
  try {
    const pattern = new RegExp(`^(?:${source})$`)
    return (text) => pattern.test(text)
  } catch {
    return () => false
  }
}
