import type { SourceSession } from '../source.ts'
import { cite, citedText } from './citation.ts'
import type { ErrorEvidence } from './evidence.ts'

/** A pasted output has several lines. */
const LEAST_LINES = 4
const FAILURE =
  /^\s*(?:[\d.]+\s+)?(?:.*\b(?:npm error|fatal:|Traceback|panicked at|error(?:\[\w+\]| TS\d+)?:)|Error:|ERROR\b|FAILED?\b)/i

/** Outputs with an error that the human pasted into a message. The same error again came back. */
export function reportedErrors({ session, main, items }: SourceSession): ErrorEvidence[] {
  if (!main) return []
  const found = new Map<string, ErrorEvidence>()
  for (const item of items) {
    if (item.who !== 'human' || item.offBranch || !item.text) continue
    const lines = item.text.split('\n')
    const line = lines.length < LEAST_LINES ? undefined : lines.find((each) => FAILURE.test(each))
    if (line === undefined) continue
    const words = line.replace(/\s+/g, ' ').trim()
    const key = words.replace(/\d+/g, 'n').toLowerCase()
    const before = found.get(key)
    if (before) Object.assign(before, { times: before.times + 1, ending: 'still-failing' })
    else
      found.set(key, {
        tool: null,
        error: cite(session, item, citedText(item).includes(words) ? words : undefined),
        ...{ times: 1, ending: 'not-repeated', fixedBy: null },
      })
  }
  return [...found.values()]
}
