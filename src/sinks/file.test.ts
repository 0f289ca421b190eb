import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deliveredTo } from '../../test/deliveries.ts'
import { batchOfNumbers } from '../../test/envelopes.ts'
import { withFailingCall } from '../../test/failing-calls.ts'
import { temporaryHome } from '../../test/records.ts'
import { DAY, openArchive } from '../../test/small-archives.ts'
import { createFileSink } from './file.ts'
import type { Batch, KnownSink } from './sink.ts'

const ROOM = 1 << 20

const openKnown = (folder: string, known: KnownSink | undefined) =>
  createFileSink({ folder, known, nowMs: () => DAY, lock: () => ({ release() {} }) })

/** A batch and the positions that were announced for it. */
function announcedBatch(from: number, to: number): { batch: Batch; positions: string[] } {
  const positions: string[] = []
  return { positions, batch: { ...batchOfNumbers(from, to), announce: (at) => void positions.push(at) } }
}

describe('an archive', () => {
  it('has a batch where it was announced, and nothing that was announced but not written', async () => {
    const folder = join(temporaryHome(), 'archive')
    const sink = await openArchive(folder, ROOM)
    const { batch, positions } = announcedBatch(0, 3)
    const failing = batchOfNumbers(3, 4)
    await sink.write(batch)
    const lost: string[] = []
    const work = sink.write({
      ...failing,
      announce(position) {
        lost.push(position)
        throw new Error('the state is full')
      },
    })
    await expect(work).rejects.toThrow('the state is full')
    expect([positions.length, lost.length]).toEqual([1, 1])
    expect(await sink.has!(positions[0]!)).toBe(true)
    expect(await sink.has!(lost[0]!)).toBe(false)
    // Another batch is now where that one would be.
    await sink.write(batchOfNumbers(4, 5))
    expect(await sink.has!(lost[0]!)).toBe(false)
    await sink.close!()
    const later = await openArchive(folder, ROOM)
    expect([await later.has!(positions[0]!), await later.has!(lost[0]!)]).toEqual([true, false])
    await later.close!()
    const other = await openArchive(join(temporaryHome(), 'other'), ROOM)
    expect(await other.has!(positions[0]!)).toBe(false)
    await other.close!()
  })

  it('has a batch of a segment that is finished', async () => {
    const folder = join(temporaryHome(), 'archive')
    const sink = await openArchive(folder)
    const { batch, positions } = announcedBatch(0, 3)
    await sink.write(batch)
    await sink.write(batchOfNumbers(3, 4))
    expect(await sink.has!(positions[0]!)).toBe(true)
    await sink.close!()
  })

  it('stores a batch once although any call of the file system failed', async () => {
    const home = temporaryHome()
    let at = 0
    let tries = 0
    for (let calls = 0; calls >= at; ) {
      at++
      const folder = join(home, String(at))
      const { called } = await withFailingCall({ at, code: 'EIO' }, async () => {
        const sink = await openArchive(folder, ROOM)
        const { batch } = announcedBatch(0, 2)
        await sink.write(batch).catch(() => {
          tries++
          return sink.write(batch)
        })
        await sink.close!()
      })
      calls = called.length
      if (existsSync(folder)) expect([0, 2], called[at - 1]).toContain(deliveredTo(folder).length)
    }
    expect(tries).toBeGreaterThan(3)
  })

  it('is the known one after a process that only began a segment', async () => {
    const folder = join(temporaryHome(), 'archive')
    const begun = await openArchive(folder, ROOM)
    const announce = (): void => {
      throw new Error('killed')
    }
    await expect(begun.write({ ...batchOfNumbers(0, 1), announce })).rejects.toThrow('killed')
    await begun.close!()
    const second = await openArchive(folder, ROOM)
    const known = second.archive!()
    await second.write(batchOfNumbers(0, 1))
    await second.close!()
    const third = await openKnown(folder, known)
    await third.write(batchOfNumbers(1, 2))
    await third.close!()
    expect(deliveredTo(folder)).toHaveLength(2)
  })
})
