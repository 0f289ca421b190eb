import { isQuestion } from '../../evidence/sentences.ts'
import { best, type MessageRule } from '../message.ts'
import { wordScore } from '../words/score.ts'

/** Asks nothing, although it ends with a question mark. */
const REPROACH = /\bhow (?:can|could) you (?:say|claim)\b|\bthat'?s wrong\b/i

/** The human says that something the agent did or understood is wrong. */
export const correction: MessageRule = ({ by, sentences, reply }) => {
  if (by !== 'human' || !reply) return undefined
  return best(sentences, (sentence) =>
    isQuestion(sentence) && !REPROACH.test(sentence) ? 0 : wordScore(sentence, 'correction'),
  )
}
