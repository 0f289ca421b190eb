import type { PlatformId } from './artifact.ts'

/** Words that a tool call gave to another agent. */
export interface Dispatch {
  line: number
  at?: number
  /** See `textDigest`. */
  digest: number
  /** The agent that is to get them; a few words need one. */
  to?: string
}

/** The call in another session that sent a prompt. */
export interface Sender {
  platform: PlatformId
  agent: string
  session: string
  path: string
  line: number
}

/** A prompt that another session sent, told by what it says and when it came. */
export interface SentPrompt {
  digest: number
  at: number
  by: Sender
}

/** A session whose one prompt many others repeat with another parameter. */
export interface Scripted {
  /** Between 0 and 1. */
  confidence: number
  /** How many sessions open alike, this one among them. */
  sessions: number
}

/** What other sessions tell of one. Only a store that holds them knows it. */
export interface SessionLinks {
  sent?: SentPrompt[]
  script?: Scripted
}

/** From here on a session that a script probably prompted counts as a program's. */
export const SCRIPT_THRESHOLD = 0.8

/** What stands before the name of the agent that prompted another. */
export const labelOfSender = ({ agent }: Sender): string => `by ${agent}`
