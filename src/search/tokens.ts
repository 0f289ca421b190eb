import { CJK, TOKEN } from './characters.ts'
import { compose, fold } from './fold.ts'
import { simplify } from './han.ts'
import { runPattern, runsOf } from './runs.ts'

/**
 * What may need a change before it is indexed, in units of UTF-16: Chinese, Japanese and Korean, NUL, and the symbols
 * that unicode61 is too old to know and takes for letters (`🤖done` would be one word).
 */
const special =
  /[\0\u1100-\u11ff\u23f4-\u23ff\u2b4d-\u2bff\u3005-\u30ff\u3105-\u33ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\ud81b-\ud83e\ud840-\ud8ff]/

const cjkRun = runPattern(CJK)
const symbols = /[\0\p{S}]/gu
const tokenRun = runPattern(TOKEN)
const oneToken = new RegExp(TOKEN, 'v')
const notCjk = new RegExp(`[^${CJK}]`, 'v')

/**
 * A text as it goes into the full-text index. Chinese, Japanese and Korean become overlapping pairs and the last
 * character alone, so that any part of what was written is a run of whole tokens there: `登录页` is ` 登录 录页 页 `. Traditional
 * characters become simplified ones.
 */
export function indexText(text: string): string {
  if (!special.test(text)) return text
  const plain = compose(text).replace(symbols, ' ')
  const pieces: string[] = []
  let done = 0
  for (const { start, end } of runsOf(plain, cjkRun)) {
    pieces.push(plain.slice(done, start), pairs(simplify(plain.slice(start, end))))
    done = end
  }
  return pieces.length === 0 ? plain : pieces.join('') + plain.slice(done)
}

function pairs(run: string): string {
  let spaced = ' '
  let previous = ''
  for (const character of run) {
    if (previous) spaced += `${previous}${character} `
    previous = character
  }
  return `${spaced}${previous} `
}

/** The tokens that the index holds of a text, in order. */
export function indexedTokens(text: string): string[] {
  const { text: folded } = fold(indexText(text))
  return Array.from(runsOf(folded, tokenRun), ({ start, end }) => folded.slice(start, end))
}

/**
 * The tokens to look for, one right after the other, to find a term. The run of Chinese, Japanese or Korean that ends
 * the term may go on in the text, so its last character alone is left out; where that is all there is of the run, the
 * last token has to be looked for as a prefix, see `endsOpen`.
 */
export function tokensOf(term: string): string[] {
  const found = indexedTokens(term)
  const [before, last] = found.slice(-2)
  if (
    last !== undefined &&
    endsOpen(found) &&
    before!.length > last.length &&
    before!.endsWith(last) &&
    !notCjk.test(before!)
  )
    found.pop()
  return found
}

/** Whether the last of a term's tokens is a single Chinese, Japanese or Korean character: it is found as a prefix. */
export function endsOpen(found: readonly string[]): boolean {
  const last = found.at(-1)
  return last !== undefined && last.length <= 2 && [...last].length === 1 && !notCjk.test(last)
}

/** Whether there is anything in a text that the index could find. */
export const hasTokens = (text: string): boolean => oneToken.test(text)
