import { OUTCOMES, REVERSING } from './lexicon.ts'
import type { CitedRecord, Material } from './material.ts'
import { shared, stemsOf } from './words.ts'

/** Whether a sentence reports another outcome than the evidence shows for its citations. In words, or undefined. */
export function wrongOutcome(
  words: string,
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
  return negated(words, records) ? 'the record says the opposite' : undefined
}

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
      return evidence.decisions.flatMap(({ how, decision }) =>
        isCited(decision) && (how === 'agreed' || how === 'declined')
          ? [how === 'agreed' ? 'good' : 'bad']
          : [],
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
const LEAST_SHARED = 3
const ALIKE = 0.6

/** The sentence says nearly the same as one of the record, and only one of the two denies it. */
function negated(words: string, records: readonly CitedRecord[]): boolean {
  const own = stemsOf(words)
  if (own.size < LEAST_SHARED) return false
  const alike = records
    .flatMap(({ text }) => text.split(SENTENCES))
    .filter((sentence) => {
      const other = stemsOf(sentence)
      const count = shared(own, other)
      return count >= LEAST_SHARED && count >= Math.max(own.size, other.size) * ALIKE
    })
  if (alike.length === 0) return false
  const denies = NEGATION.test(words)
  if (!denies && REVERSING.test(words)) return false
  return alike.every((sentence) => NEGATION.test(sentence) !== denies)
}
