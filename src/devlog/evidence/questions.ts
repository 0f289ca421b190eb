import { cite, citedText } from './citation.ts'
import type { Citation, QuestionEvidence } from './evidence.ts'
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
          answer: reply ? cite(session, reply) : laterReply(turns, index),
        })
    }
    const last = replies.at(-1)
    const sentences = sentencesOf(last?.text)
    const asked = sentences.slice(-LAST_SENTENCES).findLast(isQuestion)
    if (!last || asked === undefined) continue
    const next = turns.slice(index + 1).find((turn) => turn.source === source && turn.prompt.who === 'human')
    if (!next && isRhetorical(asked)) continue
    questions.push({
      by: 'agent',
      question: cite(session, last, quotableOf(sentences, asked, citedText(last))),
      answer: next ? cite(session, next.prompt) : null,
    })
  }
  return questions
}

/** A turn without a reply was interrupted, and the human went on with the next prompt. */
function laterReply(turns: readonly Turn[], index: number): Citation | null {
  const { source } = turns[index]!
  const next = turns[index + 1]
  const reply = next?.source === source && next.items.find(({ who, text }) => who === 'agent' && text)
  return reply ? cite(source.session, reply) : null
}

const LATIN = /^[\p{Script=Latin}\P{L}]*$/u
const ADDRESSES =
  /(?<!\p{L})(?:you|your|i|me|we|us|shall|should|want|ready|ok|du|dir|dich|sie|ihnen|ich|wir|soll|sollen|tú|te|usted|quieres|yo|debo)(?!\p{L})/iu

/** Asks nobody: it names neither of the two sides. */
const isRhetorical = (question: string): boolean => LATIN.test(question) && !ADDRESSES.test(question)
