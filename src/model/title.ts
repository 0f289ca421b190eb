/** A command of a client, without arguments: `/clear`. */
const COMMAND = /^\/[\w:-]+$/
/** What a client says before a person's words, and what programs print, which people paste. */
const PASTED = [
  /^caveat:/i,
  // Logs: a time or a level first.
  /^[[(]?(?:\d{4}-\d\d-\d\d|\d\d[/.]\d\d[/.]\d{2,4}|\d\d:\d\d)[T :.,\d+Z\])]/,
  /^[[(<]?(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|critical|npm err!|err!)\b[\])>]?[: !\d]/i,
  // Stacks, compilers, diffs, shells.
  /^(?:at .+:\d+|traceback |file ".+", line \d|caused by:|\w*(?:error|exception)(?: \[.+\])?:)/i,
  /^(?:\S+:\d+(?::\d+)?[:\s]|error\[?[A-Z]{1,3}\d+|diff --git |@@ |[+-]{3} |[$%❯»] |>>> )/,
  /^(?:\||[-=*_#]{3,}|[{}[\]<>"'`;,])/,
]
const FENCE = /^(?:```|~~~)/
const QUOTE = /^>/
/** The end of a sentence, before a space or at the end. In Chinese and Japanese none follows. */
const END = /[.!?…](?=\s)|[。！？]/u
const WORD = /[\p{L}\p{N}]+(?:[-'’._/][\p{L}\p{N}]+)*/gu
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

/** Fewer words are a greeting or an answer, unless they are a question. */
const FEW_WORDS = 3
/** Letters of a script without spaces, in place of words. */
const FEW_LETTERS = 4
/** Of a longer prompt, which was pasted, as many lines of its beginning and of its end are read. */
const MOST_LINES = 200
const LONGEST_LINE = 1000

/**
 * What a session is about, by its prompts: the first line that asks for something, from that sentence on.
 * Leaves out commands of clients, code, and pasted lines of logs. Undefined if all prompts are empty.
 *
 * @example
 * titleFrom(['2026-11-01 10:00:00 ERROR pump stopped\nHi. Why did it stop?']) // => 'Why did it stop?'
 */
export function titleFrom(prompts: readonly (string | undefined)[]): string | undefined {
  let second: string | undefined
  let last: string | undefined
  for (const prompt of prompts) {
    if (prompt === undefined) continue
    for (const line of spokenLines(prompt)) {
      const asked = fromQuestion(line)
      if (asked !== undefined) return asked
      second ??= line
    }
    last ??= prompt.replace(/\s+/g, ' ').trim()
  }
  return second ?? (last === '' ? undefined : last)
}

/** The lines of a prompt that a person wrote. */
function* spokenLines(prompt: string): Generator<string> {
  let isCode = false
  const lines = prompt.split('\n')
  if (lines.length > 2 * MOST_LINES) lines.splice(MOST_LINES, lines.length - 2 * MOST_LINES)
  for (const raw of lines) {
    const line = raw.slice(0, LONGEST_LINE).replace(/\s+/g, ' ').trim()
    if (FENCE.test(line)) {
      isCode = !isCode
      continue
    }
    if (isCode || line === '' || QUOTE.test(line) || COMMAND.test(line)) continue
    if (!PASTED.some((pattern) => pattern.test(line)) && /\p{L}/u.test(line)) yield line
  }
}

/** A line from its first sentence on that asks: what follows `Hi.` Undefined if none does. */
function fromQuestion(line: string): string | undefined {
  for (let rest = line; rest !== ''; ) {
    const end = END.exec(rest)
    const length = end ? end.index + end[0].length : rest.length
    if (asks(rest.slice(0, length))) return rest
    rest = rest.slice(length).trim()
  }
  return undefined
}

const asks = (sentence: string): boolean =>
  (UNSPACED.test(sentence)
    ? [...sentence].length >= FEW_LETTERS
    : (sentence.match(WORD)?.length ?? 0) >= FEW_WORDS) ||
  (/[?？]$/.test(sentence) && /\p{L}/u.test(sentence))
