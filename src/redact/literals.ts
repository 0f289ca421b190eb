import type { Rule } from './rule.ts'
import { type Trigger, triggerOf } from './trigger.ts'

/**
 * A trigger in both cases, as codes of a text or its bytes, and the indexes of the rules that begin with it.
 */
export interface Literal {
  small: readonly number[]
  capital: readonly number[]
  before: Kind | undefined
  behind: Kind | undefined
  count: number
  rules: number[]
}

/** The triggers of a rule. */
export type Triggered = Pick<Rule, 'triggers' | 'anyCase'>

/** For each code below 128, whether it belongs to the class. Other codes are not covered. */
type Kind = Uint8Array

const ASCII = 128

/** The distinct triggers of some rules. */
export function literalsOf(rules: readonly Triggered[], encode: (text: string) => number[]): Literal[] {
  const all = new Map<string, Literal>()
  for (const [rule, { triggers, anyCase = false }] of rules.entries())
    for (const trigger of triggers.map(triggerOf)) {
      const key = keyOf(trigger, anyCase)
      const known = all.get(key) ?? literalOf(trigger, anyCase, encode)
      all.set(key, known)
      if (!known.rules.includes(rule)) known.rules.push(rule)
    }
  return [...all.values()]
}

/** Whether the literal is at a position, with the required characters around it. */
export function isLiteralAt(
  codeAt: (at: number) => number,
  position: number,
  end: number,
  { small, capital, before, behind, count }: Literal,
): boolean {
  const next = position + small.length
  if (next + count > end) return false
  for (let at = 0; at < small.length; at++) {
    const code = codeAt(position + at)
    if (code !== small[at] && code !== capital[at]) return false
  }
  if (before !== undefined && !isOf(before, codeAt(position - 1))) return false
  if (behind !== undefined)
    for (let at = next; at < next + count; at++) if (!isOf(behind, codeAt(at))) return false
  return true
}

/** The low bytes of the first three codes in either case. Bytes after a shorter literal may be anything. */
export function beginningsOf({ small, capital }: Literal): number[] {
  let made = [0]
  for (let at = 0; at < 3; at++) {
    const starts = made
    made = []
    for (const start of starts) {
      if (at >= small.length) for (let byte = 0; byte < 256; byte++) made.push((start << 8) | byte)
      else {
        made.push((start << 8) | (small[at]! & 0xff))
        if (capital[at] !== small[at]) made.push((start << 8) | (capital[at]! & 0xff))
      }
    }
  }
  return made
}

function literalOf(
  { literal, before, behind }: Trigger,
  anyCase: boolean,
  encode: (text: string) => number[],
): Literal {
  return {
    small: encode(anyCase ? literal.toLowerCase() : literal),
    capital: encode(anyCase ? literal.toUpperCase() : literal),
    before: before && kindOf(before),
    behind: behind && kindOf(behind.kind),
    count: behind?.count ?? 0,
    rules: [],
  }
}

const keyOf = ({ literal, before, behind }: Trigger, anyCase: boolean): string =>
  `${literal}\n${anyCase}\n${before}\n${behind?.kind}\n${behind?.count}`

const kinds = new Map<string, Kind>()

/** Cached, because many literals share a few classes. */
function kindOf(characters: RegExp): Kind {
  const known = kinds.get(String(characters))
  if (known) return known
  const kind = Uint8Array.from({ length: ASCII }, (_, code) =>
    characters.test(String.fromCharCode(code)) ? 1 : 0,
  )
  kinds.set(String(characters), kind)
  return kind
}

const isOf = (kind: Kind, code: number): boolean => code >= ASCII || kind[code] === 1
