import { blocksOf } from '../facts/blocks.ts'
import type { LocatedFinding } from '../facts/check.ts'
import { sentencesIn } from '../facts/sentences.ts'

/** A text without the sentences that the evidence does not hold. */
export function withoutFindings(text: string, findings: readonly LocatedFinding[]): string {
  const ends = new Set(findings.map(({ end }) => end))
  return blocksOf(text)
    .filter(({ end, type }) => type !== 'footnote' && !ends.has(end))
    .flatMap((block) =>
      sentencesIn(text, block)
        .filter((sentence) => !ends.has(sentence.end))
        .map(({ raw }) => raw)
        .join(' '),
    )
    .join('\n\n')
}
