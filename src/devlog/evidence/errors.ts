import type { SourceSession } from '../source.ts'
import { attemptOf, type Call, failed, hidesFailure, isCommand } from './calls.ts'
import { cite } from './citation.ts'
import { commandKind } from './command-kinds.ts'
import type { ErrorEvidence } from './evidence.ts'
import { reportedErrors } from './reported-errors.ts'

const BARE_FAILURE = /^(?:command exited with|exit) code:? 1\.?$/i

/** A search that finds nothing ends with exit code 1 and says no more. */
const foundNothing = (call: Call): boolean =>
  failed(call) &&
  isCommand(call) &&
  commandKind(call.target) === 'look' &&
  BARE_FAILURE.test((call.error?.text ?? '').trim())

/** The errors of a session's calls, in order. Consecutive failures of the same attempt are one. */
export function errorsOf(source: SourceSession, calls: readonly Call[]): ErrorEvidence[] {
  const open = new Map<string, ErrorEvidence>()
  const errors: ErrorEvidence[] = []
  for (const call of calls) {
    if (foundNothing(call)) continue
    const key = `${call.name} ${attemptOf(call)}`
    const before = open.get(key)
    if (failed(call)) {
      if (before) {
        before.times++
        before.ending = 'still-failing'
        continue
      }
      const found: ErrorEvidence = {
        tool: call.name,
        error: cite(source.session, call.error!),
        ...{ times: 1, ending: 'not-repeated', fixedBy: null },
      }
      errors.push(found)
      open.set(key, found)
    } else if (before && !hidesFailure(call)) {
      before.ending = 'fixed'
      before.fixedBy = cite(source.session, call.item)
      open.delete(key)
    }
  }
  const ofCalls = new Set(calls.map(({ error }) => error))
  for (const item of source.items)
    if (item.who === 'error' && item.sure !== false && !item.offBranch && !ofCalls.has(item))
      errors.push({
        tool: item.tool?.name ?? null,
        error: cite(source.session, item),
        ...{ times: 1, ending: 'not-repeated', fixedBy: null },
      })
  for (const reported of reportedErrors(source)) errors.push(reported)
  return errors.sort((a, b) => a.error.line - b.error.line)
}
