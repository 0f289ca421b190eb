import type { Fingerprint } from '../../io/fingerprint.ts'

/** How far a source was delivered to one destination. Holds hashes and figures, nothing of what was said. */
export interface Checkpoint extends Fingerprint {
  /** Grows by one whenever the source is delivered again from its beginning. */
  generation: number
  /** Just behind a newline, and the number of the line that begins there. */
  offset: number
  line: number
  /** The file as it was last seen; -1 where it has to be looked at again although it may seem the same. */
  size: number
  modifiedMs: number
  identity: string
  /** Behind which record the next one stands, for records without an id. */
  anchor: Anchor
  /** The id of a last line without an end that was delivered because the file was at rest. */
  tailSent?: string
  /** Of a source that is delivered whole: the ids of what it held. */
  ids?: string[]
  /** The folder that was last named as the place of the session, home as `~`. */
  project?: string
  /** The source is no more; what it held was delivered. */
  gone?: boolean
}

/** The last record with an id, and how often the same bytes without one followed it. */
export interface Anchor {
  after: string
  seen: Record<string, number>
}

export const BEGINNING: Anchor = { after: '', seen: {} }

/** Whether nothing can have changed since the checkpoint was made: then the source is not opened. */
export const isUnchanged = (
  { bytes, modifiedMs, identity }: { bytes: number; modifiedMs: number; identity: string },
  checkpoint: Checkpoint,
): boolean =>
  bytes === checkpoint.size && modifiedMs === checkpoint.modifiedMs && identity === checkpoint.identity
