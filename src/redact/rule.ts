import { isPlausible } from './judge.ts'
import { type Trigger, triggerWithRun } from './trigger.ts'

/** One shape of secret. */
export interface Rule {
  /** What the finding is called, as in `[REDACTED:kind]`. */
  readonly kind: string
  /** The pattern is tried only where one of them stands. */
  readonly triggers: readonly (string | Trigger)[]
  /** True when the triggers also count in capitals. */
  readonly anyCase?: boolean
  /**
   * Sticky, and begins at the trigger. The last group is the secret and ends the match; without groups all of the match is it.
   * What a look-behind holds in a group `before` belongs to the secret too.
   * Whatever can fail after a repetition has that repetition bounded, so that every try takes bounded time.
   */
  readonly pattern: RegExp
  /** Has the last word on a match. */
  readonly judge: (secret: string, match: RegExpExecArray) => boolean
  /** Where a match only tells in which places secrets stand: those, in the text that was matched. */
  readonly places?: (match: RegExpExecArray) => { start: number; end: number }[]
}

/**
 * A token does not begin inside a word (`task-…` is no `sk-…`). In raw JSON lines the character before it may
 * belong to an escape such as `\n`, in terminal output to a colour code, in addresses to a percent escape.
 */
const boundary = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=\[[0-9;]{0,9}m)|(?<=%[0-9A-Fa-f]{2}))`

/**
 * A rule for a token with a prefix of its own. `body` is the source of the pattern after the boundary.
 * The token is taken to the end of its letters: nothing glued to it may remain and then begin at a new boundary.
 */
export function tokenRule(
  kind: string,
  triggers: readonly string[],
  body: string,
  judge: (secret: string) => boolean = isPlausible,
): Rule {
  const pattern = new RegExp(`${boundary}${body}[A-Za-z0-9_-]*`, 'y')
  return { kind, triggers: triggers.map((each) => triggerWithRun(each, body)), pattern, judge }
}

/**
 * The same for prefixes so short that they also open pieces of base64: nothing that goes on in base64 may stand on either
 * side, and `body` has its repetitions bounded.
 */
export function loneTokenRule(
  kind: string,
  triggers: readonly string[],
  body: string,
  judge: (secret: string) => boolean,
): Rule {
  const pattern = new RegExp(`${boundary}(?<![+/_-])${body}(?![A-Za-z0-9+/_=-])`, 'y')
  return { kind, triggers: triggers.map((each) => triggerWithRun(each, body)), pattern, judge }
}

export const word = '[A-Za-z0-9_-]'
export const alphanumeric = '[A-Za-z0-9]'
export const end = '(?![A-Za-z0-9_-])'
export const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

/** A rule for a token that is known by its end: `ending` is tried, and what `start` matches before it belongs to it. */
export function endRule(kind: string, triggers: readonly string[], start: string, ending: string): Rule {
  const pattern = new RegExp(`(?<=${boundary}(?<before>${start}))(${ending})(?![A-Za-z0-9_-])`, 'y')
  return { kind, triggers, pattern, judge: () => true }
}

/** Every text that takes one character from each of the given alphabets, or one piece from each of the given lists. */
export function combinations(...alphabets: readonly (string | readonly string[])[]): string[] {
  return alphabets.reduce<string[]>(
    (made, alphabet) => made.flatMap((start) => Array.from(alphabet, (character) => start + character)),
    [''],
  )
}
