import { CJK, isAllCjk, isAscii, TOKEN } from './characters.ts'
import { compose, fold } from './fold.ts'
import { simplify } from './han.ts'
import { once } from './once.ts'
import { runPattern, runsOf } from './runs.ts'

/**
 * UTF-16 units that may have to be changed before indexing: Chinese, Japanese and Korean, NUL, and symbols
 * that are newer than unicode61, which treats them as letters (`🤖done` would be one word).
 */
const special =
  /[\0\u1100-\u11ff\u23f4-\u23ff\u2b4d-\u2bff\u3005-\u30ff\u3105-\u33ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\ud81b-\ud83e\ud840-\ud8ff]/

const cjkRun = once(() => runPattern(CJK))
const symbols = once(() => /[\0\p{S}]/gu)
const tokenRun = once(() => runPattern(TOKEN))
const asciiRun = runPattern('[0-9A-Za-z]')

/** A version with its letter: `2.1.112` finds `v2.1.112`. */
const VERSION = /\bv(?=\d+\.\d)/i
const VERSIONS = /\b(v)(?=\d+\.\d)/gi

const hasVersion = (text: string): boolean => VERSION.test(text)

/**
 * Converts a text for the full-text index. Chinese, Japanese and Korean become overlapping pairs followed by
 * the last character alone, so that any part of the text is a sequence of whole tokens: `登录页` becomes ` 登录 录页
 * 页 `. Traditional characters become simplified ones.
 */
export function indexText(given: string): string {
  const text = hasVersion(given) ? given.replace(VERSIONS, '$1 ') : given
  if (!special.test(text)) return text
  const plain = compose(text).replace(symbols(), ' ')
  const pieces: string[] = []
  let done = 0
  for (const { start, end } of runsOf(plain, cjkRun())) {
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

/** The tokens of a text in the index, in order. */
export function indexedTokens(text: string): string[] {
  const { text: folded } = fold(indexText(text))
  const pattern = isAscii(folded) ? asciiRun : tokenRun()
  return Array.from(runsOf(folded, pattern), ({ start, end }) => folded.slice(start, end))
}

/**
 * The adjacent tokens that find a term. If the term ends in Chinese, Japanese or Korean, the text may
 * continue, so the last character is left out. If that run has only one character, the last token is searched
 * as a prefix; see `endsOpen`.
 */
export function tokensOf(term: string): string[] {
  const found = indexedTokens(term)
  const [before, last] = found.slice(-2)
  if (
    last !== undefined &&
    endsOpen(found) &&
    before!.length > last.length &&
    before!.endsWith(last) &&
    isAllCjk(before!)
  )
    found.pop()
  return found
}

/**
 * Whether the last token is a single Chinese, Japanese or Korean character, which is searched as a prefix.
 */
export function endsOpen(found: readonly string[]): boolean {
  const last = found.at(-1)
  return last !== undefined && last.length <= 2 && [...last].length === 1 && isAllCjk(last)
}

/** The tokens of a text in order, each between spaces, so that a phrase is a part of the text. */
export function tokenStream(text: string): string {
  const tokens = indexedTokens(text)
  return tokens.length === 0 ? '' : ` ${tokens.join(' ')} `
}
