/** A position in a segment: what precedes it. */
export interface SegmentPosition {
  offset: number
  frames: number
  records: number
  /** The checksum of everything before it. Absent if unknown. */
  chain?: Buffer | undefined
}

/** The position up to which a segment is known to have been written. */
export interface KnownEnd extends SegmentPosition {
  chain: Buffer
  /** Nothing after it was acknowledged, so incomplete bytes there are an unfinished write. */
  last?: boolean
}

export type Piece =
  /** `behind`: the position after the frame. */
  | { type: 'frame'; offset: number; bytes: number; records: number; packed: Buffer; behind: SegmentPosition }
  | { type: 'summary'; offset: number; bytes: number }
  | Damage

/** `records` is the number of missing records. Null if unknown. */
export interface Damage {
  type: 'damage'
  offset: number
  bytes: number
  records: number | null
  what: string
}
