import type { LocatedFinding } from './check.ts'
import type { FindingKind } from './finding.ts'

const WHY: Readonly<Record<FindingKind, string>> = {
  quote: 'quote not in the record',
  cut: 'quote cut so that it changes its meaning',
  speaker: 'another speaker',
  number: 'number not in the record',
  date: 'date not in the record',
  file: 'file not in the record',
  name: 'name not in the record',
  command: 'command not in the record',
  session: 'session not cited',
  outcome: 'another outcome',
  general: 'fewer than three sessions',
  uncited: 'no citation',
  unsupported: 'not in the record',
  footnote: 'unknown footnote',
  link: 'link or markup',
  unwritten: 'not written',
}

/** What a finding means, in a few words. */
export const meaningOf = (kind: FindingKind): string => WHY[kind]

/** Marks every sentence with findings, right after it. */
export function markFindings(text: string, findings: readonly LocatedFinding[]): string {
  const byEnd = Map.groupBy(findings, ({ end }) => end)
  let marked = ''
  let copied = 0
  for (const [end, own] of [...byEnd].sort(([a], [b]) => a - b)) {
    const reasons = [...new Set(own.map(({ kind }) => WHY[kind]))].join(', ')
    const row = /\|\s*$/.exec(text.slice(copied, end))
    const at = row ? end - row[0].length : end
    // A mark after a code block begins a paragraph.
    const gap = own[0]!.kind === 'command' && text.slice(0, end).endsWith('```') ? '\n\n' : ' '
    marked += `${text.slice(copied, at)}${gap}**[not verified: ${reasons}]**${text.slice(at, end)}`
    copied = end
  }
  return marked + text.slice(copied)
}
