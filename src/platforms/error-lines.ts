import { asObject, asText, parsedJson } from '../model/json.ts'
import { suspiciousLine } from './error-words.ts'

/** Where the words come from, and nothing more. */
const LABEL = /^(?:\[(?:stderr|stdout|output|error)\]|(?:stderr|stdout|output|error)[:：])$/i
/** How a command ended, and nothing more. */
const EXITED =
  /^(?=.*exit)[([<]?(?:(?:command|process|script|shell|program) )?(?:(?:failed|exited|ended|finished|terminated) )?(?:with )?(?:exit )?(?:code|status|signal)?:? ?(?:-?\d+|SIG\w+)[.)\]>]*$/i
/** Why the client stopped a command, on the last line. What was printed before does not explain it. */
const STOPPED = /^(?:Command (?:killed by timeout|timed out|aborted)|Interrupted by user|Session closed)/
/** What a client says of an output, echoes of a script, warnings, a debugger, headings, lines of a source. */
const NOISE =
  /^(?:\((?:no output|empty)\)$|[>$] |[=⎯─━_-]{4}|(?:> )?\d+ [|│]|npm warn |Debugger attached|Waiting for the debugger|Total output lines: \d+$|(?:Warning: |\.\.\.)?(?:truncated output|output truncated)|Full output saved to: |Output too large)/
/** What a tool counted, where nothing failed. */
const NONE_FAILED =
  /^(?=.*\b(?:0|no) (?:errors?|failures?|failed|problems?)\b)(?!.*\b[1-9]\d* (?:errors?|fail|problem))/i
/** That a program failed which another one ran. */
const PASSED_ON = /^g?make(?:\[\d+\])?: \*\*\* \[.*\] Error \d+$/
/** The kind of an exception, without what it says. */
const KIND = /^\s*\w*(?:Error|Exception)$/
/** What a line says that explains an error. */
const TELLS =
  /^\s*[✖✗✘✕×❌]|n't\b|\b(?:errors?|exception|fail(?:s|ed|ures?)?|fatal|cannot|not|unable|no such|no matches|denied|refused|rejected|cancell?ed|invalid|unknown|unexpected|missing|timed out|conflict|exceed(?:s|ed)?|but|must|required)\b/i
/** How languages begin the line of an uncaught exception. */
const UNCAUGHT =
  /^\s*(?:(?:Segmentation fault|Bus error|Illegal instruction|Floating point exception)\b|(?:error: )?Uncaught |Unhandled exception|Exception in thread |panic: |(?:PHP )?[Ff]atal error: |thread '.*' (?:\(\d+\) )?panicked at |what\(\): |\*\* \([A-Z][\w.]*\) |\S+\.rb:\d+:in .*\([A-Z][\w:]*\)$)/
/** How pytest begins the lines of what it did not expect, unlike its progress. */
const ASSERTED = /^E {3,}(?!\[ *\d+%\]$)(?=\S)/
/** An exception, below the source that has it. */
const RAISED = /^E {3}\S/
/** What follows is the consequence of an exception. */
const CHAINED =
  /^(?:During handling of the above exception, another|The above exception was the direct cause)/
/** How pytest begins what it says of a test. */
const TEST = /^_{3,} .* _{3,}$/
/** What is below this line, and not indented, is such an exception. */
const TRACE = /^\s*(?:Exception Group )?Traceback \(most recent call last\):$/
/** What the lines about a group of errors begin with. */
const GROUP = /^ *[+|] /
/** Where a source has the error. The source and a pointer into it follow, and then the error. */
const LOCATION = /^(?:\S.*:\d+|\s*File ".*", line \d+)$/
const POINTER = /^\s*\^+$/
const CALLER = /^\s*at /
/** How many lines of a source are shown, at most. */
const SHOWN = 3
/** Without these, a line is a rule of signs. */
const WORDS = /[\p{L}\p{N}]/u
const COLORS = /\x1b\[[\d;]*m/g
/** Of longer texts, only as much of the beginning and of the end is looked at. */
const REACH = 10_000

/**
 * The line of a text that explains an error: the line of an uncaught exception, else the first line that says
 * what failed, else the first line. Labels are skipped. A line that ends in a colon is joined with the next
 * one, and so is a line that only says how a command ended. Undefined if the text has no words, or only lines
 * that match `without`.
 */
export function explainingLine(text: string, without?: RegExp): string | undefined {
  const read = text.length > 2 * REACH ? `${text.slice(0, REACH)}\n${text.slice(-REACH)}` : text
  const all = read
    .replace(COLORS, '')
    .split('\n')
    .map((each) => each.trimEnd())
    // Progress that was overwritten on its line.
    .map((each) => each.slice(each.lastIndexOf('\r') + 1))
    .filter((each) => each !== '' && !without?.test(each.trim()))
  const last = all.at(-1)?.trim() ?? ''
  if (STOPPED.test(last)) return last
  const ended = isEnding(all[0] ?? '') ? all.shift()!.trim() : undefined
  const lines = all.filter((each) => !explainsNothing(each))
  const reason = reasonIn(all.join('\n'))
  const found =
    (reason === undefined ? (asserted(all) ?? uncaught(all)) : explainingLine(reason, without)) ??
    firstOf(lines.slice(tellingFrom(lines))) ??
    all.find(isEnding)?.trim() ??
    firstOf(all)
  return ended === undefined || found === undefined
    ? (found ?? ended)
    : `${ended.replace(/\.$/, '')}: ${found}`
}

/** What an error says that is JSON, by the usual names. Words may stand before it: `API Error: 400 {…}`. */
export function reasonIn(text: string): string | undefined {
  const [, before, json] = /^\s*([^{\n]{0,40})(\{[\s\S]+)$/.exec(text) ?? []
  const { error, message } = asObject(parsedJson(json)) ?? {}
  const reason = asText(error) ?? asText(asObject(error)?.message) ?? asText(message)
  return reason && before + reason
}

const isEnding = (line: string): boolean => EXITED.test(line.trim())
const explainsNothing = (line: string): boolean =>
  NOISE.test(line.trim()) ||
  NONE_FAILED.test(line) ||
  PASSED_ON.test(line.trim()) ||
  isEnding(line) ||
  /^\s+at /.test(line)

/** Where the line is that says what failed. */
function tellingFrom(lines: readonly string[]): number {
  const first = firstOf(lines)
  if (first === undefined || TELLS.test(first)) return 0
  const isSuspicious = (line: string): boolean => suspiciousLine(line) !== undefined
  const tests = [
    (line: string) => isSuspicious(line) && !KIND.test(line),
    TELLS.test.bind(TELLS),
    isSuspicious,
  ]
  for (const test of tests) {
    const at = lines.findIndex((line) => test(line))
    if (at >= 0) return at
  }
  return 0
}

/** The first of these lines, or what it leads to. */
function firstOf(lines: readonly string[]): string | undefined {
  const worded = lines.filter((line) => WORDS.test(line)).map((line) => line.trim())
  const at = worded.findIndex((line) => !LABEL.test(line))
  const [line, next] = worded.slice(at < 0 ? -1 : at)
  if (line === undefined || next === undefined || !/[:：]$/.test(line)) return line
  return `${line}${line.endsWith(':') ? ' ' : ''}${next.replace(/^[-*•]\s+/, '')}`
}

/** What pytest did not expect in the first test that failed. */
function asserted(lines: readonly string[]): string | undefined {
  let found: string | undefined
  for (const line of lines) {
    if (CHAINED.test(line)) found = undefined
    else if (found !== undefined && TEST.test(line)) break
    else if (found === undefined ? ASSERTED.test(line) : found.startsWith('File "') && RAISED.test(line))
      found = line.replace(ASSERTED, '')
  }
  return found
}

/** The last uncaught exception. */
function uncaught(lines: readonly string[]): string | undefined {
  const bare = lines.map((line) => line.replace(GROUP, ''))
  for (let at = lines.length - 1; at >= 0; at--) {
    const from = UNCAUGHT.test(lines[at]!) ? at : (belowTrace(bare, at) ?? behindPointer(lines, at))
    if (from !== undefined) return firstOf(bare.slice(from))
  }
  return undefined
}

function belowTrace(lines: readonly string[], at: number): number | undefined {
  const line = lines[at]!
  if (!TRACE.test(line)) return undefined
  const below = lines.findIndex((each, index) => index > at && indentOf(each) <= indentOf(line))
  return below < 0 ? undefined : below
}

function behindPointer(lines: readonly string[], at: number): number | undefined {
  const next = lines[at + 1]
  if (next === undefined || CALLER.test(next) || !POINTER.test(lines[at]!)) return undefined
  return lines.slice(Math.max(0, at - SHOWN), at).some((each) => LOCATION.test(each)) ? at + 1 : undefined
}

const indentOf = (line: string): number => line.length - line.trimStart().length
