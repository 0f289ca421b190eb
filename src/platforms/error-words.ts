/** Longer lines are cut around the word. */
const LINE_LIMIT = 300
const WORD = /[Ee]rrors?|ERRORS?|[Ff]ailed|FAILED/g
/** A text without any of these has no such word. */
export const ERROR_WORDS = ['rror', 'RROR', 'ailed', 'AILED'] as const
const LETTER = /[A-Za-z]/
/** Names like `TypeError` are followed back by at most this many letters. */
const LONGEST_NAME = 200
const JOINED_BEFORE = /[\w./\\#-]/
const JOINED_BEHIND = /^(?:[\w/\\]|[.-]\w)/

const DENIED_BEFORE =
  /(?:^|\W)(?:0|no|zero|none|without(?: any)?|not an?|never|any|if|on|new|extends|instanceof|class|throw|catch \(?)\s+(?:[\w-]+\s+)?$/i
const DENIED_AFTER = [
  // errors: 0, "error": null, failed=false
  /^["'`]?\s*[:=]\s*(?:0\b(?!\.)|null\b|false\b|none\b|no(?=[,.;]|$)|undefined\b|nil\b|""|''|\[\s*\]|\{\s*\})/,
  // error handling, error boundaries
  /^[ -](?:handl\w*|boundar\w*|recovery|checking|reporting|tracking|logging|correction|budgets?|rates?|pages?|cases?|paths?|types?|class(?:es)?|codes)\b/,
  // code: Error(…), catch (error), (error) =>, error?: string
  /^(?:\(|\)|\?:|\s*=>|,|\s+as\b|\s*\|\||\s*&&|>|\[(?!E\d+\]))/,
]

/**
 * Where the word of a match begins, as in `TypeError`. Undefined if the match is part of a name or a path.
 */
function wordStart(text: string, at: number, end: number): number | undefined {
  let start = at
  if (text.startsWith('Er', at))
    while (start > 0 && at - start < LONGEST_NAME && LETTER.test(text[start - 1]!)) start--
  const joined =
    (start > 0 && JOINED_BEFORE.test(text[start - 1]!)) || JOINED_BEHIND.test(text.slice(end, end + 2))
  return joined ? undefined : start
}

/** The first line in which a word says that something failed, and which is not source code. */
export function suspiciousLine(text: string): string | undefined {
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match; match = WORD.exec(text)) {
    const at = wordStart(text, match.index, WORD.lastIndex)
    if (at === undefined) continue
    const start = lineStart(text, at)
    const end = lineEnd(text, at)
    const before = text.slice(Math.max(start, at - 60), at)
    const after = text.slice(WORD.lastIndex, Math.min(end, WORD.lastIndex + 60))
    if (
      !DENIED_BEFORE.test(before) &&
      !DENIED_AFTER.some((each) => each.test(after)) &&
      !isCode(text, start, end)
    )
      return window(text, start, end, at)
  }
  return undefined
}

/** Source code, tables and passed tests mention errors without being one. Line numbers may precede them. */
const CODE =
  /^(?:[\w./@-]+:\d+:|\s*\d+[:|\u2502\u2192\t-])?[\s\u2502]*(?:\/\/|\/?\*|<!--|\|(?! )|\| |\u2713|\u221a|ok \d|PASS\b|const |let |var |return\b|import |export |throw |raise |if ?\(|if err|\}? ?catch|\}? ?else|function |async |await |class |interface |type \w+ =|public |private |static |def |except |this\.|self\.|console\.|logger\.|log\.|it\(|test\(|expect\(|@)/
const CODE_END = /(?:[{;]|=>|\),|\},?)$/

function isCode(text: string, start: number, end: number): boolean {
  const line = text.slice(start, Math.min(end, start + 1000)).trimEnd()
  return CODE.test(line) || (CODE_END.test(line) && !/^\W*(?:\w*Error|error|ERROR|fatal|\{)/.test(line))
}

/** Some outputs are one line of megabytes. Line ends are searched only within this distance. */
const LINE_REACH = 1000

function lineStart(text: string, at: number): number {
  const from = Math.max(0, at - LINE_REACH)
  return from + text.slice(from, at).lastIndexOf('\n') + 1
}

function lineEnd(text: string, at: number): number {
  const near = text.slice(at, at + LINE_REACH).indexOf('\n')
  return near < 0 ? Math.min(text.length, at + LINE_REACH) : at + near
}

/** The line, or the part of a very long line around the word. */
function window(text: string, start: number, end: number, at: number): string {
  if (end - start <= LINE_LIMIT) return text.slice(start, end).trim()
  const from = Math.max(start, at - 80)
  return `${from > start ? '…' : ''}${text.slice(from, Math.min(end, from + LINE_LIMIT)).trim()}${from + LINE_LIMIT < end ? '…' : ''}`
}
