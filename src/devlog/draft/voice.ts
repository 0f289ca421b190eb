/** How a draft names the two sides. */
export interface DraftVoice {
  /** Before a quotation. */
  human: string
  agent: string
  /** In a heading. */
  steppedIn: string
  /** In a sentence about what was agreed. */
  we: string
}

export const DRAFT_VOICES = ['neutral', 'agent', 'human'] as const

export type VoiceName = (typeof DRAFT_VOICES)[number]

export const voices: Readonly<Record<VoiceName, DraftVoice>> = {
  neutral: {
    ...{
      human: 'Human',
      agent: 'Agent',
      steppedIn: 'Where the human stepped in',
      we: 'How they approached it',
    },
  },
  agent: {
    ...{ human: 'My human', agent: 'I', steppedIn: 'Where my human stepped in', we: 'How we approached it' },
  },
  human: {
    ...{ human: 'I', agent: 'My agent', steppedIn: 'Where I stepped in', we: 'How we approached it' },
  },
}
