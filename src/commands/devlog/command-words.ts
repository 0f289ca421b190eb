import { ScrollbackError } from '../../errors.ts'

const TOKEN = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\])/gsy
/** What only a shell understands. */
const SHELL = /[|&;<>()`$*?]/

/**
 * Splits a command line into words like a POSIX shell, but expands nothing: quotes and backslashes group
 * words, and everything that only a shell understands is refused.
 *
 * @throws ScrollbackError for an unclosed quote, or a character such as `|` outside of quotes.
 */
export function commandWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < line.length) {
    const found = TOKEN.exec(line)
    if (!found) throw refused('has a quote without an end')
    const [whole, single, double, escaped, plain] = found
    if (plain !== undefined && SHELL.test(plain)) throw refused(`contains ${plain}, which needs a shell`)
    if (/^\s/.test(whole) && plain === undefined && escaped === undefined && !/['"]/.test(whole)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '')
  }
  if (word !== undefined) words.push(word)
  if (words.length === 0 || words[0] === '') throw refused('names no program')
  return words
}

const refused = (why: string): ScrollbackError =>
  new ScrollbackError(
    'bad-option',
    `--writer: the command ${why}`,
    `It runs without a shell. To use one, start it: --writer 'sh -c "ollama run qwen3 | tail -n +2"'`,
  )
