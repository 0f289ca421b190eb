import { type Call, failed, isEdit } from '../../evidence/calls.ts'
import { cite } from '../../evidence/citation.ts'
import type { Citation, Dynamic } from '../../evidence/evidence.ts'

const LEAST_ROUNDS = 3
const FIRST_ROUNDS = 0.5
const ROUND = 0.1
const MOST_CITATIONS = 6

/** One file is changed again and again, each time after another message of the human. */
export function iterations(calls: readonly Call[]): Dynamic[] {
  const rounds = new Map<string, Call[]>()
  for (const call of calls) {
    if (!isEdit(call) || failed(call) || call.prompt?.who !== 'human') continue
    const before = rounds.get(call.target)
    if (!before) rounds.set(call.target, [call])
    else if (before.at(-1)!.prompt !== call.prompt) before.push(call)
  }
  return [...rounds].flatMap(([path, edits]) => {
    if (edits.length < LEAST_ROUNDS) return []
    const citations: Citation[] = edits
      .slice(0, MOST_CITATIONS)
      .flatMap(({ source, item, prompt }, index) => [
        ...(index > 0 ? [cite(source.session, prompt!)] : []),
        cite(source.session, item),
      ])
    const score = Math.min(1, FIRST_ROUNDS + (edits.length - LEAST_ROUNDS) * ROUND)
    return [{ kind: 'iteration', score, detail: `${path}: ${edits.length} rounds`, citations }]
  })
}
