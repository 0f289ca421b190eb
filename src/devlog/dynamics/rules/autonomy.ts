import type { Item } from '../../../model/session.ts'
import { cite } from '../../evidence/citation.ts'
import type { Dynamic } from '../../evidence/evidence.ts'
import type { Turn } from '../../evidence/turns.ts'

/** With this many calls in one turn, the score reaches the threshold. */
const LEAST_CALLS = 12
const MUCH = 40
const MINUTE = 60_000
const WAITING = 10 * MINUTE

/** The agent works through many tool calls without a word from the human. */
export function autonomy(turns: readonly Turn[]): Dynamic[] {
  return turns.flatMap(({ source, items, at }) => {
    const calls = items.filter(({ who, label }) => who === 'tool' && label !== 'output')
    if (calls.length < LEAST_CALLS) return []
    const score = Math.min(1, 0.5 + ((calls.length - LEAST_CALLS) / (MUCH - LEAST_CALLS)) * 0.5)
    const minutes = Math.round(workedMs(calls, at) / MINUTE)
    const detail = `${calls.length} tool calls${minutes > 0 ? ` in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : ''}`
    return [
      {
        ...{ kind: 'autonomy', score, detail },
        citations: [cite(source.session, calls[0]!), cite(source.session, calls.at(-1)!)],
      },
    ]
  })
}

/** The time between calls, without waiting for somebody to allow one. */
function workedMs(calls: readonly Item[], from: number): number {
  let [sum, last] = [0, from]
  for (const { at = last } of calls) {
    if (at - last < WAITING) sum += Math.max(0, at - last)
    last = at
  }
  return sum
}
