import { isQuestion } from '../../evidence/sentences.ts'
import { best, type MessageRule } from '../message.ts'
import { wordScore } from '../words/score.ts'

/** The human says how they like things to be, now or from now on. */
export const taste: MessageRule = ({ by, sentences }) =>
  by === 'human'
    ? best(sentences, (sentence) => (isQuestion(sentence) ? 0 : wordScore(sentence, 'taste')))
    : undefined
