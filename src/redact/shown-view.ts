import { hiddenPieces, mayHide, mayHideInJson } from '../model/hidden.ts'
import { composed, type Edit, type EditedText, edited } from './edited-text.ts'
import type { Finding } from './findings.ts'

/** Finds in a text. At a seam something was taken out, so that a secret may begin or end there in the midst of letters. */
export type Find = (text: string, seams?: readonly number[]) => Finding[]

/**
 * Finds in a text as it is, and as its readers will see it: with the escapes of JSON undone at any depth, and without control codes and
 * invisible characters. Places are those of the text as it is; findings may overlap.
 */
export function inShownText(text: string, find: Find): Finding[] {
  const findings = find(text)
  for (const view of viewsOf(text))
    for (const { kind, start, end } of find(view.text, view.seams))
      findings.push({ kind, start: view.startOf(start), end: view.endOf(end) })
  return findings
}

/** The text without the escapes of JSON that stand for characters, and without what nobody sees. */
export const shownValue = (text: string): string => viewsOf(text)[0]?.text ?? text

function viewsOf(text: string): EditedText[] {
  if (!mayHideInJson(text)) return []
  const views = viewsAfter(text, mayHoldCode.test(text) ? edited(text, escapes(text, code)) : undefined)
  // Behind a backslash of the text itself these letters are letters, so they are undone in a view of their own.
  return mayHoldLetter.test(text)
    ? [...views, ...viewsAfter(text, edited(text, escapes(text, codeOrLetter)))]
    : views
}

function viewsAfter(text: string, decoded: EditedText | undefined): EditedText[] {
  const plain = decoded?.text ?? text
  const stripped = mayHide(plain) ? edited(plain, hiddenEdits(plain, decoded !== undefined)) : undefined
  if (stripped === undefined) return decoded === undefined ? [] : [decoded]
  const shown = composed(decoded, stripped)
  // A control string may itself hold a secret that is only legible with its escapes undone.
  return decoded !== undefined && controlString.test(plain) ? [shown, decoded] : [shown]
}

const mayHoldCode = /\\(?:u[0-9a-fA-F]{4}|\/)/
const mayHoldLetter = /\\[bf]/
/** At any depth of JSON inside JSON. Quotes and backslashes stay escaped: undone, they would tell another structure. */
const code = /(\\+)(?:u([0-9a-fA-F]{4})|(\/))/g
const codeOrLetter = /(\\+)(?:u([0-9a-fA-F]{4})|([/bf]))/g
const lettered: Record<string, string> = { '/': '/', b: '\b', f: '\f' }
const controlString = /\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]/

function* escapes(text: string, pattern: RegExp): Generator<Edit> {
  for (const { 0: piece, 1: backslashes, 2: code, 3: letter, index } of text.matchAll(pattern)) {
    const by = code === undefined ? lettered[letter!]! : String.fromCharCode(Number.parseInt(code, 16))
    const { length } = backslashes!
    // As often as JSON holds JSON they are doubled; what is left are backslashes of the text before it.
    const before = length - (length & -length)
    if (by !== '"' && by !== '\\') yield { start: index + before, end: index + piece.length, by }
  }
}

function* hiddenEdits(text: string, escaped: boolean): Generator<Edit> {
  for (const { start, end, shownAs } of hiddenPieces(text, escaped)) yield { start, end, by: shownAs }
}
