import { best, type MessageRule } from '../message.ts'
import { wordScore } from '../words/score.ts'

/** One side did not expect what it found. */
export const surprise: MessageRule = ({ sentences }) =>
  best(sentences, (sentence) => wordScore(sentence, 'surprise'))
