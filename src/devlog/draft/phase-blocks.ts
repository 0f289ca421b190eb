import { counted } from '../../render/counted.ts'
import type { Evidence, Phase } from '../evidence/evidence.ts'
import type { Block, Inline } from './document.ts'
import { days, heading, longList, paragraph, shortPath, weighted } from './parts.ts'
import type { DraftVoice } from './voice.ts'

/** How much of a phase is shown. */
export type Depth = 'usual' | 'deep'

/** One phase: when, what was asked, the hard part, what came of it. */
export function phaseBlocks(
  phase: Phase,
  evidence: Evidence,
  { human, agent }: DraftVoice,
  depth: Depth,
): Block[] {
  const { from, to, sessions, turns, changedFiles, errors, asked, result, hardPart, files } = phase
  const facts = [
    days(from, to),
    ...(sessions.length > 1 ? [counted(sessions.length, 'session')] : []),
    counted(turns, 'turn'),
    `${counted(changedFiles, 'file')} changed`,
    ...(errors > 0 ? [counted(errors, 'error')] : []),
  ]
  const named = files.slice(0, depth === 'deep' ? 8 : 4)
  return [
    weighted(90, paragraph(facts.join(' · '), { cite: asked })),
    weighted(85, { type: 'quote', speaker: human, citation: asked }),
    ...(hardPart
      ? [
          weighted(72, paragraph({ strong: 'The hard part' }, `: ${hardPart.why}.`)),
          ...longList(
            71,
            hardPart.citations.map((quote): Inline[] => [{ quote }]),
          ),
        ]
      : []),
    ...(depth === 'deep' ? happenings(phase, evidence) : []),
    ...(named.length > 0
      ? [
          weighted(35, {
            type: 'paragraph',
            content: ['Files', { cite: asked }, ': ', ...commaList(named.map(({ path }) => path))],
          }),
        ]
      : []),
    ...(result ? [weighted(78, { type: 'quote', speaker: agent, citation: result })] : []),
  ]
}

/** Everything the rules found in a phase, in order. */
function happenings({ from, to, sessions }: Phase, { dynamics }: Evidence): Block[] {
  const own = dynamics.filter(({ citations: [first] }) => {
    const at = first?.at ?? null
    return first && sessions.includes(first.session) && at !== null && at >= from && at <= to
  })
  return longList(
    62,
    own.map(({ kind, detail, citations }): Inline[] => [
      { strong: kind },
      detail === null ? ': ' : ` (${detail}): `,
      { quote: citations[0]! },
    ]),
  )
}

/** Where prose for a phase goes. */
export const phaseTask = ({ asked, result }: Phase): Block =>
  weighted(48, {
    type: 'writer',
    task: 'how this went, in a paragraph',
    evidence: [asked, ...(result ? [result] : [])],
  })

export const phaseHeading = ({ title }: Phase, number?: number): Block =>
  heading(number === undefined ? title : `Step ${number}: ${title}`, 3)

const commaList = (paths: readonly string[]): Inline[] =>
  paths.flatMap((path, index): Inline[] => [...(index > 0 ? [', '] : []), { code: shortPath(path) }])
