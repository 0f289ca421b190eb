import { isQuestion } from '../../evidence/sentences.ts'
import { best, type MessageRule } from '../message.ts'
import { wordScore } from '../words/score.ts'

const MARKED = 0.8
const LAST_SENTENCES = 3

/**
 * One side asks the other for information or a decision. Requests and offers in the form of a question do not
 * count, and of an agent only what it asks at the end of a turn.
 */
export const question: MessageRule = ({ by, sentences, isLast }) => {
  if (by === 'agent' && !isLast) return undefined
  const asked = by === 'agent' ? sentences.slice(-LAST_SENTENCES) : sentences
  return best(asked, (sentence) => {
    const isOther = by === 'human' ? wordScore(sentence, 'request') : wordScore(sentence, 'proposal')
    if (isOther >= 0.5) return 0
    return isQuestion(sentence) ? MARKED : by === 'human' ? wordScore(sentence, 'asking') : 0
  })
}
