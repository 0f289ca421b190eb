/** Words that suggest a kind of dynamic, with how much they count. A score of 0.5 suffices. */
export interface Cue {
  weight: number
  words: RegExp
}

/** The kinds that words decide. */
export type WordKind =
  | 'intent'
  | 'request'
  | 'proposal'
  | 'asking'
  | 'agreement'
  | 'disagreement'
  | 'correction'
  | 'surprise'
  | 'taste'

/**
 * The cues of one language, applied to one sentence at a time. `request`: a question that asks for work.
 * `asking`: a question without a question mark.
 */
export type CueTable = Readonly<Record<WordKind, readonly Cue[]>>

export const strong = (words: RegExp): Cue => ({ weight: 0.7, words })
export const medium = (words: RegExp): Cue => ({ weight: 0.45, words })
export const weak = (words: RegExp): Cue => ({ weight: 0.25, words })
