import { chinese } from './chinese.ts'
import type { CueTable, WordKind } from './cue.ts'
import { english } from './english.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'
import { spanish } from './spanish.ts'

const KANA = /[\u3040-\u30ff]/
const HAN = /[\u4e00-\u9fff]/
const LATIN = [english, german, spanish]
const ENGLISH = [english]
/** Words that only English has, in a sentence without letters that it lacks. */
const IS_ENGLISH = /\b(?:the|and|you|this|that|with|of|is|it's|to|for)\b/i
const FOREIGN = /[äöüßñáéíóúàèìòù¿¡]/i

/** The languages that a sentence may be in, by its letters. */
function tablesFor(sentence: string): readonly CueTable[] {
  if (KANA.test(sentence)) return [japanese]
  // A short Japanese sentence may have no kana.
  if (HAN.test(sentence)) return [chinese, japanese]
  return IS_ENGLISH.test(sentence) && !FOREIGN.test(sentence) ? ENGLISH : LATIN
}

let last: { sentence: string; tables: readonly CueTable[] } = { sentence: '', tables: LATIN }

/** The same for a sentence that several rules look at. */
function knownTables(sentence: string): readonly CueTable[] {
  if (last.sentence !== sentence) last = { sentence, tables: tablesFor(sentence) }
  return last.tables
}

/** How much a sentence suggests a kind: the sum of its cues in the language that fits best, at most 1. */
export function wordScore(sentence: string, kind: WordKind): number {
  let best = 0
  for (const table of knownTables(sentence)) {
    let sum = 0
    for (const { weight, words } of table[kind]) if (words.test(sentence)) sum += weight
    best = Math.max(best, sum)
  }
  return Math.min(1, best)
}
