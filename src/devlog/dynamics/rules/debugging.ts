import type { Item } from '../../../model/session.ts'
import { attemptOf, type Call, failed, hidesFailure, isCommand, isEdit } from '../../evidence/calls.ts'
import { cite } from '../../evidence/citation.ts'
import { commandKind } from '../../evidence/command-kinds.ts'
import type { Dynamic } from '../../evidence/evidence.ts'

const ERROR = 0.3
const CHANGE = 0.2
const REPEATED = 0.2
const WORKED = 0.2
/** Calls between two attempts. */
const FAR = 12
const MOST_ATTEMPTS = 4

/** A command that only looks, such as a search, fails if it finds nothing. */
const isWork = (call: Call): boolean => isCommand(call) && commandKind(call.target) !== 'look'

/** A command fails, something is changed, and the command is run again. */
export function debugging(calls: readonly Call[]): Dynamic[] {
  const found: Dynamic[] = []
  const taken = new Set<Call>()
  for (const [index, first] of calls.entries()) {
    if (!isWork(first) || !failed(first) || taken.has(first)) continue
    const attempts = [first]
    const changes: Call[] = []
    /** Calls since the last attempt that did more than look. */
    let since = 0
    for (let next = index + 1; next < calls.length && since <= FAR; next++) {
      const call = calls[next]!
      if (isEdit(call) || isWork(call)) since++
      if (isCommand(call) && attemptOf(call) === attemptOf(first)) {
        attempts.push(call)
        taken.add(call)
        since = 0
        if (!failed(call) && !hidesFailure(call)) break
      } else if (!failed(call) && (isEdit(call) || isCommand(call))) changes.push(call)
    }
    const worked = !failed(attempts.at(-1)!) && !hidesFailure(attempts.at(-1)!)
    const edited = changes.some(
      (call) => isEdit(call) || /\binstall|\badd\b|\bup\b|mkdir|chmod/.test(call.target),
    )
    const score = ERROR + (edited ? CHANGE : 0) + (attempts.length > 1 ? REPEATED : 0) + (worked ? WORKED : 0)
    if (attempts.length === 1) continue
    const of = ({ source }: Call, item: Item) => cite(source.session, item)
    found.push({
      kind: 'debugging',
      score: Math.min(1, score),
      detail: `${attempts.length} attempts, ${worked ? 'then it worked' : 'it never worked'}`,
      citations: [
        of(first, first.item),
        ...attempts.slice(0, MOST_ATTEMPTS).flatMap((call) => (call.error ? [of(call, call.error)] : [])),
        ...(attempts.length > 1 ? [of(attempts.at(-1)!, attempts.at(-1)!.item)] : []),
      ],
    })
  }
  return found
}
