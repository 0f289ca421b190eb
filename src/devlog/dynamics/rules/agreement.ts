import { isQuestion } from '../../evidence/sentences.ts'
import { best, type MessageRule } from '../message.ts'
import { wordScore } from '../words/score.ts'

/** Agreement comes first. */
const OPENING = 1
/** A word such as "ok" only agrees if nothing follows it. */
const ALONE = 0.2

/** The human accepts what the agent offered or did: words of consent at the beginning of a reply. */
export const agreement: MessageRule = ({ by, sentences, reply }) => {
  if (by !== 'human' || !reply) return undefined
  const withBonus = (score: number): number =>
    score > 0 && sentences.length === 1 ? Math.min(1, score + ALONE) : score
  return best(sentences.slice(0, OPENING), (sentence) =>
    isQuestion(sentence) ? 0 : withBonus(wordScore(sentence, 'agreement')),
  )
}
