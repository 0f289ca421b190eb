import { hiddenPieces, mayHide, mayHideInJson } from '../model/hidden.ts'
import { append } from '../model/iteration.ts'
import type { Finding } from './findings.ts'

/**
 * Finds secrets in a text. At a seam something was removed, so a secret may begin or end there between
 * letters. `visit` is called in ascending order where a rule was tried.
 */
export type Find = (text: string, seams?: readonly number[], visit?: Visit) => Finding[]
export type Visit = (position: number) => void

/**
 * Finds secrets in a text as written and as readers see it: with JSON escapes decoded at any depth, line ends
 * and tabs among them, and without control codes and invisible characters. Positions refer to the text as
 * written. Findings may overlap.
 */
export function inShownText(text: string, find: Find, visit?: Visit): Finding[] {
  let isTried = false
  const findings = find(text, undefined, (position) => {
    isTried = true
    visit?.(position)
  })
  for (const view of viewsOf(text, isTried))
    for (const { kind, start, end } of find(view.text, view.seams))
      findings.push({ kind, start: view.startOf(start), end: view.endOf(end) })
  return findings
}

/** The text with JSON escapes decoded and without invisible characters. */
export const shownValue = (text: string): string => viewsOf(text, true)[0]?.text ?? text

/** `isTried`: whether a rule was tried. Where none is, none is tried for a line end instead of its escape. */
function viewsOf(text: string, isTried: boolean): EditedText[] {
  const isHidden = mayHideInJson(text)
  if (!isHidden && !(isTried && text.includes('\\') && mayHoldSpace.test(text))) return []
  const views = viewsAfter(text, mayHoldCode.test(text) ? edited(text, escapes(text, code)) : undefined)
  if (!isHidden) return views
  // The backslash before a slash may be the end of a control string. Then it is no escape.
  if (endBeforeSlash.test(text)) append(views, viewsAfter(text, edited(text, escapes(text, codeOrEnd))))
  // After a backslash that belongs to the text, these are plain letters. They are decoded in a separate view.
  return mayHoldLetter.test(text)
    ? [...views, ...viewsAfter(text, edited(text, escapes(text, codeOrLetter)))]
    : views
}

function viewsAfter(text: string, decoded: EditedText | undefined): EditedText[] {
  const plain = decoded?.text ?? text
  const stripped = mayHide(plain) ? edited(plain, hiddenEdits(plain, decoded !== undefined)) : undefined
  if (stripped === undefined) return decoded === undefined ? [] : [decoded]
  const shown = composed(decoded, stripped)
  // A control string may itself contain a secret that is only visible after decoding its escapes.
  return decoded !== undefined && controlString.test(plain) ? [shown, decoded] : [shown]
}

const mayHoldSpace = /\\[nrt]/
const mayHoldCode = /\\(?:u[0-9a-fA-F]{4}|[/nrt])/
const mayHoldLetter = /\\[bf]/
/**
 * At any depth of JSON inside JSON. Quotes and backslashes remain escaped, because decoding them would change
 * the structure. The backslash at the end of a control string is no escape.
 */
const unended = String.raw`(?<!(?:\x1b|\\u001[bB])\\+)`
const escapeOf = (letters: string): RegExp =>
  new RegExp(String.raw`(?<!\\)(\\+)(?:u([0-9a-fA-F]{4})|${letters})`, 'g')
const code = escapeOf(`/|${unended}[nrt]`)
const codeOrLetter = escapeOf(`[/bf]|${unended}[nrt]`)
const endBeforeSlash = /(?:\x1b|\\u001[bB])\\+\//
const codeOrEnd = escapeOf(`${unended}[/nrt]`)
const lettered: Record<string, string> = { '/': '/', n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const controlString = /\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]/

function* escapes(text: string, pattern: RegExp): Generator<Edit> {
  for (const { 0: piece, 1: backslashes, 2: code, index } of text.matchAll(pattern)) {
    const by = code === undefined ? lettered[piece.at(-1)!]! : String.fromCharCode(Number.parseInt(code, 16))
    const { length } = backslashes!
    // JSON inside JSON doubles the backslashes. The remaining ones belong to the text before the escape.
    const before = length - (length & -length)
    if (by !== '"' && by !== '\\') yield { start: index + before, end: index + piece.length, by }
  }
}

function* hiddenEdits(text: string, escaped: boolean): Generator<Edit> {
  for (const { start, end, shownAs } of hiddenPieces(text, escaped)) yield { start, end, by: shownAs }
}

/** A range of a text, and the character (or none) that replaces it. */
interface Edit {
  start: number
  end: number
  by: string
}

/** A text after some edits, with a mapping to positions in the original. */
interface EditedText {
  text: string
  /** Positions in the text where something was removed, ascending. */
  seams: readonly number[]
  /** Where the character at this position begins in the original. */
  startOf(position: number): number
  /** Where the character before this position ends in the original. */
  endOf(position: number): number
}

/** Applies edits, which must be in order. Undefined if there are none. */
function edited(text: string, edits: Iterable<Edit>): EditedText | undefined {
  /**
   * For each edit: its end in the edited text, whether it inserted a character, and its range in the
   * original.
   */
  const after: number[] = []
  const puts: boolean[] = []
  const starts: number[] = []
  const ends: number[] = []
  const seams: number[] = []
  let made = ''
  let copied = 0
  for (const { start, end, by } of edits) {
    made += text.slice(copied, start) + by
    copied = end
    after.push(made.length)
    puts.push(by !== '')
    starts.push(start)
    ends.push(end)
    if (by === '' && seams.at(-1) !== made.length) seams.push(made.length)
  }
  if (after.length === 0) return undefined
  made += text.slice(copied)
  /** The number of edits before the character at a position. */
  const before = (position: number): number => {
    let low = 0
    let high = after.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (after[middle]! <= position) low = middle + 1
      else high = middle
    }
    return low
  }
  const put = (edit: number, position: number): boolean => puts[edit] === true && after[edit] === position + 1
  const startOf = (position: number): number => {
    const edit = before(position)
    if (put(edit, position)) return starts[edit]!
    return edit === 0 ? position : ends[edit - 1]! + position - after[edit - 1]!
  }
  return {
    text: made,
    seams,
    startOf,
    endOf(position) {
      const edit = before(position - 1)
      return put(edit, position - 1) ? ends[edit]! : startOf(position - 1) + 1
    },
  }
}

/** Combines two successive edits. Positions lead back to the first text. */
const composed = (first: EditedText | undefined, second: EditedText): EditedText =>
  first === undefined
    ? second
    : {
        ...second,
        startOf: (position) => first.startOf(second.startOf(position)),
        endOf: (position) => first.endOf(second.endOf(position)),
      }
