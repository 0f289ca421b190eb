import type { Evidence } from '../evidence/evidence.ts'
import { fileMap, timeLine } from './diagrams.ts'
import type { Block, Draft } from './document.ts'
import { facts, heading, paragraph } from './parts.ts'
import { type Depth, phaseBlocks, phaseHeading, phaseTask } from './phase-blocks.ts'
import { approach, filesChanged, learned, meanwhile, steppedIn, wanted, wentRight } from './sections.ts'
import { type DraftVoice, type VoiceName, voices } from './voice.ts'

/** `Devlog: api`, with the topic if there is one. */
export const titleOf = ({ project, topic }: Evidence, name: string): string =>
  `${name}: ${project ?? 'all projects'}${topic === null ? '' : `, ${topic}`}`

const opening = (evidence: Evidence): Block => paragraph(facts(evidence))

/** The build: phase by phase, or without headings if there is only one. */
function build(evidence: Evidence, voice: DraftVoice, depth: Depth): Block[] {
  const { phases } = evidence
  const [only] = phases
  if (!only) return [heading('The build'), paragraph('No prompt of a human is in these sessions.')]
  if (phases.length === 1)
    return [heading('The build'), phaseTask(only), ...phaseBlocks(only, evidence, voice, depth)]
  return [
    heading('The build'),
    ...timeLine(phases),
    ...phases.flatMap((phase) => [
      phaseHeading(phase),
      phaseTask(phase),
      ...phaseBlocks(phase, evidence, voice, depth),
    ]),
  ]
}

/** The story of a project: what was wanted, how it was built, what went right and what was learned. */
export function logDraft(evidence: Evidence, name: VoiceName): Draft {
  const voice = voices[name]
  return {
    title: titleOf(evidence, 'Devlog'),
    blocks: [
      opening(evidence),
      ...wanted(evidence, voice),
      ...approach(evidence, voice),
      ...build(evidence, voice, 'usual'),
      ...wentRight(evidence),
      ...steppedIn(evidence, voice),
      ...learned(evidence),
      ...meanwhile(evidence),
      ...filesChanged(evidence),
      ...fileMap(evidence.files),
    ],
  }
}

/** The same with everything that happened in every phase. */
export function deepDiveDraft(evidence: Evidence, name: VoiceName): Draft {
  const voice = voices[name]
  return {
    title: titleOf(evidence, 'Deep dive'),
    blocks: [
      opening(evidence),
      ...wanted(evidence, voice),
      ...build(evidence, voice, 'deep'),
      ...approach(evidence, voice),
      ...steppedIn(evidence, voice),
      ...learned(evidence),
      ...wentRight(evidence),
      ...meanwhile(evidence),
      ...filesChanged(evidence),
      ...fileMap(evidence.files),
    ],
  }
}
