import { BEGINNING, walkSegment } from '../../io/archive/segments.ts'
import { chainBefore, HEAD_BYTES, packFrame, sealFrame, summaryOf, unpackFrame } from '../../io/frames.ts'
import { makeFolders, NotOurs } from '../../io/own-files.ts'
import type { Envelope } from '../../model/delivery.ts'
import { isOneLine, shownName } from '../../model/hidden.ts'
import { asNumber, asObject, parsedJson } from '../../model/json.ts'
import { platformOf } from '../../platforms/index.ts'
import { ownerOf, rowFor, type Source } from '../delivery/inventory.ts'
import { prepareSlice } from '../delivery/prepare.ts'
import type { Checkpoint, RecordSettings } from '../delivery/slice.ts'
import { createLayout, decodedName, splitRoot, type TreeOrigin, type UnpackedTrees } from './layout.ts'
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
  /** Transcripts with records. A header that says otherwise makes a pack that is refused. */
  sessions: number
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
  const transcripts = new Set<string>()
  const counts = { records: 0, redactions: 0, stubs: 0, faults: [] as PackCounts['faults'] }
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
    let unusual: string | undefined
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
          unusual ??= unusualRecord(envelope)
          if (unusual !== undefined) continue
          if (envelope.kind === 'transcript') transcripts.add(keyOf(envelope))
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
    if (unusual !== undefined) counts.faults.push({ path: source.path, fault: `is left out: ${unusual}` })
  }
  flush()
  write(summaryOf(position).summary)
  return { ...counts, sessions: transcripts.size }
}

/** Of the file that a record is from. */
const keyOf = ({ platform, path }: Envelope): string => `${platform} ${path}`

/** What was unpacked, like an archive. */
interface Unpacked {
  header: PackHeader
  dirs: Record<string, string[]>
  origins: ReadonlyMap<string, TreeOrigin>
  /** Its transcripts: where they are unpacked, and their paths on the machine that they come from. */
  transcripts: { path: string; former: string }[]
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
  makeFolders(folder)
  const layout = createLayout(folder, trees)
  let header: PackHeader | undefined
  let allowed = ALWAYS
  const paths = new Set<string>()
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
        if (!envelope) throw new BadPack('a line of it is no record')
        const reason = unusualRecord(envelope) ?? layout.add(envelope, line, allowed)
        if (reason !== undefined) throw new BadPack(badRecord(envelope.path, reason))
        if (envelope.kind === 'transcript') paths.add(keyOf(envelope))
        records++
        redactions += envelope.redactions
      }
    }
    layout.finish(() => {})
  } finally {
    layout.close()
  }
  if (!header) throw new BadPack('it is empty')
  if (paths.size === 0) throw new BadPack('it has no transcript')
  if (header.sessions !== paths.size)
    throw new BadPack('its header says another number of sessions than it has')
  const origins = new Map(
    Object.entries(trees.origins).map(([tree, origin]) => [`${folder}/${tree}`, origin]),
  )
  const transcripts = Object.keys(trees.files).flatMap((name) => transcriptAt(name, folder, trees) ?? [])
  return {
    header,
    dirs: rootsOf(Object.keys(trees.files), folder),
    origins,
    transcripts,
    records,
    redactions,
  }
}

/** Undefined for other files. `name`: below the folder of the trees. */
function transcriptAt(
  name: string,
  folder: string,
  { origins }: UnpackedTrees,
): Unpacked['transcripts'][number] | undefined {
  const [platform = '', ...parts] = name.split('/')
  const { root, names } = origins[[platform, ...parts.slice(0, 2)].join('/')]!
  const below = parts
    .slice(2)
    .map((part) => decodedName(part, names) ?? part)
    .join('/')
  const isOne = rowFor(below, platformOf(platform).delivery.table)?.kind === 'transcript'
  return isOne ? { path: `${folder}/${name}`, former: `${root}/${below}` } : undefined
}

/** Says of a file why none of its records can be used. */
export const badRecord = (path: string, reason: string): string =>
  `its record of ${shownName(path)} cannot be used: ${reason}`

/** What a pack holds of a session besides its transcript. The rest of a root is not about single sessions. */
export const PACKED_KINDS: ReadonlySet<string> = new Set([
  ...['transcript', 'subagent-meta', 'session-index', 'tool-result', 'plan'],
])

/** Why no pack has a record of such a file, as a clause. */
export function unusualRecord({
  platform: id,
  kind,
  path,
}: Pick<Envelope, 'platform' | 'kind' | 'path'>): string | undefined {
  if (!PACKED_KINDS.has(kind)) return `a pack has no records of the kind ${JSON.stringify(kind)}`
  if (!isOneLine(path)) return 'its name has several lines or hidden characters'
  const platform = platformOf(id)
  if (!platform) return `this version knows no platform ${JSON.stringify(id)}`
  const { delivery, identity, restoring } = platform
  if (!restoring || typeof restoring.impossible === 'string')
    return `Scrollback writes no sessions of ${identity.name}`
  const [root = '', below = ''] = splitRoot(id, path) ?? []
  const row = rowFor(below, delivery.table, [kind])
  const isOfSession =
    kind === 'transcript' ||
    kind === 'session-index' ||
    (row && ownerOf(row, below, delivery).session !== null)
  const hasOddNames =
    below.includes('\\') || `${root}/${below}`.split('/').some((name) => /^\.\.?$/.test(name))
  return row?.kind === kind && isOfSession && !hasOddNames
    ? undefined
    : `${identity.name} keeps no such file of a session`
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
  return { pack, created, device, redacted: redacted === true, sessions: asNumber(sessions) ?? 0 }
}
