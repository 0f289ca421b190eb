import { chinese } from './chinese.ts'
import type { CueTable, WordKind } from './cue.ts'
import { english } from './english.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'
import { spanish } from './spanish.ts'

const KANA = /[\u3040-\u30ff]/
const HAN = /[\u4e00-\u9fff]/
const LATIN = [english, german, spanish]

/** The languages that a sentence may be in, by its letters. */
function tablesFor(sentence: string): readonly CueTable[] {
  if (KANA.test(sentence)) return [japanese]
  // A short Japanese sentence may have no kana.
  return HAN.test(sentence) ? [chinese, japanese] : LATIN
}

/** How much a sentence suggests a kind: the sum of its cues in the language that fits best, at most 1. */
export function wordScore(sentence: string, kind: WordKind): number {
  let best = 0
  for (const table of tablesFor(sentence)) {
    let sum = 0
    for (const { weight, words } of table[kind]) if (words.test(sentence)) sum += weight
    best = Math.max(best, sum)
  }
  return Math.min(1, best)
}
