import type { Fingerprint } from '../../../io/fingerprint.ts'

/** How far a source was delivered to one destination. Contains hashes and numbers, no content. */
export interface Checkpoint extends Fingerprint {
  /** Incremented whenever the source is delivered again from its beginning. */
  generation: number
  /** The offset after the last delivered newline, and the number of the line that begins there. */
  offset: number
  line: number
  /**
   * The size of the file at the last read, -1 if the file has to be read again even if it seems unchanged.
   */
  size: number
  modifiedMs: number
  identity: string
  /** The preceding record, which identifies following records without an id. */
  anchor: Anchor
  /** The id of an unterminated last line that was delivered because the file was at rest. */
  tailSent?: string
  /** For a source that is delivered whole: the ids of its records. */
  ids?: string[]
  /** The last project folder in the records, with home as `~`. */
  project?: string
  /** The source no longer exists. What it contained was delivered. */
  gone?: boolean
}

/** The last record with an id, and how often the same bytes without an id followed it. */
export interface Anchor {
  after: string
  seen: Record<string, number>
}

export const BEGINNING: Anchor = { after: '', seen: {} }

/** Whether nothing can have changed since the checkpoint. The source is then not opened. */
export const isUnchanged = (
  { bytes, modifiedMs, identity }: { bytes: number; modifiedMs: number; identity: string },
  checkpoint: Checkpoint,
): boolean =>
  bytes === checkpoint.size && modifiedMs === checkpoint.modifiedMs && identity === checkpoint.identity
