import type { Session } from '../../model/session.ts'
import type { GatedText } from '../../render/gate.ts'

/** A part of the answer, created lazily, because the whole may be larger than memory. */
export interface Piece {
  session: Session
  project?: string
  /** The text. A session may consist of several pieces. */
  text: string | GatedText
  last: boolean
}
