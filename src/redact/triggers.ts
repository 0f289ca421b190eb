import {
  AHEAD,
  BEGINNING,
  type BeginningGroups,
  type Beginnings,
  createBeginnings,
  groupBeginnings,
  joinGroups,
  lowBytesOf,
  PIECE,
} from './byte-search.ts'
import { type Rule, type Trigger, triggerOf } from './rule.ts'

/** Finds the positions where a rule is worth trying, in one pass over a text. */
export interface TriggerIndex {
  /** Calls `visit` in ascending order of position. A position is a candidate, not yet a match. */
  scan(text: string, visit: (rule: number, position: number) => void): void
}

/** Prepares the index. Rules are identified by their index in the list that the table was made from. */
export function indexTriggers(table: TriggerTable): TriggerIndex {
  const { kinds } = table
  const { literals } = table
  const create = (groups: BeginningGroups): Beginnings => createBeginnings(groups, literals)
  const usual = create(table)
  const lasts = lastBytesOf(literals)
  let all: Beginnings | undefined
  return {
    scan(text, visit) {
      let beginnings = usual
      if (mayHoldShort.test(text))
        beginnings = all ??= create(joinGroups(table, groupsOf(table.literals, true)))
      const codeAt = (at: number): number => text.charCodeAt(at)
      for (let from = 0; from < text.length; from += PIECE - BEGINNING + 1) {
        // With the characters after it that say whether a literal may begin at its end.
        const piece = text.length <= PIECE ? text : text.slice(from, from + PIECE + AHEAD)
        const bytes = lowBytesOf(piece)
        const count = beginnings.search(bytes, 0, Math.min(piece.length, PIECE))
        for (let found = 0; found < count; found++) {
          const distance = beginnings.distanceOf(found)
          const position = from + distance
          const numbers = beginnings.literalsAt(found)
          for (let at = 0; at < numbers.length; at++) {
            const number = numbers[at]!
            if (!lasts.mayEndIn(number, bytes, distance, piece.length)) continue
            const literal = literals[number]!
            if (isLiteralAt(codeAt, position, text.length, literal, kinds))
              for (const rule of literal.rules) visit(rule, position)
          }
        }
      }
    },
  }
}

interface LastBytes {
  /** Whether a literal that begins at a position of a piece may end where it has to. */
  mayEndIn(literal: number, bytes: Uint8Array, position: number, end: number): boolean
}

/** The last byte of literals: most that begin alike end differently. */
export function lastBytesOf(literals: readonly Literal[]): LastBytes {
  const distances = Uint8Array.from(literals, ({ small }) => small.length - 1)
  const smalls = Uint8Array.from(literals, ({ small }) => small.at(-1)! & 0xff)
  const capitals = Uint8Array.from(literals, ({ capital }) => capital.at(-1)! & 0xff)
  return {
    mayEndIn(literal, bytes, position, end) {
      const at = position + distances[literal]!
      if (at >= end) return true
      const byte = bytes[at]!
      return byte === smalls[literal]! || byte === capitals[literal]!
    },
  }
}

/** The triggers of some rules, as plain data. */
export interface TriggerTable extends BeginningGroups {
  literals: Literal[]
  kinds: Kind[]
}

/** Literals of two Chinese characters. Their low bytes are common, and they are rare. */
const isShort = ({ small }: Literal): boolean =>
  small.length < BEGINNING && small.every((code) => code >= CHINESE)
const CHINESE = 0x2e80
const mayHoldShort = /[\u2e80-\uffff]/

/** The triggers of rules, as the codes or the bytes that `encode` returns. */
export function tableOf(rules: readonly Triggered[], encode: (text: string) => number[]): TriggerTable {
  const { literals, kinds } = literalsOf(rules, encode)
  return { literals, kinds, ...groupsOf(literals, false) }
}

/** The beginnings of short literals, or of all others. */
const groupsOf = (literals: readonly Literal[], areShort: boolean): BeginningGroups =>
  groupBeginnings(literals.map((each) => (isShort(each) === areShort ? beginningsOf(each) : [])))

/** The triggers of rules as codes of a text. */
export const textTable = (rules: readonly Triggered[]): TriggerTable =>
  tableOf(rules, (text) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)))

/** A trigger as codes of a text or its bytes. All have the same fields in one order, which is read faster. */
interface Literal {
  small: readonly number[]
  /** In capitals. The same list if it only matches as it is. */
  capital: readonly number[]
  /** The class of the character before it, as an index of the table's classes. */
  before: number | undefined
  /** The class of the characters after it, and how many they are. */
  behind: number | undefined
  count: number
  /** The class of the characters of a run before it, how many they are, and where it ends at the latest. */
  ahead: { kind: number; count: number; within: number } | undefined
  /** The indexes of the rules that begin with it. */
  rules: number[]
}

/** For each code below 128, 1 if it belongs to the class, else 0. Other codes are not covered. */
type Kind = readonly number[]

/** The triggers of a rule. */
export type Triggered = Pick<Rule, 'triggers' | 'anyCase'>

const ASCII = 128
const BACKSLASH = 0x5c
const ZERO = 0x30
const NINE = 0x39
/** Characters that JSON escapes. */
const ESCAPED = [0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x22, BACKSLASH]

/** The distinct triggers of some rules, and the classes of characters around them. */
function literalsOf(rules: readonly Triggered[], encode: (text: string) => number[]) {
  const literals = new Map<string, Literal>()
  const kinds = new Map<string, Kind>()
  /** Literals share a few classes. */
  function kindOf(characters: RegExp | undefined): number | undefined {
    if (characters === undefined) return undefined
    const key = String(characters)
    if (!kinds.has(key)) kinds.set(key, charactersOf(characters))
    return [...kinds.keys()].indexOf(key)
  }
  function literalOf({ literal, before, behind, ahead }: Trigger, anyCase: boolean): Literal {
    const small = encode(anyCase ? literal.toLowerCase() : literal)
    const capital = anyCase ? encode(literal.toUpperCase()) : small
    return {
      small,
      capital: capital.some((code, at) => code !== small[at]) ? capital : small,
      before: kindOf(before),
      behind: kindOf(behind?.kind),
      count: behind?.count ?? 0,
      ahead: ahead && { ...ahead, kind: kindOf(ahead.kind)! },
      rules: [],
    }
  }
  for (const [rule, { triggers, anyCase = false }] of rules.entries())
    for (const trigger of triggers.map(triggerOf)) {
      const key = keyOf(trigger, anyCase)
      const known = literals.get(key) ?? literalOf(trigger, anyCase)
      literals.set(key, known)
      if (!known.rules.includes(rule)) known.rules.push(rule)
    }
  return { literals: [...literals.values()], kinds: [...kinds.values()] }
}

/**
 * Whether the literal is at a position, with the required characters around it. `escaped`: a backslash after
 * it may begin the escape of any character.
 */
export function isLiteralAt(
  codeAt: (at: number) => number,
  position: number,
  end: number,
  { small, capital, before, behind, count, ahead }: Literal,
  kinds: readonly Kind[],
  escaped = false,
): boolean {
  const next = position + small.length
  if (next + count > end) return false
  // From its end, because its beginning is usually known to be there.
  for (let at = small.length - 1; at >= 0; at--) {
    const code = codeAt(position + at)
    if (code !== small[at] && code !== capital[at]) return false
  }
  if (before !== undefined && !isOf(kinds[before]!, codeAt(position - 1))) return false
  if (ahead !== undefined && !isRunAhead(codeAt, position, kinds[ahead.kind]!, ahead)) return false
  if (behind !== undefined) {
    const kind = kinds[behind]!
    for (let at = next; at < next + count; at++) {
      const code = codeAt(at)
      if (escaped && code === BACKSLASH && ESCAPED.some((each) => kind[each] === 1)) return true
      if (!isOf(kind, code)) return false
    }
  }
  return true
}

/** The part of a run that is read. */
const LONGEST_RUN = 256

/** Whether a run of a class with a digit in it ends close before a position. */
function isRunAhead(
  codeAt: (at: number) => number,
  position: number,
  kind: Kind,
  { count, within }: { count: number; within: number },
): boolean {
  let length = 0
  let holdsDigit = false
  let passed = 0
  for (let at = position - 1; at >= 0; at--) {
    const code = codeAt(at)
    if (code < ASCII && kind[code] === 1) {
      length++
      if (code >= ZERO && code <= NINE) holdsDigit = true
      if (length >= count && holdsDigit) return true
      if (length > LONGEST_RUN) return false
    } else {
      passed += length
      length = 0
      holdsDigit = false
    }
    if (length === 0 && !isFurtherPart(code)) passed++
    if (passed > within) return false
  }
  return false
}

/** Whether a code or byte belongs to the character before it. */
const isFurtherPart = (code: number): boolean =>
  (code >= 0x80 && code < 0xc0) || (code >= 0xdc00 && code < 0xe000)

/** The low bytes of the first three codes in either case. Bytes after a shorter literal may be anything. */
function beginningsOf({ small, capital }: Literal): number[] {
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

const keyOf = ({ literal, before, behind, ahead }: Trigger, anyCase: boolean): string =>
  `${literal}\n${anyCase}\n${before}\n${behind?.kind}\n${behind?.count}\n${ahead?.kind}`

const charactersOf = (characters: RegExp): Kind =>
  Array.from({ length: ASCII }, (_, code) => (characters.test(String.fromCharCode(code)) ? 1 : 0))

const isOf = (kind: Kind, code: number): boolean => code >= ASCII || kind[code] === 1
