import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { CHECKSUM_BYTES } from '../frames.ts'
import { NotOurs, openOwnToWrite, readOwn, replaceOwn } from '../own-files.ts'
import { segmentDay } from '../segments.ts'
import { isId, seal, unseal } from './sealed.ts'

/**
 * How far the newest segment was acknowledged. Incomplete bytes after this position are an unfinished write;
 * before it, they are damage.
 */
export interface Acknowledged {
  /** Empty before the first segment. */
  segment: string
  /** The number of bytes, frames and records. */
  bytes: number
  frames: number
  records: number
  /** The offset of its last frame. 0 if it has none. */
  last: number
  /** The checksum over everything up to this position. */
  chain: Buffer
}

export const ACKNOWLEDGED = 'acknowledged'
/** Two slots, written alternately. If a write is interrupted, the other slot is still valid. */
const SLOT = 512
const SLOTS = 2
const HEX = CHECKSUM_BYTES * 2

export type FoundAcknowledged =
  | { type: 'none' }
  /** `latest` is the newest readable slot. It may be outdated. */
  | { type: 'damaged'; latest?: Slot }
  | { type: 'valid'; latest: Slot }

interface Slot extends Acknowledged {
  /** The id of the archive that the file belongs to. */
  archive: string
  number: number
}

function slotText({ archive, number, chain, segment, bytes, frames, records, last }: Slot): Buffer {
  const text = seal({ archive, number, segment, bytes, frames, records, last, chain: chain.toString('hex') })
  return Buffer.from(`${text.slice(0, -1).padEnd(SLOT - 1)}\n`)
}

function slotIn(bytes: Buffer): Slot | undefined {
  const text = bytes.toString('latin1')
  const fields = unseal(`${text.trimEnd()}\n`) as (Omit<Slot, 'chain'> & { chain: string }) | undefined
  if (!fields || !new RegExp(`^[0-9a-f]{${HEX}}$`).test(fields.chain)) return undefined
  if (!isId(fields.archive)) return undefined
  if (fields.segment !== '' && !segmentDay(fields.segment)) return undefined
  const slot = { ...fields, chain: Buffer.from(fields.chain, 'hex') }
  return slotText(slot).equals(bytes) ? slot : undefined
}

/** Throws `NotOurs` or the system's error. */
export function readAcknowledged(folder: string): FoundAcknowledged {
  const content = readOwn(join(folder, ACKNOWLEDGED), SLOT * SLOTS + 1)
  if (!content) return { type: 'none' }
  const slots = Array.from({ length: SLOTS }, (_, index) =>
    slotIn(content.subarray(index * SLOT, (index + 1) * SLOT)),
  )
  const [latest] = slots.filter((slot) => slot !== undefined).sort((a, b) => b.number - a.number)
  const [first, second] = slots
  if (!first || !second || content.length !== SLOT * SLOTS) return { type: 'damaged', latest }
  // The slots are written alternately, so two slots that do not follow each other were tampered with or
  // copied.
  if (Math.abs(first.number - second.number) !== 1 || first.number % SLOTS !== 0)
    return { type: 'damaged', latest }
  return { type: 'valid', latest: latest! }
}

export interface AcknowledgedFile {
  /** Resolves when the position is durable. */
  write(now: Acknowledged): Promise<void>
  close(): Promise<void>
}

const isSame = (one: Acknowledged, other: Acknowledged): boolean =>
  one.segment === other.segment && one.bytes === other.bytes

/** Opens the file, recreates it if it is damaged, and stores the current position. */
export async function openAcknowledged(
  folder: string,
  archive: string,
  now: Acknowledged,
): Promise<AcknowledgedFile> {
  const path = join(folder, ACKNOWLEDGED)
  const found = readAcknowledged(folder)
  let number = found.type === 'valid' ? found.latest.number : SLOTS - 1
  if (found.type !== 'valid') {
    const slots = Array.from({ length: SLOTS }, (_, each) => slotText({ ...now, archive, number: each }))
    replaceOwn(path, Buffer.concat(slots))
  }
  const handle = await openAlone(path)
  const write = async (next: Acknowledged): Promise<void> => {
    const slot = slotText({ ...next, archive, number: number + 1 })
    await handle.write(slot, 0, SLOT, ((number + 1) % SLOTS) * SLOT)
    await handle.datasync()
    number++
  }
  try {
    if (found.type === 'valid' && !isSame(found.latest, now)) await write(now)
  } catch (error) {
    await handle.close().catch(() => {})
    throw error
  }
  return { write, close: () => handle.close() }
}

/** A snapshot of the archive may share the file through a hard link. Replace it by a file of our own. */
async function openAlone(path: string): Promise<FileHandle> {
  try {
    return await openOwnToWrite(path)
  } catch (error) {
    if (!(error instanceof NotOurs && error.shared)) throw error
    replaceOwn(path, readOwn(path, SLOT * SLOTS) ?? '')
    return openOwnToWrite(path)
  }
}
