import { citationKey } from './citation.ts'
import type { Citation, DecisionEvidence, Dynamic, QuestionEvidence } from './evidence.ts'

const HOW: Partial<Record<Dynamic['kind'], DecisionEvidence['how']>> = {
  ...{ agreement: 'agreed', disagreement: 'declined', taste: 'rule' },
}

/** The decisions of one session, in order: its dynamics and the questions of the agent that were answered. */
export function decisionsIn(
  dynamics: readonly Dynamic[],
  questions: readonly QuestionEvidence[],
): DecisionEvidence[] {
  const decisions: DecisionEvidence[] = []
  const decided = new Set<string>()
  let offer: Citation | null = null
  for (const { kind, citations } of dynamics) {
    const [citation] = citations
    const how = HOW[kind]
    if (kind === 'proposal' || (kind === 'question' && isOfAgent(citation!, questions))) offer = citation!
    if (how === undefined || (how !== 'rule' && offer === null)) continue
    decisions.push({ how, about: how === 'rule' ? null : offer, decision: citation! })
    decided.add(citationKey(citation!))
    if (how !== 'rule') offer = null
  }
  for (const { by, question, answer } of questions)
    if (by === 'agent' && answer && !decided.has(citationKey(answer))) {
      decided.add(citationKey(answer))
      decisions.push({ how: 'answered', about: question, decision: answer })
    }
  return decisions.sort((a, b) => a.decision.line - b.decision.line)
}

const isOfAgent = (citation: Citation, questions: readonly QuestionEvidence[]): boolean =>
  questions.some(({ by, question }) => by === 'agent' && citationKey(question) === citationKey(citation))
