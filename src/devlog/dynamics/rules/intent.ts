import { isQuestion } from '../../evidence/sentences.ts'
import { best, type MessageRule } from '../message.ts'
import { wordScore } from '../words/score.ts'

const FIRST = 0.2

/** The human says what they want done: words of wish or request, more so in the first message. */
export const intent: MessageRule = ({ by, sentences, isFirst }) => {
  if (by !== 'human') return undefined
  return best(sentences, (sentence) => {
    const request = wordScore(sentence, 'request')
    if (isQuestion(sentence) || request > 0) return request
    const wish = wordScore(sentence, 'intent')
    return wish === 0 ? 0 : Math.min(1, wish + (isFirst ? FIRST : 0))
  })
}
