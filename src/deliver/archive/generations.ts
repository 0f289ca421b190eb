import { hash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { type Line, readLines } from '../../io/lines.ts'
import { openOwnToRead, readAt } from '../../io/own-files.ts'
import { openSource } from '../../io/source.ts'
import type { PlatformId } from '../../model/artifact.ts'
import type { RecordFacts, RecordKind } from '../../model/delivery.ts'
import { type IdHash, IdMap } from '../../model/hash.ts'
import { asObject } from '../../model/json.ts'
import { platformOf } from '../../platforms/index.ts'

/** Consecutive lines of one generation that no later one contains. `generation` is 0 for the latest. */
interface Run {
  generation: number
  start: number
  end: number
}

/** Where runs are inserted: after the line that ends here. */
interface Joint {
  offset: number
  runs: Run[]
}

/** Whose records they are, and of what kind. */
interface RecordsOf {
  platform: PlatformId
  kind: RecordKind
}

/** Older generations are left out. Real files have far fewer, and merging recurses from one to the next. */
const MOST = 2000
const PIECE = 1024 * 1024
const WORD = 2 ** 32
const OFFSET_BITS = 20

/**
 * Writes the lines of all generations of a file, each once. The latest generation is written as it is. Lines
 * of earlier ones (passed latest first) that no later one contains follow the line they followed before. A
 * record that changed under its id is written in its latest form.
 */
export function mergeGenerations(
  paths: readonly string[],
  { platform, kind }: RecordsOf,
  write: (bytes: Buffer) => void,
): void {
  const keyOf = createKeys({ platform, kind })
  const joints = new Map<number, Map<number, Joint>>()
  const ends = new IdMap(1024)
  const latestFirst = paths.slice(0, MOST)
  let latestEnd = 0
  for (const [generation, path] of latestFirst.entries()) {
    const end = gather({ path, generation, keyOf }, ends, joints)
    if (generation === 0) latestEnd = end
  }
  const sorted = new Map([...joints].map(([generation, all]) => [generation, inOrder(all)]))
  emit({ generation: 0, start: -1, end: latestEnd })

  function emit({ generation, start, end }: Run): void {
    let at = Math.max(0, start)
    for (const { offset, runs } of within(sorted.get(generation) ?? [], start, end)) {
      copy(generation, at, offset)
      at = offset
      for (const run of runs) emit(run)
    }
    copy(generation, at, end)
  }

  function copy(generation: number, start: number, end: number): void {
    if (start >= end) return
    const descriptor = openOwnToRead(latestFirst[generation]!)
    try {
      for (let at = start; at < end; at += PIECE) write(readAt(descriptor, at, Math.min(PIECE, end - at)))
    } finally {
      closeSync(descriptor)
    }
  }
}

interface Gathered {
  path: string
  generation: number
  keyOf: KeyOf
}

/**
 * Finds the lines of a generation that no later one contains, and where they belong. Returns where its last
 * line ends.
 */
function gather(
  { path, generation, keyOf }: Gathered,
  ends: IdMap,
  joints: Map<number, Map<number, Joint>>,
): number {
  const source = openSource(path)
  const key: IdHash = { high: 0, low: 0 }
  const found: IdHash = { high: 0, low: 0 }
  let anchor = { generation: 0, offset: 0 }
  let run: Run | undefined
  let last = 0
  try {
    readLines(source, (line) => {
      const end = line.offset + line.length + 1
      const isUnique = keyOf(line, key)
      last = end
      const isKnown = ends.has(key)
      if (isKnown) ends.get(key, found)
      else ends.set(key, positionOf(generation, end))
      if (generation === 0) return
      if (!isKnown || generationOf(found) === generation) {
        if (run?.end === line.offset) run.end = end
        else {
          run = { generation, start: line.offset, end }
          jointAt(joints, anchor).runs.push(run)
        }
        return
      }
      run = undefined
      if (isUnique) anchor = { generation: generationOf(found), offset: offsetOf(found) }
    })
  } finally {
    source.close()
  }
  return last
}

/** Writes the key of a record. Returns whether it is unique: records without id and time can repeat. */
type KeyOf = (line: Line, into: IdHash) => boolean

/** The keys of records, the same in every generation. */
function createKeys({ platform, kind }: RecordsOf): KeyOf {
  const { delivery } = platformOf(platform)
  return (line, into) => {
    const bytes = line.bytes.subarray(line.start, line.end)
    const fields = line.oversized ? undefined : parsed(bytes)
    const { id, at }: RecordFacts = fields ? delivery.record(fields, { kind }) : {}
    const digest = hash('sha256', id === undefined ? bytes : `id ${id}`, 'buffer')
    into.high = digest.readInt32LE(0)
    into.low = digest.readInt32LE(4) | 1
    return id !== undefined || at !== undefined
  }
}

function parsed(bytes: Buffer) {
  try {
    return asObject(JSON.parse(bytes.toString('utf8')))
  } catch {
    return undefined
  }
}

function jointAt(
  joints: Map<number, Map<number, Joint>>,
  { generation, offset }: { generation: number; offset: number },
): Joint {
  const all = joints.get(generation) ?? new Map<number, Joint>()
  joints.set(generation, all)
  const joint = all.get(offset) ?? { offset, runs: [] }
  all.set(offset, joint)
  return joint
}

/** Sorted by position. Lines of earlier generations come first. */
const inOrder = (joints: ReadonlyMap<number, Joint>): Joint[] => {
  const all = [...joints.values()].sort((one, other) => one.offset - other.offset)
  for (const { runs } of all)
    runs.sort((one, other) => other.generation - one.generation || one.start - other.start)
  return all
}

/** The joints after `start`, up to `end`. */
function* within(joints: readonly Joint[], start: number, end: number): Generator<Joint> {
  let [low, high] = [0, joints.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (joints[middle]!.offset > start) high = middle
    else low = middle + 1
  }
  for (; low < joints.length && joints[low]!.offset <= end; low++) yield joints[low]!
}

/** A generation and the end of a line in it, as stored in an `IdMap`. */
const positionOf = (generation: number, offset: number): IdHash => ({
  high: (generation << OFFSET_BITS) | Math.floor(offset / WORD),
  low: offset | 0,
})
const generationOf = ({ high }: IdHash): number => high >>> OFFSET_BITS
const offsetOf = ({ high, low }: IdHash): number => (high & (2 ** OFFSET_BITS - 1)) * WORD + (low >>> 0)
