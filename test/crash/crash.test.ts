import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { crash } from './harness.ts'

const KILLS = 25
/** On a busy machine there are fewer. */
const MOST_MS = 45_000
const LEAST_KILLS = 3
const UNHARMED = { lost: 0, doubled: 0, altered: 0, examples: [] }

it('a collector that is killed again and again loses nothing, doubles nothing and alters nothing', async () => {
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
  expect(server.standing).toBeGreaterThan(100)
  expect(archive.standing).toBe(server.standing)
  // Some came more than once, or nothing was tried.
  expect(arrivals).toBeGreaterThan(records)
}, 300_000)
