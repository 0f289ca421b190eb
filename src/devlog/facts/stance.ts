import { languageOf } from './language.ts'
import { OUTCOMES, REVERSING } from './lexicon.ts'
import type { CitedRecord, Material } from './material.ts'
import type { Sentence } from './sentences.ts'
import { shared, stemsOf } from './words.ts'

/**
 * Whether a sentence reports another outcome than the evidence shows for its citations. In words, or
 * undefined.
 */
export function wrongOutcome(
  { words, quotes }: Pick<Sentence, 'words' | 'quotes'>,
  records: readonly CitedRecord[],
  material: Material,
): string | undefined {
  for (const { about, good, bad } of OUTCOMES) {
    const [isGood, isBad] = [good.test(words), bad.test(words)]
    if (isGood === isBad) continue
    const shown = outcomes(about, records, material)
    if (shown.length > 0 && !shown.includes(isGood ? 'good' : 'bad'))
      return `the evidence shows another outcome of the ${about}`
    // The words of the record say it themselves.
    const texts = records.map(({ text }) => text)
    const [right, wrong] = isGood ? [good, bad] : [bad, good]
    if (
      shown.length === 0 &&
      texts.some((text) => wrong.test(text)) &&
      !texts.some((text) => right.test(text))
    )
      return `the record says the opposite about the ${about}`
  }
  return sameLanguage(words, records) && negated(words, quotes, records)
    ? 'the record says the opposite'
    : undefined
}

const REACTIONS = { agreement: 'good', disagreement: 'bad', correction: 'bad' } as const

const sameLanguage = (words: string, records: readonly CitedRecord[]): boolean =>
  languageOf(words) === languageOf(records.map(({ text }) => text).join(' ')) ||
  records.every(({ who }) => who === 'tool')

function outcomes(
  about: (typeof OUTCOMES)[number]['about'],
  records: readonly CitedRecord[],
  { evidence }: Material,
): ('good' | 'bad' | 'open')[] {
  const isCited = (citation: { path: string; line: number } | null): boolean =>
    citation !== null &&
    records.some((record) => record.citation.path === citation.path && record.citation.line === citation.line)
  switch (about) {
    case 'decision':
      return evidence.dynamics.flatMap(({ kind, citations }) =>
        isCited(citations[0]!) && kind in REACTIONS ? [REACTIONS[kind as keyof typeof REACTIONS]] : [],
      )
    case 'test':
      return evidence.tests.flatMap(({ outcome, run, error }) =>
        isCited(run) || isCited(error)
          ? [outcome === 'no-error' ? 'good' : outcome === 'failed' ? 'bad' : 'open']
          : [],
      )
    case 'error':
      return evidence.errors.flatMap(({ error, ending }) =>
        isCited(error) ? [ending === 'fixed' ? 'good' : 'bad'] : [],
      )
  }
}

const SENTENCES = /(?<=[.!?])\s+|(?<=[。！？])/u
const NEGATION =
  /(?<!\p{L})(?:not|never|no|cannot|without|\p{L}+n['’]t|nicht|nie|kein\p{L}*|ohne|nunca|jamás|sin)(?!\p{L})|[不没別别勿未]|ない|ません/iu
const LEAST_SHARED = 2
const ALIKE = 0.6

/**
 * The sentence says nearly the same as one of the record, and only one of the two denies it; or it denies
 * what the most similar sentence of the record says.
 */
function negated(words: string, quotes: Sentence['quotes'], records: readonly CitedRecord[]): boolean {
  const own = stemsOf(words)
  const denies = NEGATION.test(words)
  // An error denies what was tried.
  if (denies && records.some(({ who }) => who === 'error')) return false
  const sentences = records
    .flatMap(({ text }) => text.split(SENTENCES))
    // What is quoted is not what the sentence says itself.
    .filter((sentence) => !quotes.some(({ text }) => sentence.includes(text) || text.includes(sentence)))
    .map((sentence) => ({ sentence, stems: stemsOf(sentence) }))
    .map(({ sentence, stems }) => ({ sentence, size: stems.size, count: shared(own, stems) }))
  if (denies) {
    const most = sentences.reduce((largest, { count }) => Math.max(largest, count), 0)
    const best = sentences.filter(({ count }) => count === most)
    return best.length > 0 && best.every(({ sentence }) => !NEGATION.test(sentence))
  }
  if (own.size < LEAST_SHARED || REVERSING.test(words)) return false
  const alike = sentences.filter(
    ({ size, count }) => count >= LEAST_SHARED && count >= Math.max(own.size, size) * ALIKE,
  )
  return alike.length > 0 && alike.every(({ sentence }) => NEGATION.test(sentence))
}
