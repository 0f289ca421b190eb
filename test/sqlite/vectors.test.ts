import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it } from 'vitest'
import { finish } from '../../src/model/iteration.ts'
import { createNearest } from '../../src/store/sqlite/nearest.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { unrestricted } from '../../src/store/sqlite/restriction.ts'
import { createVectors } from '../../src/store/sqlite/vectors.ts'
import { packVector, type Vectors } from '../../src/store/vectors.ts'
import { temporaryHome } from '../records.ts'

/** Not a multiple of what is compared in one step. */
const DIMENSIONS = 21
const ENCODER = { endpoint: 'http://127.0.0.1:9/v1', model: 'angles' }

let database: DatabaseSync
let vectors: Vectors

beforeEach(() => {
  const path = join(temporaryHome(), 'store.sqlite')
  openSqliteStore(path, 0).store.close()
  database = new DatabaseSync(path)
  vectors = createVectors(database)
})

/** A message, as far as vectors need it. */
const say = (id: number, text = `what message ${id} says`, who = 0): void => {
  database
    .prepare(
      'INSERT INTO message (id, record, digest, artifact, line, who, at, text) VALUES (?, ?, ?, 1, ?, ?, 1, ?)',
    )
    .run(id, id, id, id, who, text)
}

/** Messages with similar ids have similar vectors. */
const vectorOf = (id: number): Int8Array =>
  packVector(Array.from({ length: DIMENSIONS }, (_, index) => Math.cos((id * (index + 1)) / 400)))!

/** Gives all waiting messages vectors, a few at a time. */
function fill(): number[] {
  const given: number[] = []
  for (let before = -1; before !== vectors.set()!.until; ) {
    before = vectors.set()!.until
    const { messages, until } = vectors.waiting(7)
    given.push(...messages.map(({ message }) => message))
    vectors.put(
      { vectors: messages.map(({ message }) => ({ message, vector: vectorOf(message) })), until, tokens: 1 },
      ENCODER,
    )
  }
  return given
}

const nearestTo = (id: number, nearest: ReturnType<typeof createNearest>): number[] =>
  finish(nearest.nearest(vectorOf(id), unrestricted()))!.messages.map(({ message }) => message)

it('of people and agents, each message with something to say gets a vector, in the order of ids', () => {
  for (let id = 1; id <= 300; id++) say(id, id % 10 === 0 ? 'ok' : undefined, id % 3)
  vectors.begin(ENCODER, 0)
  const wanted = Array.from({ length: 300 }, (_, index) => index + 1).filter(
    (id) => id % 10 !== 0 && id % 3 !== 2,
  )
  expect(vectors.counts()).toMatchObject({ done: 0, waiting: wanted.length })
  expect(fill()).toEqual(wanted)
  expect(vectors.counts()).toEqual({
    done: wanted.length,
    waiting: 0,
    characters: 0,
    bytes: wanted.length * DIMENSIONS,
  })
  expect(fill()).toEqual([])
})

it('a deleted message takes its vector with it, and no other', () => {
  for (let id = 1; id <= 200; id++) say(id)
  vectors.begin(ENCODER, 0)
  fill()
  const nearest = createNearest(database)
  expect(nearestTo(100, nearest).slice(0, 3).sort()).toEqual([100, 101, 99])
  const deleted = [1, 63, 64, 65, 100, 127, 128, 150]
  for (const id of deleted) database.prepare('DELETE FROM message WHERE id = ?').run(id)
  expect(vectors.counts().done).toBe(200 - deleted.length)
  // Each of the others still has its own vector.
  for (const id of [2, 62, 66, 99, 126, 129, 151, 200]) expect(nearestTo(id, nearest)[0]).toBe(id)
  expect(nearestTo(100, nearest)).toHaveLength(200 - deleted.length)
  expect(nearestTo(100, createNearest(database))).toEqual(nearestTo(100, nearest))
})

it('a new message with the id of a deleted one gets a vector of its own', () => {
  for (let id = 1; id <= 10; id++) say(id)
  vectors.begin(ENCODER, 0)
  fill()
  for (const id of [9, 10]) database.prepare('DELETE FROM message WHERE id = ?').run(id)
  for (const id of [9, 10, 11]) say(id, `another text with the number ${id}`)
  expect(fill()).toEqual([9, 10, 11])
  expect(vectors.counts().done).toBe(11)
})

it('what is added is found by those that have read the vectors before', () => {
  for (let id = 1; id <= 150; id++) say(id)
  vectors.begin(ENCODER, 0)
  fill()
  const nearest = createNearest(database)
  expect(nearestTo(150, nearest)[0]).toBe(150)
  for (let id = 151; id <= 160; id++) say(id)
  fill()
  expect(nearestTo(160, nearest)).toEqual(nearestTo(160, createNearest(database)))
  expect(nearestTo(160, nearest)[0]).toBe(160)
})

it('vectors that arrive for another set, for a deleted message or twice are left out', () => {
  for (let id = 1; id <= 3; id++) say(id)
  vectors.begin(ENCODER, 0)
  const given = [1, 1, 7].map((message) => ({ message, vector: vectorOf(message) }))
  vectors.put({ vectors: given, until: 3, tokens: 5 }, { ...ENCODER, model: 'others' })
  expect(vectors.counts().done).toBe(0)
  vectors.put({ vectors: given, until: 3, tokens: 5 }, ENCODER)
  expect(vectors.counts()).toMatchObject({ done: 1, waiting: 0 })
  expect(finish(createNearest(database).nearest(new Int8Array(4).fill(1), unrestricted()))).toBeUndefined()
})
