import type { Who } from '../../model/session.ts'

/** Kinds of speaker as numbers, the way rows and the index hold them. */
export const SPEAKERS = [
  'human',
  'agent',
  'program',
  'tool',
  'error',
  'marker',
] as const satisfies readonly Who[]

export const speakerNumber = (who: Who): number => SPEAKERS.indexOf(who)

/**
 * What a message can be filtered by, as words of an index column of their own: the engine then cuts the lists of messages with
 * each other instead of looking at each message.
 */
export const facet = {
  who: (who: number): string => `w${who}`,
  day: (ms: number): string => `d${new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')}`,
  artifact: (id: number): string => `a${id}`,
  tool: (id: number): string => `t${id}`,
  question: 'q',
}

const DAY = 86_400_000
let lastDay = Number.NaN
let lastToken = ''

/** The facets of one message. */
export function facetsOf(
  who: number,
  at: number | null,
  artifact: number,
  tool: number | null,
  text: string | null,
): string {
  if (at !== null && Math.floor(at / DAY) !== lastDay) {
    lastDay = Math.floor(at / DAY)
    lastToken = facet.day(at)
  }
  return `w${who} a${artifact}${at === null ? '' : ` ${lastToken}`}${tool === null ? '' : ` t${tool}`}${
    who < 2 && text !== null && /[?？]/.test(text) ? ' q' : ''
  }`
}
