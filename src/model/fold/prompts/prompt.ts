import type { SessionEvent, SessionKind, Speaker } from '../../event.ts'
import type { Sender } from '../../session-links.ts'

/** A prompt before its speaker is decided. */
export interface Prompt {
  event: SessionEvent
  speaker: Speaker
  text?: string
  media: string[]
  label?: string
  kindEvidence?: SessionKind
  lastOnly?: boolean
  unmarked?: boolean
  /** See `Payload`. */
  attended?: 'maybe' | 'certainly'
  /** The session that sent the prompt. */
  by?: Sender
  /** Duplicates of the record in the same file, after the client rewrote its history. */
  copies?: string[]
}

/** A prompt in the queue. */
export interface Waiting {
  event: SessionEvent
  text?: string
}
