/** Commands are parsed up to this length. */
const LONGEST = 200_000
const HEREDOC = /<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.-]+))[^\n]*\n/g

/**
 * Splits a shell command into words as a program would receive them, plus the texts of its here-documents.
 * Removes quotes and escapes, keeps variables and substitutions as written. Runs nothing and accepts any
 * input.
 */
export function shellWords(given: string): string[] {
  const words: string[] = []
  const command = withoutHeredocs(given.slice(0, LONGEST), words)
  let word = ''
  let begun = false
  const end = (): void => {
    if (begun) words.push(word)
    word = ''
    begun = false
  }
  for (let at = 0; at < command.length; at++) {
    const sign = command[at]!
    if (sign === "'" || sign === '"') {
      const { text, end: closing } = quoted(command, at, command[at - 1] === '$' && sign === "'")
      if (command[at - 1] === '$' && word.endsWith('$')) word = word.slice(0, -1)
      word += text
      begun = true
      at = closing
    } else if (sign === '\\') {
      at++
      if (command[at] !== '\n') {
        word += command[at] ?? ''
        begun = true
      }
    } else if (/[\s;|&()<>]/.test(sign)) end()
    else {
      word += sign
      begun = true
    }
  }
  end()
  return words
}

/** The text between quotes. A missing closing quote extends it to the end. */
function quoted(command: string, begin: number, ansi: boolean): { text: string; end: number } {
  const sign = command[begin]!
  const plain = sign === "'" && !ansi
  const pieces: string[] = []
  let at = begin + 1
  for (; at < command.length && command[at] !== sign; at++) {
    const next = command[at + 1]
    if (plain || command[at] !== '\\' || next === undefined) pieces.push(command[at]!)
    else {
      at++
      if (ansi) pieces.push(ESCAPES[next] ?? next)
      else if ('$`"\\'.includes(next)) pieces.push(next)
      else if (next !== '\n') pieces.push(`\\${next}`)
    }
  }
  return { text: pieces.join(''), end: at }
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
