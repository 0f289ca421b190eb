import type { DatabaseSync } from 'node:sqlite'
import type { Steps } from '../../model/iteration.ts'
import { once } from '../../search/characters.ts'
import type { Nearest } from '../search-source.ts'
import { createCandidates, EVERYTHING } from './candidates.ts'
import { prepared } from './database.ts'
import { createDotProducts, STEP } from './dot-products.ts'
import type { Restriction } from './restriction.ts'
import { hasVectors, PER_BLOCK } from './vectors.ts'

/** Blocks that are read at once. */
const BLOCKS = 200
/** Vectors stay in memory up to this size, in bytes: 340,000 of 768 numbers. */
const CACHED = 256 * 1024 * 1024
/** With more files than this, messages are checked after they are compared. */
const MANY_FILES = 300
/** How many of the nearest messages are checked against the filters. */
const CHECKED = 2000
/** Similarities are sorted into so many steps from -1 to 1. */
const STEPS = 4096

/** Some vectors, as they are compared. */
interface Chunk {
  messages: Float64Array
  /** Each as long as a multiple of `STEP`. */
  vectors: Int8Array
  /** What each similarity is multiplied with: 1 / length. */
  scales: Float64Array
}

/** Which vectors are in memory. */
interface Cached {
  /** Another number of removed messages, or another set: all are read again. */
  key: string
  /** The last block that is complete in memory. */
  block: number
  chunks: Chunk[]
  bytes: number
}

/**
 * Finds the messages whose vectors are nearest to one, by comparing it with all of them. Vectors stay in
 * memory up to a limit, so that a server reads only new ones.
 */
export function createNearest(database: DatabaseSync) {
  let cached: Cached | undefined
  const multiplying = once(createDotProducts)

  /** All chunks, those in memory first. */
  function* chunks(dimensions: number): Generator<Chunk> {
    const { encoder, since, removed, until } = prepared(database, 'SELECT * FROM meaning').get()!
    const key = `${encoder} ${since} ${removed}`
    if (cached?.key !== key) cached = { key, block: -1, chunks: [], bytes: 0 }
    const known = cached
    yield* known.chunks
    const rows = prepared(
      database,
      'SELECT block, messages, vectors FROM vector WHERE block > ? ORDER BY block LIMIT ?',
      { arrays: true },
    )
    // More may be added to the last block.
    const complete = Math.floor((Number(until) + 1) / PER_BLOCK) - 1
    for (let after = known.block; ; ) {
      const found = rows.all(after, BLOCKS) as unknown as BlockRow[]
      if (found.length === 0) return
      const isNext = after === known.block
      after = found.at(-1)![0]
      const chunk = chunkOf(found, dimensions)
      if (isNext && after <= complete && known.bytes + chunk.vectors.length <= CACHED) {
        known.chunks.push(chunk)
        known.bytes += chunk.vectors.length
        known.block = after
      }
      yield chunk
    }
  }

  return {
    /** Undefined if the store has no vectors of this size. */
    *nearest(vector: Int8Array, limits: Restriction): Steps<Nearest | undefined> {
      if (!hasVectors(database)) return undefined
      const { dimensions } = prepared(database, 'SELECT dimensions FROM meaning').get()!
      if (Number(dimensions) !== vector.length) return undefined
      const isShown = shownIn(database, limits)
      const dotProducts = multiplying()
      const own = new Int8Array(strideOf(vector.length))
      own.set(vector)
      const scale = 1 / Math.sqrt(dotProducts(own, own)[0]!)
      const compared: { messages: Float64Array; similarities: Float32Array }[] = []
      for (const { messages, vectors, scales } of chunks(vector.length)) {
        const similarities = new Float32Array(messages.length)
        const products = dotProducts(vectors, own)
        for (let index = 0; index < messages.length; index++)
          similarities[index] = isShown(messages[index]!)
            ? products[index]! * scale * scales[index]!
            : Number.NaN
        compared.push({ messages, similarities })
        yield
      }
      return yield* within(database, limits, bestOf(compared))
    },
  }
}

type BlockRow = [block: number, messages: Uint8Array, vectors: Uint8Array]

const strideOf = (dimensions: number): number => Math.ceil(dimensions / STEP) * STEP

function chunkOf(rows: readonly BlockRow[], dimensions: number): Chunk {
  const count = rows.reduce((sum, [, messages]) => sum + messages.length, 0)
  const stride = strideOf(dimensions)
  const chunk: Chunk = {
    messages: new Float64Array(count),
    vectors: new Int8Array(count * stride),
    scales: new Float64Array(count),
  }
  let at = 0
  for (const [block, slots, vectors] of rows) {
    if (stride === dimensions) chunk.vectors.set(vectors, at * stride)
    else
      for (let index = 0; index < slots.length; index++)
        chunk.vectors.set(
          vectors.subarray(index * dimensions, (index + 1) * dimensions),
          (at + index) * stride,
        )
    for (const slot of slots) chunk.messages[at++] = block * PER_BLOCK + slot
  }
  for (let index = 0; index < count; index++)
    chunk.scales[index] = 1 / lengthOf(chunk.vectors, index * stride, stride)
  return chunk
}

/** The length of the vector at a position. In four sums, which do not wait for each other. */
function lengthOf(vectors: Int8Array, from: number, stride: number): number {
  let [one, two, three, four] = [0, 0, 0, 0]
  for (let at = from; at < from + stride; at += 4) {
    one += vectors[at]! * vectors[at]!
    two += vectors[at + 1]! * vectors[at + 1]!
    three += vectors[at + 2]! * vectors[at + 2]!
    four += vectors[at + 3]! * vectors[at + 3]!
  }
  return Math.sqrt(one + two + three + four)
}

/** Whether a message is within the limits, as far as its id tells. */
function shownIn(database: DatabaseSync, { shown, span }: Restriction): (message: number) => boolean {
  const isInTime = span && ((message: number) => message >= span.first && message <= span.last)
  if (!shown || shown.size > MANY_FILES) return isInTime ?? (() => true)
  const { messages } = prepared(
    database,
    `SELECT json_group_array(DISTINCT message) AS messages FROM occurrence
    WHERE artifact IN (SELECT value FROM json_each(?))`,
  ).get(JSON.stringify([...shown]))!
  const wanted = new Set(JSON.parse(String(messages)) as number[])
  return (message) => wanted.has(message) && isInTime?.(message) !== false
}

interface Best {
  found: Map<number, number>
  mean: number
  deviation: number
}

/** The most similar messages, and how similar all of them are. */
function bestOf(compared: readonly { messages: Float64Array; similarities: Float32Array }[]): Best {
  const steps = new Uint32Array(STEPS + 1)
  const stepOf = (similarity: number): number =>
    Math.max(0, Math.min(STEPS, Math.round(((similarity + 1) / 2) * STEPS)))
  let [count, sum, squares] = [0, 0, 0]
  for (const { similarities } of compared)
    for (const similarity of similarities) {
      if (Number.isNaN(similarity)) continue
      count++
      sum += similarity
      squares += similarity * similarity
      steps[stepOf(similarity)]!++
    }
  let least = STEPS
  for (let left = CHECKED - steps[least]!; left > 0 && least > 0; ) left -= steps[--least]!
  const found: [number, number][] = []
  for (const { messages, similarities } of compared)
    for (const [index, similarity] of similarities.entries())
      if (stepOf(similarity) >= least) found.push([messages[index]!, similarity])
  found.sort((one, other) => other[1] - one[1])
  const mean = sum / Math.max(1, count)
  return {
    found: new Map(found.slice(0, CHECKED)),
    mean,
    deviation: Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean)),
  }
}

/** Those that the filters allow, the most similar first. */
function* within(
  database: DatabaseSync,
  limits: Restriction,
  { found, mean, deviation }: Best,
): Steps<Nearest> {
  const { ids } = yield* createCandidates(database, EVERYTHING, {
    ...limits,
    conditions: [...limits.conditions, 'm.id IN (SELECT value FROM json_each(?))'],
    values: [...limits.values, JSON.stringify([...found.keys()])],
  }).latest({ count: CHECKED, most: CHECKED })
  const messages = ids.map((message) => ({ message, similarity: found.get(message)! }))
  return { mean, deviation, messages: messages.sort((one, other) => other.similarity - one.similarity) }
}
