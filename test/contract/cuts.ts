import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type ReadIncrement, readIncrement } from '../../src/collect/read-increment.ts'
import type { Artifact } from '../../src/model/artifact.ts'
import { IN_MEMORY, openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { createMemoryStore } from '../memory-store.ts'
import { toldBy, toldByFile } from '../stores.ts'
import { rawBytes, type Subject } from './subjects.ts'

const PATIENCE_MS = 600_000
/** Files up to so many bytes are also cut everywhere with the engine beneath. */
const SHORT = 1500
/** Files of one engine: with more, reading the list of them would be most of the work. */
const FILES = 40
/** A folder in memory, where there is one, is twice as fast. */
const MEMORY = '/dev/shm'

/** Cuts of longer files take as long as those of all the others. */
const LONG = 1200
export const isShort = ({ artifact }: Subject): boolean => artifact.bytes < LONG

/** Where the first part of a file may end. */
export type Places = (bytes: Buffer) => Iterable<number>

export const everyByte: Places = (bytes) => bytes.keys()

/** Around the end of every line, and every so many bytes between: each cut reads the whole file again. */
const every = (stride: number): Places =>
  function* (bytes: Buffer): Generator<number> {
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1))
      for (const cut of [end, end + 1, end + 2]) if (cut < bytes.length) yield cut
    for (let cut = 7; cut < bytes.length; cut += stride) yield cut
  }

/** Enough of a longer fixture: what stands in one is long because it is repeated. */
export const manyBytes: Places = (bytes) => every(bytes.length < 6000 ? 3 : 7)(bytes)
export const someBytes = every(1009)

/** Holds that a file read up to any place, and then to its end, tells what it tells when it is read at once. */
export function cutsHold(subjects: readonly Subject[], places: Places): void {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'scrollback-cuts-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const cases = subjects
    .filter(({ artifact }) => !artifact.path.endsWith('.zst'))
    .map((subject) => [subject.name, subject.artifact] as const)
  describe('read up to any place, and then to its end', () => {
    it.each(cases)(
      'a file tells what it tells when it is read at once: %s',
      (_, artifact) => {
        cutEverywhere(artifact, places, join(folder, 'transcript.jsonl'))
      },
      PATIENCE_MS,
    )
  })
}

function cutEverywhere(original: Artifact, places: Places, path: string): void {
  const bytes = rawBytes(original)
  // The small files beside a transcript are not copied with it.
  const artifact = (size: number): Artifact => ({
    ...original,
    ...{ path, bytes: size, modifiedMs: 0, identity: undefined },
  })
  writeFileSync(path, bytes)
  const expected = toldByFile(artifact(bytes.length))
  const text = JSON.stringify(expected)
  const engine = bytes.length < SHORT ? createEngine() : undefined
  const readRest = createRest(artifact(bytes.length))
  for (const cut of places(bytes)) {
    writeFileSync(path, bytes.subarray(0, cut))
    const first = readIncrement({ artifact: artifact(cut) })
    appendFileSync(path, bytes.subarray(cut))
    const second = readRest(first)
    for (const store of [createMemoryStore(), ...(engine ? [engine.next()] : [])]) {
      const told = tellBoth(store, [first, second], `${path}.${cut}`)
      // The text is compared first: looking for the difference takes longer than all the rest.
      if (JSON.stringify({ ...told, session: { ...told.session, path } }) !== text)
        expect(told, `cut at byte ${cut}, in ${store.place}`).toEqual(expected)
    }
  }
  engine?.close()
}

/**
 * Reads a file on from where a first reading stopped. What that brings hangs on what the first one left behind and on the
 * file, which stays the same: it is read once for all first readings that left the same.
 */
function createRest(artifact: Artifact): (first: ReadIncrement) => ReadIncrement {
  let left: string | undefined
  let rest: ReadIncrement | undefined
  return ({ increment: { checkpoint }, bytes }) => {
    const { size, identity, modifiedMs, racy, ...place } = checkpoint
    const now = JSON.stringify([place, size > place.offset, Buffer.from(bytes).toString('latin1')])
    if (rest && left === now) return rest
    left = now
    rest = readIncrement({ artifact, base: { id: 0, revision: 0, checkpoint, state: bytes } })
    return rest
  }
}

/** The real store, emptied now and then. */
function createEngine(): { next(): Store; close(): void } {
  let store = openSqliteStore(IN_MEMORY, 0).store
  let files = 0
  return {
    next() {
      if (++files % FILES === 0) {
        store.close()
        store = openSqliteStore(IN_MEMORY, 0).store
      }
      return store
    },
    close: () => store.close(),
  }
}

/** Writes the readings of a file one after the other, under a path of its own, and asks for what the file tells. */
function tellBoth(store: Store, readings: readonly ReadIncrement[], path: string) {
  for (const { increment, bytes } of readings) {
    const { artifact, session } = increment
    const base = store.known().get(path)
    const written = {
      ...increment,
      ...{ base, artifact: { ...artifact, path }, session: { ...session!, path } },
    }
    if (store.write([{ increment: written, state: bytes }]).length > 0) throw new Error('refused')
  }
  return toldBy(store, path)
}
