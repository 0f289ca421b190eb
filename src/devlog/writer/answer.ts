import { printable } from '../../render/printable.ts'

const FENCED = /^\s*(```+|~~~+)(?:markdown|md)?[ \t]*\n([\s\S]*?)\n\1\s*$/i
const LONGEST_PREFACE = 400

/** The Markdown in an answer: without a fence around it, control codes, or a preface before the title. */
export function answerText(answer: string): string {
  const clean = printable(answer.replace(/\r\n?/g, '\n').replace(/\x1b\[[\d;?]*[a-z]/gi, '')).trim()
  const inner = FENCED.exec(clean)?.[2] ?? clean
  const title = inner.search(/^# /m)
  return (title > 0 && title <= LONGEST_PREFACE ? inner.slice(title) : inner).trim()
}
