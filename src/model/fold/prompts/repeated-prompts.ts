import type { Prompt, Waiting } from './prompt.ts'

/** The lines of a text without surrounding white space and without the `!` of a shell command. */
const linesOf = (text: string): string =>
  text
    .replace(/^! /, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')

const isQueued = ({ event: { payload } }: Prompt): boolean =>
  payload.type === 'message' && payload.queued === true

/**
 * Returns a test for whether a later line repeats a queued prompt: on its own, each line for one prompt only,
 * or among several that were sent together.
 */
export function createRepeats(prompts: readonly Prompt[]): (waited: Waiting) => boolean {
  const whole = new Map<string, Prompt[]>()
  const joined: { line: number; lines: string }[] = []
  for (const prompt of prompts) {
    if (prompt.text === undefined) continue
    const lines = linesOf(prompt.text)
    const same = whole.get(lines)
    if (same) same.push(prompt)
    else whole.set(lines, [prompt])
    if (lines.includes('\n')) joined.push({ line: prompt.event.origin.line, lines: `\n${lines}\n` })
  }
  return ({ event, text }) => {
    if (text === undefined) return false
    const { line } = event.origin
    const wanted = linesOf(text)
    const same = whole.get(wanted) ?? []
    const later = same.filter((each) => each.event.origin.line > line)
    const found = later.find(isQueued) ?? later[0]
    if (found) same.splice(same.indexOf(found), 1)
    return (
      found !== undefined || joined.some((each) => each.line > line && each.lines.includes(`\n${wanted}\n`))
    )
  }
}
