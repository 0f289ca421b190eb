import { best, type MessageRule } from '../message.ts'
import { wordScore } from '../words/score.ts'

const LAST = 0.1

/**
 * The agent offers a way, or asks whether to take it, in the message that ends its turn: before that, nobody
 * can answer.
 */
export const proposal: MessageRule = ({ by, sentences, isLast }) => {
  if (by !== 'agent' || !isLast) return undefined
  return best(sentences, (sentence) => {
    const score = wordScore(sentence, 'proposal')
    return score === 0 ? 0 : score + LAST
  })
}
