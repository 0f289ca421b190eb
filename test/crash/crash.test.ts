import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { crash } from './harness.ts'

const KILLS = 25
/** Fewer on a busy machine. */
const MOST_MS = 120_000
const LEAST_KILLS = 3
const UNHARMED = { lost: 0, doubled: 0, altered: 0, examples: [] }

it('a collector that is killed repeatedly loses, duplicates and changes no record', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scrollback-crash-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { server, archive, kills, arrivals, records, sound } = await crash({
    kills: KILLS,
    mostMs: MOST_MS,
    seed: 7,
    folder,
  })
  expect(kills).toBeGreaterThanOrEqual(LEAST_KILLS)
  expect(server).toMatchObject(UNHARMED)
  expect(archive).toMatchObject(UNHARMED)
  expect(sound).toBe(true)
  expect(server.present).toBeGreaterThan(100)
  expect(archive.present).toBe(server.present)
  // Some records arrived more than once, otherwise nothing was tested.
  expect(arrivals).toBeGreaterThan(records)
})
