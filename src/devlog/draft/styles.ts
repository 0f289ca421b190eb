import type { Evidence } from '../evidence/evidence.ts'
import { changelogDraft } from './changelog.ts'
import type { Draft } from './document.ts'
import { standupDraft } from './standup.ts'
import { deepDiveDraft, logDraft } from './story.ts'
import { tutorialDraft } from './tutorial.ts'
import type { VoiceName } from './voice.ts'

export const STYLES = ['log', 'tutorial', 'deep-dive', 'standup', 'changelog'] as const

export type Style = (typeof STYLES)[number]

/** Styles that are made from a time alone, so that nobody has to choose sessions. */
export const isRoutine = (style: Style): boolean => style === 'standup' || style === 'changelog'

export function draftOf(evidence: Evidence, style: Style, voice: VoiceName): Draft {
  switch (style) {
    case 'log':
      return logDraft(evidence, voice)
    case 'tutorial':
      return tutorialDraft(evidence, voice)
    case 'deep-dive':
      return deepDiveDraft(evidence, voice)
    case 'standup':
      return standupDraft(evidence)
    case 'changelog':
      return changelogDraft(evidence)
  }
}
