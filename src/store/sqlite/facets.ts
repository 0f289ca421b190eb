import type { Who } from '../../model/session.ts'

/** Kinds of speaker as numbers, the way rows and the index hold them. */
export const SPEAKERS = [
  'human',
  'agent',
  'program',
  'tool',
  'error',
  'marker',
  'memory',
] as const satisfies readonly Who[]

export const speakerNumber = (who: Who): number => SPEAKERS.indexOf(who)

/**
 * What a message can be filtered by, as words of an index column of their own: the engine then cuts the lists of messages with
 * each other instead of looking at each message.
 */
export const facet = {
  who: (who: number): string => `w${who}`,
  artifact: (id: number): string => `a${id}`,
  tool: (id: number): string => `t${id}`,
  question: 'q',
}

/** The facets of one message. */
export const facetsOf = (who: number, artifact: number, tool: number | null, text: string | null): string =>
  `w${who} a${artifact}${tool === null ? '' : ` t${tool}`}${who < 2 && text !== null && /[?？]/.test(text) ? ' q' : ''}`
