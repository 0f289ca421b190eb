/** Commands are parsed up to this length. */
const LONGEST = 200_000
const HEREDOC = /<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.-]+))[^\n]*\n/g

/**
 * Splits a shell command into words as a program would receive them, plus the texts of its here-documents.
 * Removes quotes and escapes, keeps variables and substitutions as written. Runs nothing and accepts any
 * input.
 */
export function shellWords(given: string): string[] {
  const texts: string[] = []
  const command = withoutHeredocs(given.slice(0, LONGEST), texts)
  return [...texts, ...shellTokens(command).flatMap(({ word }) => word ?? [])]
}

/** A word of a command as a program receives it, or a sign between words. */
export interface ShellToken {
  word?: string
  sign?: string
  /** As it is written. */
  source: string
  /** A shell may make something else of the word, or asks for the end of a quote. */
  varies?: true
}

/** What a shell replaces outside of quotes, or leaves out. */
const VARYING = /[$`*?[{~!#]/
/** What it replaces between double quotes, unless there is a backslash before it. */
const SUBSTITUTED = /[$`]/

/** The words and signs of a command. Here-documents are not read. */
export function shellTokens(command: string): ShellToken[] {
  const tokens: ShellToken[] = []
  let word: string | undefined
  let begin = 0
  let varies = false
  const end = (at: number): void => {
    if (word !== undefined)
      tokens.push({ word, source: command.slice(begin, at), ...(varies && { varies: true }) })
    word = undefined
    varies = false
  }
  for (let at = 0; at < command.length; at++) {
    const sign = command[at]!
    if (/[\s;|&()<>]/.test(sign)) {
      end(at)
      if (!/[^\S\n]/.test(sign)) tokens.push({ sign, source: sign })
      continue
    }
    if (word === undefined) begin = at
    if (sign === "'" || sign === '"') {
      const { text, end: closing, isPlain } = quoted(command, at, command[at - 1] === '$' && sign === "'")
      if (command[at - 1] === '$' && word?.endsWith('$')) word = word.slice(0, -1)
      word = (word ?? '') + text
      varies ||= !isPlain
      at = closing
    } else if (sign === '\\') {
      at++
      if (command[at] !== '\n') word = (word ?? '') + (command[at] ?? '')
    } else {
      word = (word ?? '') + sign
      varies ||= VARYING.test(sign)
    }
  }
  end(command.length)
  return tokens
}

interface Quoted {
  text: string
  /** Where the closing quote is. */
  end: number
  /** It is closed, and nothing in it is replaced. */
  isPlain: boolean
}

/** The text between quotes. A missing closing quote extends it to the end. */
function quoted(command: string, begin: number, ansi: boolean): Quoted {
  const sign = command[begin]!
  const plain = sign === "'" && !ansi
  const pieces: string[] = []
  let isPlain = true
  let at = begin + 1
  for (; at < command.length && command[at] !== sign; at++) {
    const next = command[at + 1]
    if (plain || command[at] !== '\\' || next === undefined) {
      pieces.push(command[at]!)
      isPlain &&= plain || !SUBSTITUTED.test(command[at]!)
    } else {
      at++
      if (ansi) pieces.push(ESCAPES[next] ?? next)
      else if ('$`"\\'.includes(next)) pieces.push(next)
      else if (next !== '\n') pieces.push(`\\${next}`)
    }
  }
  return { text: pieces.join(''), end: at, isPlain: isPlain && at < command.length }
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r' }

function withoutHeredocs(command: string, texts: string[]): string {
  if (!command.includes('<<')) return command
  let rest = ''
  let from = 0
  HEREDOC.lastIndex = 0
  for (let match = HEREDOC.exec(command); match; match = HEREDOC.exec(command)) {
    const mark = match[1] ?? match[2] ?? match[3]!
    const begin = match.index + match[0].length
    const { text, end } = bodyOf(command, begin, mark)
    texts.push(text)
    rest += command.slice(from, begin)
    from = end
    HEREDOC.lastIndex = end
  }
  // The rest of the line may close a quote around the here-document.
  return rest + command.slice(from)
}

function bodyOf(command: string, begin: number, mark: string): { text: string; end: number } {
  for (let line = begin; line < command.length; ) {
    const newline = command.indexOf('\n', line)
    const end = newline < 0 ? command.length : newline
    if (command.slice(line, end).trim() === mark) return { text: command.slice(begin, line), end }
    if (newline < 0) break
    line = newline + 1
  }
  return { text: command.slice(begin), end: command.length }
}
