import { type Call, failed, hidesFailure, isCommand } from './calls.ts'
import { cite } from './citation.ts'
import { commandKind } from './command-kinds.ts'
import type { CommandEvidence, CommandKind, TestEvidence } from './evidence.ts'

const MOST_EXAMPLES = 3

/** Commands by kind, most frequent first. */
export function commandsOf(calls: readonly Call[]): CommandEvidence[] {
  const kinds = new Map<CommandKind, Call[]>()
  for (const call of calls) {
    if (!isCommand(call)) continue
    const kind = commandKind(call.target)
    const same = kinds.get(kind)
    if (same) same.push(call)
    else kinds.set(kind, [call])
  }
  return [...kinds]
    .map(([kind, same]) => ({
      kind,
      count: same.length,
      failed: same.filter(failed).length,
      examples: [...new Map(same.toReversed().map((call) => [call.target, call])).values()]
        .toReversed()
        .slice(0, MOST_EXAMPLES)
        .map(({ source, item }) => cite(source.session, item)),
    }))
    .sort((a, b) => b.count - a.count)
}

/** The runs of tests, in order. */
export const testsOf = (calls: readonly Call[]): TestEvidence[] =>
  calls
    .filter((call) => isCommand(call) && commandKind(call.target) === 'test')
    .map((call) => ({
      outcome: failed(call) ? 'failed' : call.error || hidesFailure(call) ? 'unknown' : 'no-error',
      run: cite(call.source.session, call.item),
      error: call.error ? cite(call.source.session, call.error) : null,
    }))
