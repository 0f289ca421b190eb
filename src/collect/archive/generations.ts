import { hash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { readLines } from '../../io/lines.ts'
import { openOwnToRead, readAt } from '../../io/own-files.ts'
import { type LineShape, OVERSIZE_LINE } from '../../io/scanner/shape.ts'
import { openSource } from '../../io/source.ts'
import { type IdHash, IdMap } from '../../model/id-set.ts'
import { asObject } from '../../model/json.ts'
import { fieldScanner, fieldsOf, timeOf } from '../delivery/record-fields.ts'
import { ownIdOf } from '../delivery/record-id.ts'

/** Lines of one generation that stand in no later one: `generation` is 0 for the latest. */
interface Run {
  generation: number
  start: number
  end: number
}

/** Where runs are put: behind the line that ends there. */
interface Joint {
  offset: number
  runs: Run[]
}

/** Older ones are left out. No file is written anew so often, and the order of lines is found by going down from each to the next. */
const MOST = 2000
const PIECE = 1024 * 1024
const WORD = 2 ** 32
const OFFSET_BITS = 20

/**
 * Writes the lines of all generations of a file, each once: the latest as it is, and of the earlier ones, which are given latest first,
 * what stands in no later one, behind the line that it stood behind. A record that was changed under its id has its latest form.
 */
export function mergeGenerations(paths: readonly string[], write: (bytes: Buffer) => void): void {
  const joints = new Map<number, Map<number, Joint>>()
  const ends = new IdMap(1024)
  const latestFirst = paths.slice(0, MOST)
  let latestEnd = 0
  for (const [generation, path] of latestFirst.entries()) {
    const end = gather(path, generation, ends, joints)
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

/** Finds what of a generation stands in no later one, and where it belongs. Answers where its last line ends. */
function gather(
  path: string,
  generation: number,
  ends: IdMap,
  joints: Map<number, Map<number, Joint>>,
): number {
  const source = openSource(path)
  const key: IdHash = { high: 0, low: 0 }
  const place: IdHash = { high: 0, low: 0 }
  let anchor = { generation: 0, offset: 0 }
  let run: Run | undefined
  let last = 0
  try {
    readLines(source, fieldScanner(), (line) => {
      const end = line.offset + line.length + 1
      const isPlaced = keyOf(line, key)
      last = end
      const isKnown = ends.has(key)
      if (isKnown) ends.get(key, place)
      else ends.set(key, placeOf(generation, end))
      if (generation === 0) return
      if (!isKnown || generationOf(place) === generation) {
        if (run?.end === line.offset) run.end = end
        else {
          run = { generation, start: line.offset, end }
          jointAt(joints, anchor).runs.push(run)
        }
        return
      }
      run = undefined
      if (isPlaced) anchor = { generation: generationOf(place), offset: offsetOf(place) }
    })
  } finally {
    source.close()
  }
  return last
}

/** What makes a record the same in every generation. Answers whether only one place can be meant: records without id and time repeat. */
function keyOf(line: LineShape, into: IdHash): boolean {
  const bytes = line.bytes.subarray(line.start, line.end)
  const fields = line.kind === OVERSIZE_LINE ? undefined : (fieldsOf(line) ?? parsed(bytes))
  const own = ownIdOf(fields)
  const digest = hash('sha256', own === undefined ? bytes : `id ${own}`, 'buffer')
  into.high = digest.readInt32LE(0)
  into.low = digest.readInt32LE(4) | 1
  return own !== undefined || timeOf(fields) !== undefined
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

/** By their place; what was said in an earlier generation was said before. */
const inOrder = (joints: ReadonlyMap<number, Joint>): Joint[] => {
  const all = [...joints.values()].sort((one, other) => one.offset - other.offset)
  for (const { runs } of all)
    runs.sort((one, other) => other.generation - one.generation || one.start - other.start)
  return all
}

/** Those behind `start`, up to `end`. */
function* within(joints: readonly Joint[], start: number, end: number): Generator<Joint> {
  let [low, high] = [0, joints.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (joints[middle]!.offset > start) high = middle
    else low = middle + 1
  }
  for (; low < joints.length && joints[low]!.offset <= end; low++) yield joints[low]!
}

/** A generation and the end of a line in it, as an `IdMap` holds them. */
const placeOf = (generation: number, offset: number): IdHash => ({
  high: (generation << OFFSET_BITS) | Math.floor(offset / WORD),
  low: offset | 0,
})
const generationOf = ({ high }: IdHash): number => high >>> OFFSET_BITS
const offsetOf = ({ high, low }: IdHash): number => (high & (2 ** OFFSET_BITS - 1)) * WORD + (low >>> 0)
