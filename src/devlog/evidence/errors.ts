import type { SourceSession } from '../source.ts'
import { type Call, failed } from './calls.ts'
import { cite } from './citation.ts'
import type { ErrorEvidence } from './evidence.ts'

/** The program and its first argument decide whether two command lines are the same attempt. */
const attempt = ({ name, target }: Call): string =>
  `${name} ${target
    .replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*)+/, '')
    .split(/\s+/)
    .slice(0, 2)
    .join(' ')}`

/** The errors of a session's calls, in order. Consecutive failures of the same attempt are one. */
export function errorsOf(source: SourceSession, calls: readonly Call[]): ErrorEvidence[] {
  const open = new Map<string, ErrorEvidence>()
  const errors: ErrorEvidence[] = []
  for (const call of calls) {
    const key = attempt(call)
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
    } else if (before) {
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
  return errors.sort((a, b) => a.error.line - b.error.line)
}
