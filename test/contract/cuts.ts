import { appendFileSync, existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Artifact } from '../../src/model/artifact.ts'
import type { Store } from '../../src/store/store.ts'
import { type ReadIncrement, readIncrement } from '../../src/sync/read-increment.ts'
import { applyIncrements } from '../apply-increments.ts'
import { share } from '../share.ts'
import { comparableFile, comparableText, contentIn, type FileContent, fileContent } from '../stores.ts'
import { type Engine, namedEngines, type StoresForFiles, storesForFiles } from './engines.ts'
import { rawBytes, type Subject } from './subjects.ts'

const PATIENCE_MS = 600_000
/** Files up to this many bytes are also cut with the real engine. See `isForEngine`. */
const SHORT = 1500
/** A folder in memory, where available, is twice as fast. */
const MEMORY = '/dev/shm'

/** Cuts of longer files take as long as those of all the others. */
const LONG = 1200
export const isShort = ({ artifact }: Subject): boolean => artifact.bytes < LONG

/** The offsets at which the first part of a file may end. */
export type Offsets = (bytes: Buffer) => Iterable<number>

export const everyByte: Offsets = (bytes) => bytes.keys()

/** Around the end of every line, and at intervals between, because each cut reads the whole file again. */
const every =
  (stride: number): Offsets =>
  (bytes) => {
    const cuts = new Set<number>()
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1))
      for (const cut of [end, end + 1, end + 2]) if (cut < bytes.length) cuts.add(cut)
    for (let cut = 7; cut < bytes.length; cut += stride) cuts.add(cut)
    return cuts
  }

/** Enough of a longer fixture, which is long because it repeats content. */
export const manyBytes: Offsets = (bytes) => every(bytes.length < 6000 ? 3 : 7)(bytes)
export const someBytes = every(1009)

/** Checks that a file read in two parts gives the same result as one read at once. */
export function cutsHold(subjects: readonly Subject[], offsets: Offsets): void {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'scrollback-cuts-'))
  const engines = namedEngines.map(([, engine]) => ({ engine, stores: storesForFiles(engine) }))
  afterAll(() => {
    for (const { stores } of engines) stores.close()
    rmSync(folder, { recursive: true })
  })
  let files = 0
  const cases = subjects
    .filter(({ artifact }) => !artifact.path.endsWith('.zst'))
    .map((subject) => [subject.name, subject.artifact] as const)
  describe('reading a file in two parts', () => {
    it.each(cases)(
      'gives the same result as reading it at once: %s',
      (_, artifact) => {
        const path = join(folder, `${files++}.jsonl`)
        cutEverywhere(artifact, offsets, path, artifact.bytes < SHORT ? engines : [])
        rmSync(path)
      },
      PATIENCE_MS,
    )
  })
}

/**
 * Real engines take most of the time, so they get the cuts around line ends and a third of the others, and
 * slow ones fewer.
 */
const isForEngine = ({ share }: Engine, bytes: Buffer, cut: number): boolean =>
  cut % Math.round(3 / share) === 0 || (share === 1 && isAtLineEnd(bytes, cut))

const isAtLineEnd = (bytes: Buffer, cut: number): boolean =>
  [bytes[cut - 2], bytes[cut - 1], bytes[cut]].includes(10)

function cutEverywhere(
  original: Artifact,
  offsets: Offsets,
  path: string,
  engines: readonly { engine: Engine; stores: StoresForFiles }[],
): void {
  const bytes = rawBytes(original)
  // The small files next to a transcript are not copied with it.
  const artifact = (size: number): Artifact => ({
    ...original,
    // Of a session in a database, the lines are cut.
    database: undefined,
    path,
    bytes: size,
    modifiedMs: 0,
    identity: undefined,
  })
  writeFileSync(path, bytes)
  const expected = fileContent(artifact(bytes.length))
  const text = JSON.stringify(expected)
  const readRest = createRest(artifact(bytes.length))
  for (const cut of offsets(bytes)) {
    if (share < 1 && cut % 2 === 1 && !isAtLineEnd(bytes, cut)) continue
    truncateSync(path, cut)
    const first = readIncrement({ artifact: artifact(cut) })
    appendFileSync(path, bytes.subarray(cut))
    const second = readRest(first)
    const read = [first, second]
    const { session, messages } = applyIncrements(read.map(({ increment }) => increment))
    const found: FileContent[] = [{ session, messages }]
    for (const { engine, stores } of engines)
      if (isForEngine(engine, bytes, cut)) found.push(contentAfter(stores.next(), read, `${path}.${cut}`))
    for (const content of found) {
      // Its time is that of the file, which was just written.
      const here = { ...content, session: { ...content.session, path, modifiedMs: 0 } }
      // The text is compared first, because looking for the difference takes longer than everything else.
      if (comparableText(here) !== text) expect(comparableFile(here), `cut at byte ${cut}`).toEqual(expected)
    }
  }
}

/**
 * Reads the rest of a file after a first part. The result depends on the checkpoint and on the file, which
 * stays the same, so it is read once for all first parts that leave the same checkpoint.
 */
function createRest(artifact: Artifact): (first: ReadIncrement) => ReadIncrement {
  let left: string | undefined
  let rest: ReadIncrement | undefined
  return ({ increment: { checkpoint } }) => {
    const { size, identity, modifiedMs, recentlyModified, ...position } = checkpoint
    const now = JSON.stringify([position, size > position.offset])
    if (rest && left === now) return rest
    left = now
    rest = readIncrement({ artifact, base: { id: 0, revision: 0, checkpoint } })
    return rest
  }
}

/**
 * Writes the increments of a file one after another, under its own path, and returns the content of the file
 * in the store.
 */
function contentAfter(store: Store, readings: readonly ReadIncrement[], path: string) {
  for (const [number, { increment }] of readings.entries()) {
    const { artifact, session } = increment
    const base = number === 0 ? undefined : store.known().get(path)
    const written = {
      ...increment,
      base,
      artifact: { ...artifact, path },
      session: { ...session!, path },
    }
    if (store.write([written]).length > 0) throw new Error('refused')
  }
  return contentIn(store, path)
}
