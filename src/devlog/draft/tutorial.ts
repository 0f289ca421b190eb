import { counted } from '../../render/counted.ts'
import type { Evidence, Phase } from '../evidence/evidence.ts'
import type { Block, Draft, Inline } from './document.ts'
import { facts, heading, list, longList, paragraph, shortPath, weighted } from './parts.ts'
import { phaseHeading } from './phase-blocks.ts'
import { titleOf } from './story.ts'
import { type DraftVoice, type VoiceName, voices } from './voice.ts'

/**
 * The work as steps that a reader can repeat: what to ask for, what to change, what can go wrong, how to
 * check.
 */
export function tutorialDraft(evidence: Evidence, name: VoiceName): Draft {
  const voice = voices[name]
  const installs = evidence.commands.find(({ kind }) => kind === 'install')
  const tests = evidence.tests.filter(({ outcome }) => outcome === 'no-error')
  return {
    title: titleOf(evidence, 'Tutorial'),
    blocks: [
      paragraph(facts(evidence)),
      ...(installs
        ? [
            heading('What you need'),
            ...list(
              60,
              installs.examples.map((cite): Inline[] => [{ code: cite.quote }, { cite }]),
            ),
          ]
        : []),
      heading('Steps'),
      ...evidence.phases.flatMap((phase, index) => [phaseHeading(phase, index + 1), ...step(phase, voice)]),
      heading('Check'),
      ...(tests.length > 0
        ? longList(
            50,
            [...new Map(tests.map(({ run }) => [run.quote, run])).values()].map((cite): Inline[] => [
              { code: cite.quote },
              { cite },
            ]),
          )
        : [paragraph('The transcripts show no run of tests without an error.')]),
    ],
  }
}

function step(
  { asked, result, files, hardPart, changedFiles }: Phase,
  { human, agent }: DraftVoice,
): Block[] {
  return [
    weighted(85, {
      type: 'writer',
      task: 'what to do in this step',
      evidence: [asked, ...(result ? [result] : [])],
    }),
    weighted(80, { type: 'quote', speaker: human, citation: asked }),
    ...(files.length > 0 ? [weighted(60, paragraph(`${counted(changedFiles, 'file')} to change:`))] : []),
    ...longList(
      59,
      files.map(({ path }): Inline[] => [{ code: shortPath(path) }]),
    ),
    ...(hardPart
      ? [
          weighted(70, paragraph({ strong: 'What can go wrong' }, `: ${hardPart.why}.`)),
          ...longList(
            69,
            hardPart.citations.map((quote): Inline[] => [{ quote }]),
          ),
        ]
      : []),
    ...(result ? [weighted(75, { type: 'quote', speaker: agent, citation: result })] : []),
  ]
}
