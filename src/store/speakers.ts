import type { Who } from '../model/session.ts'

/** The kinds of speakers. Stores have them as numbers, so the order never changes. */
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
