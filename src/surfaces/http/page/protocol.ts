import type { StoreAddress } from '../../../commands/kit/context.ts'
import type { GlobalFlags } from '../../../commands/kit/flags.ts'
import type { Environment } from '../../../model/artifact.ts'

/** What a reading thread needs of the process. Functions cannot be sent to it. */
export interface ReaderSettings {
  environment: Environment
  directory: string
  here: string
  /** The fixed time of the demo, in ms. */
  now?: number
  threads: number
  /** Whether this thread indexes what is not indexed yet, between the questions. */
  indexes: boolean
  storePath: string
  /** The team store, if the answers come from one. */
  storeAddress?: StoreAddress
  dataFolder: string
  retentionDays?: number
  globalFlags: GlobalFlags
  machine: { device: string; user: string }
  started: { executable: string; script: string }
}

/** Parameters as they were sent: all values of each name. */
type Parameters = Readonly<Record<string, readonly string[]>>

/** What is asked: parameters of an address, or the fields of a body. */
export type Given = { parameters: Parameters } | { fields: Readonly<Record<string, unknown>> }

/** To the thread. An answer is sent in parts: each is requested when the last one was taken. */
export type Request =
  | { type: 'ask'; id: number; name: string; given: Given }
  | { type: 'more'; id: number }
  | { type: 'cancel'; id: number }
  | { type: 'watch'; on: boolean }
  | { type: 'end' }

/** What precedes the bytes of an answer. */
export interface Head {
  status: number
  type: string
  /** The name of a download. */
  name?: string
  /** What could not be read. */
  notes: string[]
}

/**
 * From the thread. The first part of an answer has the head. Its bytes have memory of their own, which is
 * moved.
 */
export type Message =
  | { type: 'part'; id: number; head?: Head; bytes: Uint8Array<ArrayBuffer>; last: boolean; broken?: true }
  | { type: 'event'; name: string; data: string }
