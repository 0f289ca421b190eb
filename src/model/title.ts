/** A command of a client, without arguments: `/clear`. */
const COMMAND = /^\/[\w:-]+$/
/** What a client says before a person's words, and what programs print, which people paste. */
const PASTED = [
  /^caveat:/i,
  // Logs: a time, an address or a level first.
  /^[[(]?(?:\d{4}-\d\d-\d\d|\d\d[/.]\d\d[/.]\d{2,4}|\d\d:\d\d)[T :.,\d+Z\])]/,
  /^(?:[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d|\d{1,3}(?:\.\d{1,3}){3} |[DEFIVW]\/\w+|#\d+ \d|step \d+\/\d+ :)/i,
  /^[[(<]?(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|critical)\b[\])>]?[: !\d]|^npm (?:err|error|warn)\b/i,
  /^(?:FAIL|FAILED|PASS|PASSED|ok \d|not ok)\b.*[/.:]|^(?:kernel|panic|ld|make|(?:ba|z)?sh|collect2|php \w+ error):/i,
  // Stacks, compilers, diffs, prompts of shells, the heads of tables.
  /^(?:at .+:\d+|traceback |file ".+", line \d|caused by:|exception in |goroutine \d|-->|undefined reference)/i,
  /^(?:[\w.$]*(?:error|exception)(?: ?\(.*|(?: \[.+\])?:)|error\[?[A-Z]{1,3}\d+|\S+\(\d+,\d+\):)/i,
  /^(?:\S+:\d+(?::\d+)?[:\s]|diff --git |index [\da-f]{7,}|@@ |[+-]{3} |[$%❯»➜] |>>> )/u,
  /^(?:[^\s@]+@[^\s@:~]+[:~]\S*[$#]|(?:PS )?[A-Z]:\\\S*>)/,
  /^(?:[A-Z][A-Z()/_-]* ){2,}[A-Z()/_-]+$/,
  // Code and data.
  /^(?:\||[-=*_#]{3,}|[{}[\]<>"'`;,]|[.#]?[\w-]+ ?\{)|[;{}]$/,
  /^(?:(?:export |async |public |private |static )*(?:function \w+ ?\(|(?:const|let|var) .+=|class \w+.*[{:]$)|def \w+\(|return\b.*[([."']|SELECT .+)/,
]
const FENCE = /^(?:```|~~~)/
const QUOTE = /^>/
/** The gap between the columns of a table as programs print it, and how many columns other lines have. */
const GAP = / {3,}/
const MOST_COLUMNS = 3
/** The mark of a heading, or of an item of a list. */
const MARK = /^(?:#{1,6} |[-*•] (?:\[[ x]\] )?|\d{1,2}[.)] )/i
/** Greetings and thanks of several languages. */
const GREETINGS =
  'hi|hey|hello|good (?:morning|evening|afternoon|day)|thanks|thank you|okay|ok|hallo' +
  '|guten (?:morgen|tag|abend)|moin|servus|danke|salut|bonjour|bonsoir|merci|hola' +
  '|buenos días|buenas(?: tardes)?|gracias|ciao|buongiorno|grazie|olá|oi|bom dia' +
  '|obrigad[oa]|cześć|dzień dobry|привет|здравствуйте|спасибо|hej|merhaba|你好|好的?|您好|谢谢' +
  '|こんにちは|こんばんは|おはよう(?:ございます)?|ありがとう(?:ございます)?|안녕하세요|नमस्ते|مرحبا|שלום'
const GREETING = new RegExp(`^(?:${GREETINGS})(?![\\p{L}\\p{N}])`, 'iu')
const WORD = /[\p{L}\p{N}]+(?:[-'’._/][\p{L}\p{N}]+)*/gu
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

/** Fewer words are an answer, unless they are a question. */
const FEW_WORDS = 3
/** Letters of a script without spaces, in place of words. */
const FEW_LETTERS = 4
/** Of a longer prompt, which was pasted, as many lines of its beginning and of its end are read. */
const MOST_LINES = 200
const LONGEST_LINE = 1000

/** Who is greeted: a name before a comma or stop, or one with a capital before the rest of the sentence. */
const GREETED =
  /^,? (?:(?:there|all|everyone|team|again|so much|very much)(?![\p{L}\p{N}])|\p{Script=Latin}+(?=\s*[.!,…])|(?!(?:Can|Could|Would|Will|Please|What|How|Why|Is|Are|Do|Does|Let|We|The|This|That)\b)\p{Lu}\p{Ll}+(?= \p{Ll}))/u
const STOPS = /^\s*[.!,;:…。！、，．；：～~،؛۔।]*\s*/

/**
 * What a session is about, by its prompts: the first line that asks for something, without a greeting and
 * the mark of a list. Leaves out commands of clients, code, and pasted lines of logs. If nothing else is
 * there, it is whatever there is. Undefined if all prompts are empty.
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
      const rest = line.replace(GREETING, '')
      const asked = rest === line ? line : rest.replace(GREETED, '').replace(STOPS, '')
      if (asks(asked)) return asked.replace(MARK, '')
      second ??= line
    }
    last ??= prompt.replace(/\s+/g, ' ').trim()
  }
  return second ?? (last === '' ? undefined : last)
}

/** The same, if the first prompt does not say it. It stays as it is once a prompt asks for something. */
export function askedLater(prompts: readonly string[]): string | undefined {
  const title = titleFrom(prompts)
  return title === titleFrom(prompts.slice(0, 1)) ? undefined : title
}

/** The lines of a prompt that a person wrote. */
function* spokenLines(prompt: string): Generator<string> {
  let isCode = false
  const lines = prompt.split('\n')
  if (lines.length > 2 * MOST_LINES) lines.splice(MOST_LINES, lines.length - 2 * MOST_LINES)
  for (const whole of lines) {
    const raw = whole.slice(0, LONGEST_LINE)
    const line = raw.replace(/\s+/g, ' ').trim()
    if (FENCE.test(line)) {
      isCode = !isCode
      continue
    }
    if (isCode || line === '' || QUOTE.test(line) || COMMAND.test(line)) continue
    // Code that is not fenced, and the tables of programs.
    if (lines.length > 1 && (/^\s/.test(raw) || raw.split(GAP).length > MOST_COLUMNS)) continue
    if (!PASTED.some((pattern) => pattern.test(line)) && /\p{L}/u.test(line)) yield line
  }
}

const asks = (line: string): boolean =>
  (UNSPACED.test(line) ? [...line].length >= FEW_LETTERS : (line.match(WORD)?.length ?? 0) >= FEW_WORDS) ||
  (/[?？]$/.test(line) && /\p{L}/u.test(line))
