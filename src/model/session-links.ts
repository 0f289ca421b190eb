import type { ReplyUsage } from './event.ts'
import type { PlatformId } from './platform-id.ts'

/** A text that a tool call sent to another agent. */
export interface Dispatch {
  line: number
  at?: number
  /** See `textDigest`. */
  digest: number
  /** The receiving agent. Required for short texts. */
  to?: string
}

/** The tool call in another session that sent a prompt. */
export interface Sender {
  platform: PlatformId
  agent: string
  session: string
  path: string
  line: number
}

/** A prompt that another session sent, identified by its text and time. */
export interface SentPrompt {
  digest: number
  at: number
  by: Sender
}

/** Set on a session whose only prompt is repeated in many others with another parameter. */
export interface Scripted {
  /** Between 0 and 1. */
  confidence: number
  /** The number of sessions with this prompt, including this one. */
  sessions: number
}

/** What other sessions know about this one. Only available from a store. */
export interface SessionLinks {
  sent?: SentPrompt[]
  script?: Scripted
  /** The parent's running total when this session was forked, by model. */
  inherited?: ReplyUsage[]
}

/** Confidence from which a session counts as started by a script. */
export const SCRIPT_THRESHOLD = 0.8

/** The label of a prompt that another agent sent. */
export const labelOfSender = ({ agent }: Sender): string => `by ${agent}`
