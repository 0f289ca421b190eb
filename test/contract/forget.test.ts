import fs, { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  archiveFrames,
  envelopeOf,
  isSound,
  noFaults,
  verifyArchive,
} from '../../src/deliver/archive/records.ts'
import { countInArchive, forgetInArchive } from '../../src/deliver/archive/rewrite.ts'
import { createIntake, KnownRecords } from '../../src/deliver/receive/intake.ts'
import { contentsOf } from '../../src/io/archive/contents.ts'
import { agrees } from '../../src/io/archive/directory.ts'
import { type Artifact, forgottenKey } from '../../src/model/artifact.ts'
import { finish } from '../../src/model/iteration.ts'
import type { Batch, Sink } from '../../src/sinks/sink.ts'
import type { Store } from '../../src/store/store.ts'
import { batchOf, envelope } from '../envelopes.ts'
import { sharedHome } from '../records.ts'
import { DAY, openArchive } from '../small-archives.ts'
import { keep, storedContent } from '../stores.ts'
import { namedEngines } from './engines.ts'
import { demo } from './subjects.ts'

const top = sharedHome()
const newFolder = (): string => mkdtempSync(join(top, 'archive-'))

/** The sessions of the records of a batch, by their first letters. */
async function archiveOf(folder: string, batches: readonly string[], segmentBytes: number): Promise<void> {
  const sink = await openArchive(folder, segmentBytes)
  let number = 0
  for (const sessions of batches) {
    const lines = [...sessions].map((session) =>
      envelope(number++).replace('"session":"5f0c"', `"session":"${session}"`),
    )
    await sink.write(batchOf(lines))
  }
  await sink.close?.()
}

const recordsIn = (folder: string): { id: string; session: string | null }[] =>
  [...archiveFrames(folder, noFaults())].flatMap(({ lines }) =>
    lines.map((line) => {
      const { id, session } = envelopeOf(line)!
      return { id, session }
    }),
  )

/** The folder as it was after each change of its files: what a killed process leaves. */
async function states(folder: string, work: () => Promise<unknown>): Promise<string[]> {
  const found: string[] = []
  const original = { renameSync: fs.renameSync, rmSync: fs.rmSync, fsyncSync: fs.fsyncSync }
  const note = (): void => {
    const copy = newFolder()
    fs.cpSync(folder, copy, { recursive: true })
    found.push(copy)
  }
  const noting =
    <Given extends unknown[], Result>(change: (...given: Given) => Result) =>
    (...given: Given): Result => {
      const result = change(...given)
      note()
      return result
    }
  Object.assign(fs, {
    renameSync: noting(original.renameSync),
    rmSync: noting(original.rmSync),
    fsyncSync: noting(original.fsyncSync),
  })
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(fs, original)
    syncBuiltinESMExports()
  }
  return found
}

const forgetting = (folder: string, session: string, nowMs: () => number = () => DAY) =>
  forgetInArchive(folder, {
    sessions: [{ platform: 'claude-code', session, at: new Date(DAY).toISOString() }],
    isRemoved: (record) => record.session === session,
    segmentBytes: 1 << 20,
    nowMs,
  })

describe('forgetting in an archive', () => {
  it('removes exactly the records of the session, and leaves the archive sound', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.constantFrom(1, 1500, 1 << 20),
        async (batches, segmentBytes) => {
          const folder = newFolder()
          await archiveOf(folder, batches, segmentBytes)
          const before = recordsIn(folder)
          const gone = before.filter(({ session }) => session === 'a').length
          expect(countInArchive(folder, ({ session }) => session === 'a').records).toBe(gone)
          expect((await forgetting(folder, 'a')).records).toBe(gone)
          expect(recordsIn(folder)).toEqual(before.filter(({ session }) => session !== 'a'))
          expect(isSound(verifyArchive(folder))).toBe(true)
          rmSync(folder, { recursive: true })
        },
      ),
      { numRuns: 25 },
    )
  })

  it('can be killed after any change of the disk: the archive is sound, and repeating it completes it', async () => {
    const batches = ['ab', 'cab', 'bbb', 'a', 'ca']
    const whole = newFolder()
    await archiveOf(whole, batches, 1)
    const kept = recordsIn(whole).filter(({ session }) => session !== 'a')
    const begun = await states(whole, () => forgetting(whole, 'a'))
    expect(begun.length).toBeGreaterThan(12)
    for (const state of begun) {
      const records = recordsIn(state)
      expect(records.filter(({ session }) => session !== 'a')).toEqual(kept)
      expect(isSound(verifyArchive(state))).toBe(true)
      await forgetting(state, 'a')
      expect(recordsIn(state)).toEqual(kept)
      expect(isSound(verifyArchive(state))).toBe(true)
      expect(readdirSync(state).filter((name) => /^records.*part$/.test(name))).toEqual([])
    }
  })

  it('leaves an archive that collectors know as theirs, although their last segment is gone', async () => {
    const folder = newFolder()
    await archiveOf(folder, ['ab', 'a'], 1 << 20)
    const sink = await openArchive(folder)
    const { id, position } = sink.archive!()!
    await sink.close?.()
    await forgetting(folder, 'a')
    expect(agrees(folder, { id, position: JSON.parse(position!) }, contentsOf(folder))).toBe('same')
    const again = await openArchive(folder)
    expect(again.forgotten).toEqual(['claude-code a'])
    await again.close?.()
  })
})

it('receiving into an archive rejects the records of a session that was forgotten there, and takes the others', async () => {
  const written: Batch[] = []
  const sink: Sink = {
    name: 'free',
    window: 16,
    async write(batch) {
      written.push(batch)
    },
  }
  const forgotten = new Set([forgottenKey('claude-code', '5f0c')])
  const intake = createIntake({ sink, known: new KnownRecords(), forgotten, maxRecord: 10_000 })
  const other = envelope(1).replace('"session":"5f0c"', '"session":"6a1d"')
  const answer = await intake.take(Buffer.from(envelope(0) + other))
  expect(answer).toMatchObject({
    accepted: 1,
    repeated: 0,
    rejected: [{ index: 0, reason: 'its session was forgotten in this archive' }],
  })
  expect(written.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([other])
})

describe.each(namedEngines)('erasing files from a store on %s', (_, engine) => {
  it('leaves what a store has that never had them', () => {
    const artifacts = demo()
      .map(({ artifact }) => artifact)
      .filter(({ platform, database }) => platform === 'claude-code' && database === undefined)
    const [erased, ...others] = artifacts
    const stored = (some: readonly Artifact[]): Store => {
      const store = engine.open()
      for (const artifact of some) keep(store, artifact)
      finish(store.indexWords())
      return store
    }
    const store = stored(artifacts)
    const alone = stored(others)
    const before = store.statistics().messages
    const ids = [store.known().get(erased!.path)!.id]
    const foreseen = store.messagesOnlyIn(ids)
    const { messages, words } = store.erase(ids)
    expect(foreseen).toBe(messages)
    expect(messages).toBe(before - alone.statistics().messages)
    expect(store.statistics().messages).toBe(alone.statistics().messages)
    for (const { path } of others) expect(storedContent(store, path)).toEqual(storedContent(alone, path))
    const [own, other] = [engine.audit(store), engine.audit(alone)]
    expect(own.faults()).toEqual({})
    expect(own.vocabulary()).toEqual(other.vocabulary())
    expect(words).toBeGreaterThan(0)
    for (const each of [own, other, store, alone]) each.close()
  })
})
