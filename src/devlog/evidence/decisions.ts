import { keywordsOf } from '../phases/keywords.ts'
import { citationKey } from './citation.ts'
import type { Citation, DecisionEvidence, Dynamic, QuestionEvidence } from './evidence.ts'
import { isQuestion } from './sentences.ts'
import { countWords } from './words.ts'

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
    if (by === 'agent' && answer && !decided.has(citationKey(answer)) && answers(question, answer)) {
      decided.add(citationKey(answer))
      decisions.push({ how: 'answered', about: question, decision: answer })
    }
  return decisions.sort((a, b) => a.decision.line - b.decision.line)
}

const isOfAgent = (citation: Citation, questions: readonly QuestionEvidence[]): boolean =>
  questions.some(({ by, question }) => by === 'agent' && citationKey(question) === citationKey(citation))

const SHORT = 3
const PASTED = /^(?:\/\/|#|`|\||│|┆|[-*] |[❯$>] )/

/**
 * The next message of the human may be about something else. It answers if it is short or takes up the words.
 */
function answers({ quote: question }: Citation, { quote: answer }: Citation): boolean {
  if (isQuestion(answer) || PASTED.test(answer)) return false
  if (countWords(answer) <= SHORT) return true
  const [asked, replied] = [keywordsOf(question), keywordsOf(answer)]
  // A question without words of its own, such as "What do you think?", is about all that was said.
  if (asked.size <= 1) return true
  for (const word of replied) if (asked.has(word)) return true
  return false
}
