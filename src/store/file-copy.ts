import type { Artifact } from '../model/artifact.ts'
import type { Session } from '../model/session.ts'
import type { Checkpoint, Increment, MessageRow, UsageRow } from './increment.ts'

/** An item at its position, in one of the generations of its file. */
export interface CopiedItem extends MessageRow {
  generation: number
  prompt: boolean
  /** It is on an abandoned branch. */
  aside: boolean
  /** Whether this is the first occurrence of its message. Absent if the engine derives that when it reads. */
  first?: boolean
}

/** `cut` is 1 for a part that the client has cut off, and 2 if that is not decided yet. */
export type CopiedUsage = UsageRow & { cut: number }

/** Everything that a store has of one file, for another store. */
export interface FileCopy {
  /** With its path on its own machine. */
  artifact: Artifact
  /** That machine, and who works there. Absent in the store of one machine, for files of its own. */
  device?: string
  person?: string
  /** When the file was first stored. Absent if the order of files says it. */
  since?: number | undefined
  revision: number
  checkpoint: Checkpoint
  /** The last generation that was read to its end. */
  settled: number
  goneMs?: number
  session?: Session
  project?: string
  folder?: string
  /** The generations of which a part was cut off, with the line up to which they belong to the session. */
  cuts: { generation: number; line: number }[]
  /** The versions of a memory document. */
  versions: { number: number; at: number; bytes: number }[]
  items: CopiedItem[]
  usages: CopiedUsage[]
  links: Pick<Increment, 'sent' | 'heard' | 'statements' | 'opening'>
}

/** How much a store has of one file. */
export interface FileContent {
  id: number
  path: string
  /** The machine it is on. Absent in the store of one machine, for files of its own. */
  device?: string
  revision: number
  modifiedMs: number
  /** Items of all generations, and the bytes of their texts. */
  messages: number
  bytes: number
  /** The tokens of all its usage rows. */
  tokens: number
}

/** Separates the name of another device from a path on it. */
export const DEVICE_SEPARATOR = ':'

/** The path under which the store of one machine has a file of another one. */
export const pathOfDevice = (device: string | undefined, path: string): string =>
  device === undefined ? path : `${device}${DEVICE_SEPARATOR}${path}`
