import { ScrollbackError } from '../../errors.ts'
import { createGate } from '../../render/gate.ts'
import type { Context, Piped } from '../kit/context.ts'

const MOST_BYTES = 4 * 1024 * 1024
const SECOND = 1000
const SHOWN_LINES = 8

/**
 * A function that gives a prompt to the user's command and returns its answer. The prompt is redacted,
 * whatever the global flags say, because it may leave this machine.
 */
export function createWriter(
  line: string,
  seconds: number,
  { pipe }: Context,
): (pack: string) => Promise<string> {
  const words = commandWords(line)
  if (!pipe)
    throw new ScrollbackError(
      'bad-option',
      '--writer: cannot start a program here',
      'Use the command line: scrollback devlog --writer …',
    )
  const { output: redacted } = createGate({ redact: true, colors: false })
  return async (pack) => {
    const answer = await pipe(words, redacted(pack), { milliseconds: seconds * SECOND, bytes: MOST_BYTES })
    const failure = failureOf(answer, seconds)
    if (failure === undefined) return answer.output
    const [name] = words
    const lines = answer.errors.trimEnd().split('\n').slice(-SHOWN_LINES).filter(Boolean)
    throw new ScrollbackError(
      'writer-failed',
      [`--writer: ${name} ${failure}`, ...lines.map((each) => `  ${each}`)].join('\n'),
      'Nothing was written. Try the command in your terminal, or leave out --writer to get the draft.',
    )
  }
}

function failureOf({ ended, code, output }: Piped, seconds: number): string | undefined {
  if (ended === 'missing') return 'is not installed, or not on your PATH.'
  if (ended === 'slow') return `was stopped after ${seconds} seconds (--writer-timeout).`
  if (ended === 'long') return `was stopped because it printed more than ${MOST_BYTES / 1024 / 1024} MB.`
  if (code !== 0) return code === null ? 'was ended by a signal.' : `failed with exit code ${code}.`
  return output.trim() === '' ? 'printed nothing.' : undefined
}

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
