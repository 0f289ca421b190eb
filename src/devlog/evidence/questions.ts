import { cite, citedText } from './citation.ts'
import type { QuestionEvidence } from './evidence.ts'
import { isQuestion, quotableOf, sentencesOf } from './sentences.ts'
import type { Turn } from './turns.ts'

/** An agent that asks does so at the end of its message. */
const LAST_SENTENCES = 3

/**
 * The questions of human and agent in the turns of main sessions. Agents ask in the last message of a turn;
 * the next prompt of the human in the same session is the answer.
 */
export function questionsOf(turns: readonly Turn[]): QuestionEvidence[] {
  const questions: QuestionEvidence[] = []
  for (const [index, { source, prompt, items }] of turns.entries()) {
    const { session } = source
    const replies = items.filter(({ who, text }) => who === 'agent' && text)
    if (prompt.who === 'human') {
      const asked = sentencesOf(prompt.text).find(isQuestion)
      const [reply] = replies
      if (asked !== undefined)
        questions.push({
          by: 'human',
          question: cite(session, prompt, asked),
          answer: reply ? cite(session, reply) : null,
        })
    }
    const last = replies.at(-1)
    const sentences = sentencesOf(last?.text)
    const asked = sentences.slice(-LAST_SENTENCES).find(isQuestion)
    if (!last || asked === undefined) continue
    const next = turns.slice(index + 1).find((turn) => turn.source === source && turn.prompt.who === 'human')
    questions.push({
      by: 'agent',
      question: cite(session, last, quotableOf(sentences, asked, citedText(last))),
      answer: next ? cite(session, next.prompt) : null,
    })
  }
  return questions
}
