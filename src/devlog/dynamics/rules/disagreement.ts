import { isQuestion } from '../../evidence/sentences.ts'
import { best, type MessageRule } from '../message.ts'
import { wordScore } from '../words/score.ts'

/** The human declines what the agent offered or did, and wants it another way. */
export const disagreement: MessageRule = ({ by, sentences, reply }) => {
  if (by !== 'human' || !reply) return undefined
  return best(sentences, (sentence) => (isQuestion(sentence) ? 0 : wordScore(sentence, 'disagreement')))
}
