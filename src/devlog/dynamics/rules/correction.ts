import { isQuestion } from '../../evidence/sentences.ts'
import { best, type MessageRule } from '../message.ts'
import { wordScore } from '../words/score.ts'

/** The human says that something the agent did or understood is wrong. */
export const correction: MessageRule = ({ by, sentences, reply }) => {
  if (by !== 'human' || !reply) return undefined
  return best(sentences, (sentence) => (isQuestion(sentence) ? 0 : wordScore(sentence, 'correction')))
}
