import type { SourceSession } from '../source.ts'
import { type Call, failed, isCommand } from './calls.ts'
import { cite } from './citation.ts'
import type { AbandonedEvidence } from './evidence.ts'
import type { Turn } from './turns.ts'

const REVERTS =
  /\bgit\s+(?:revert|restore(?!\s+--staged)|reset\s+--hard|checkout\s+(?:HEAD\s+)?--|stash(?!\s+(?:list|show|pop|apply)))\b/

/** What was given up in one session, in order. */
export function abandonedIn(
  { session, items }: SourceSession,
  turns: readonly Turn[],
  calls: readonly Call[],
): AbandonedEvidence[] {
  const found: AbandonedEvidence[] = []
  for (const item of items)
    if (item.offBranch && item.who === 'human') found.push({ how: 'taken-back', what: cite(session, item) })
  const byId = new Map(calls.map((call) => [call.item.callId, call]))
  for (const { prompt, items: own } of turns)
    for (const item of own) {
      if (item.who !== 'marker') continue
      if (item.marker === 'interruption') found.push({ how: 'interrupted', what: cite(session, prompt) })
      const refused = item.marker === 'denial' && item.callId !== undefined && byId.get(item.callId)
      if (refused) found.push({ how: 'declined', what: cite(session, refused.item) })
    }
  for (const call of calls)
    if (isCommand(call) && !failed(call) && REVERTS.test(call.target))
      found.push({ how: 'reverted', what: cite(session, call.item) })
  return found.sort((a, b) => a.what.line - b.what.line)
}
