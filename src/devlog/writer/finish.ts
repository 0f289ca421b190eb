import type { Draft } from '../draft/document.ts'
import { createFootnotes, type Footnotes } from '../draft/footnotes.ts'
import { bodyMarkdown, footnoteLines } from '../draft/markdown.ts'

const DEFINITION = /^\[\^[^\]]+\]:.*(?:\n(?!\n|\[\^).*)*\n?/gm

/**
 * The text with title, coverage and our own footnotes. What the writer left out of the first two is added;
 * footnotes that it wrote are replaced.
 */
export function finishStory(text: string, { title, blocks }: Draft, notes: Footnotes): string {
  const [opening] = blocks
  const [heading = '', , facts = ''] = bodyMarkdown(
    { title, blocks: opening ? [opening] : [] },
    createFootnotes(),
  ).split('\n')
  const body = text.replace(DEFINITION, '').trim()
  const titled = /^# /.test(body) ? body : `${heading}\n\n${body}`
  const whole = titled.includes(facts) ? titled : titled.replace(/^.*$/m, (first) => `${first}\n\n${facts}`)
  const sources = footnoteLines(notes, whole)
  return `${whole}\n${sources.length > 0 ? `\n${sources.join('\n')}\n` : ''}`
}
