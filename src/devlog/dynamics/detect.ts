import type { Call } from '../evidence/calls.ts'
import { cite, citedText } from '../evidence/citation.ts'
import type { Dynamic } from '../evidence/evidence.ts'
import { quotableOf } from '../evidence/sentences.ts'
import type { Turn } from '../evidence/turns.ts'
import type { SourceSession } from '../source.ts'
import type { DynamicKind } from './kinds.ts'
import { type Match, type MessageRule, messagesOf } from './message.ts'
import { resolve, THRESHOLD } from './resolve.ts'
import { agreement } from './rules/agreement.ts'
import { autonomy } from './rules/autonomy.ts'
import { correction } from './rules/correction.ts'
import { debugging } from './rules/debugging.ts'
import { disagreement } from './rules/disagreement.ts'
import { intent } from './rules/intent.ts'
import { iterations } from './rules/iteration.ts'
import { proposal } from './rules/proposal.ts'
import { question } from './rules/question.ts'
import { surprise } from './rules/surprise.ts'
import { taste } from './rules/taste.ts'

const RULES: Partial<Record<DynamicKind, MessageRule>> = {
  ...{ intent, proposal, question, agreement, disagreement, correction, surprise, taste },
}

/** A session with its turns and calls. */
export interface Scene {
  source: SourceSession
  turns: readonly Turn[]
  calls: readonly Call[]
}

/** The dynamics of one session, in the order of their first line. */
export function dynamicsOf({ source, turns, calls }: Scene): Dynamic[] {
  const found: Dynamic[] = [...iterations(calls), ...debugging(calls), ...autonomy(turns)].filter(
    ({ score }) => score >= THRESHOLD,
  )
  for (const message of messagesOf(turns)) {
    const matches = new Map<DynamicKind, Match>()
    for (const [kind, rule] of Object.entries(RULES) as [DynamicKind, MessageRule][]) {
      const match = rule(message)
      if (match) matches.set(kind, match)
    }
    for (const [kind, { score, sentence }] of resolve(matches))
      found.push({
        kind,
        score,
        detail: null,
        citations: [
          cite(
            source.session,
            message.item,
            quotableOf(message.sentences, sentence, citedText(message.item)),
          ),
        ],
      })
  }
  return found.sort((a, b) => a.citations[0]!.line - b.citations[0]!.line)
}
