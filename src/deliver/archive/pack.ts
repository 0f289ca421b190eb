import { mkdirSync } from 'node:fs'
import { BEGINNING, walkSegment } from '../../io/archive/segments.ts'
import { chainBefore, HEAD_BYTES, packFrame, sealFrame, summaryOf, unpackFrame } from '../../io/frames.ts'
import { NotOurs } from '../../io/own-files.ts'
import type { Envelope } from '../../model/delivery.ts'
import { isOneLine } from '../../model/hidden.ts'
import { asObject, parsedJson } from '../../model/json.ts'
import type { Source } from '../delivery/inventory.ts'
import { prepareSlice } from '../delivery/prepare.ts'
import type { Checkpoint, RecordSettings } from '../delivery/slice.ts'
import { createLayout, type TreeOrigin, type UnpackedTrees } from './layout.ts'
import { envelopeOf } from './records.ts'
import { rootsOf } from './restore.ts'

/** What the first line of a pack says of it. */
export interface PackHeader {
  pack: 1
  /** ISO 8601. */
  created: string
  device: string
  redacted: boolean
  sessions: number
}

/** A file is no pack, or it was changed or cut. */
export class BadPack extends Error {
  readonly code = 'ERR_BAD_PACK'
}

const NAME = 'pack'
const CHAIN = () => chainBefore(NAME, NAME)
const FRAME_BYTES = 1024 * 1024
/** Limits for unpacked data: a number of bytes plus a multiple of the file's size. */
const ALWAYS = 64 * 1024 * 1024
const MOST_TIMES = 100
/** Names of machines have at most 253 characters. */
const LONGEST_DEVICE = 255

interface PackCounts {
  records: number
  redactions: number
  /** Records that were too large, so that only a note is left of them. */
  stubs: number
  faults: { path: string; fault: string }[]
}

/**
 * Writes the records of sources as one file: a segment of an archive whose first line is a header. A reader
 * of zstd prints its lines.
 */
export function writePack(
  write: (bytes: Uint8Array) => void,
  header: PackHeader,
  sources: readonly Source[],
  {
    settings,
    nowMs,
    isWanted,
    faultOf,
  }: {
    settings: RecordSettings
    nowMs: number
    isWanted: (envelope: Envelope) => boolean
    faultOf: (error: unknown) => string
  },
): PackCounts {
  const counts: PackCounts = { records: 0, redactions: 0, stubs: 0, faults: [] }
  const position = { frames: 0, records: 0, chain: CHAIN() }
  let lines: string[] = [JSON.stringify(header)]
  let bytes = 0
  const flush = (): void => {
    if (lines.length === 0) return
    const frame = packFrame(Buffer.from(`${lines.join('\n')}\n`), lines.length)
    position.chain = sealFrame(frame, position)
    position.frames++
    position.records += lines.length
    write(frame)
    lines = []
    bytes = 0
  }
  for (const source of sources) {
    for (let checkpoint: Checkpoint | undefined, more = true; more; ) {
      const slice = prepareSlice({ source, settings, nowMs, ...(checkpoint && { checkpoint }) }, faultOf)
      if ('fault' in slice) {
        counts.faults.push(slice)
        break
      }
      for (const chunk of slice.chunks)
        for (const line of Buffer.from(chunk.bytes).toString('utf8').split('\n')) {
          const envelope = line === '' ? undefined : envelopeOf(line)
          if (!envelope || !isWanted(envelope)) continue
          counts.records++
          counts.redactions += envelope.redactions
          if (envelope.stub) counts.stubs++
          lines.push(line)
          bytes += line.length
          if (bytes >= FRAME_BYTES) flush()
        }
      checkpoint = slice.next
      more = slice.more
    }
  }
  flush()
  write(summaryOf(position).summary)
  return counts
}

/** What was unpacked, like an archive. */
interface Unpacked {
  header: PackHeader
  dirs: Record<string, string[]>
  origins: ReadonlyMap<string, TreeOrigin>
  records: number
  redactions: number
}

/**
 * Unpacks a file into the trees that it was made from, below a new folder of ours. Every byte of it is
 * checked first, and nothing of it is used if one is wrong. Throws `BadPack`, or the system's error.
 */
export function unpackPack(path: string, folder: string): Unpacked {
  const trees: UnpackedTrees = { files: {}, claims: {}, unmerged: [], origins: {} }
  checkPack(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const layout = createLayout(folder, trees)
  let header: PackHeader | undefined
  let allowed = ALWAYS
  let records = 0
  let redactions = 0
  try {
    for (const piece of walkPack(path)) {
      allowed += piece.packed.length * MOST_TIMES
      for (const line of linesOf(piece, allowed - layout.bytes())) {
        if (!header) {
          header = headerOf(line)
          continue
        }
        const envelope = envelopeOf(line)
        const reason = envelope
          ? (unusualRecord(envelope) ?? layout.add(envelope, line, allowed))
          : 'it is no record'
        if (reason !== undefined) throw new BadPack(`a record of it cannot be used: ${reason}`)
        records++
        redactions += envelope?.redactions ?? 0
      }
    }
    layout.finish(() => {})
  } finally {
    layout.close()
  }
  if (!header) throw new BadPack('it is empty')
  const origins = new Map(
    Object.entries(trees.origins).map(([tree, origin]) => [`${folder}/${tree}`, origin]),
  )
  return { header, dirs: rootsOf(Object.keys(trees.files), folder), origins, records, redactions }
}

/** What a pack holds of a session besides its transcript. The rest of a root is not about single sessions. */
export const PACKED_KINDS: ReadonlySet<string> = new Set([
  ...['transcript', 'subagent-meta', 'session-index', 'tool-result', 'plan'],
])

/** Why no pack of ours has such a record. */
function unusualRecord({ kind, path }: Envelope): string | undefined {
  if (!PACKED_KINDS.has(kind)) return `a pack has no records of the kind ${JSON.stringify(kind)}`
  return isOneLine(path) ? undefined : 'the name of a file has several lines or hidden characters'
}

function checkPack(path: string): void {
  let first = true
  for (const piece of walkPack(path)) {
    if (first) headerOf(linesOf(piece, ALWAYS)[0] ?? '')
    first = false
  }
}

/**
 * The frames of a pack. Throws `BadPack` at the first one that is not as it was written, or without an end.
 */
function* walkPack(path: string) {
  let pieces: ReturnType<typeof walkSegment>
  try {
    pieces = walkSegment(path, { ...BEGINNING, chain: CHAIN() })
    for (;;) {
      const step = pieces.next()
      if (step.done) {
        const { finished, sound, size, position } = step.value
        if (size < HEAD_BYTES) throw new BadPack('it is no pack')
        if (!finished || !sound || position.offset !== size)
          throw new BadPack('its end is missing, or it is no pack')
        return
      }
      if (step.value.type === 'damage')
        throw new BadPack(`it is damaged at byte ${step.value.offset}, or it is no pack`)
      if (step.value.type === 'frame') yield step.value
    }
  } catch (error) {
    if (error instanceof NotOurs) throw new BadPack('it is a link, or not a plain file')
    throw error
  }
}

function linesOf({ packed, records }: { packed: Buffer; records: number }, most: number): string[] {
  let lines: string[]
  try {
    lines = unpackFrame(packed, most).toString('utf8').split('\n')
  } catch {
    throw new BadPack('it unpacks to more than its size allows')
  }
  lines.pop()
  if (lines.length !== records) throw new BadPack('a frame has another number of records than it says')
  return lines
}

function headerOf(line: string): PackHeader {
  const fields = asObject(parsedJson(line))
  const { pack, created, device, redacted, sessions } = fields ?? {}
  if (pack === undefined || typeof created !== 'string' || typeof device !== 'string')
    throw new BadPack('it is no pack')
  if (device.length > LONGEST_DEVICE || !isOneLine(device) || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(created))
    throw new BadPack('its header is not as Scrollback writes it')
  if (pack !== 1) throw new BadPack('a newer version of Scrollback wrote it')
  return { pack, created, device, redacted: redacted === true, sessions: Number(sessions) || 0 }
}
