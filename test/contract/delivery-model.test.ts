import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { it, vi } from 'vitest'
import { shareOf } from '../share.ts'
import { createDeliveredLife, type Pass } from './delivered-life.ts'
import { CHANGES, type Change } from './delivered-tree.ts'
import { ANSWERS } from './faulty-destination.ts'

// The tests do not wait.
vi.mock('../../src/deliver/delivery/retry.ts', async (original) => ({
  ...(await original<typeof import('../../src/deliver/delivery/retry.ts')>()),
  pause: () => new Promise<void>((resolve) => setImmediate(resolve)),
}))

const MEMORY = '/dev/shm'
const LIVES = shareOf(120)
const LENGTH = 40

const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom(...CHANGES),
  file: fc.nat({ max: 50 }),
  amount: fc.nat({ max: 300 }),
})

const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })

const pass: fc.Arbitrary<Pass> = fc.record({
  what: fc.constant('pass' as const),
  answers: fc.array(fc.constantFrom(...ANSWERS), { maxLength: 8 }),
  killedAt: sometimes(fc.integer({ min: 1, max: 30 })),
  stoppedAt: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined, freq: 1 }),
  meanwhile: sometimes(fc.record({ reading: fc.integer({ min: 1, max: 8 }), change })),
})

type Step = Change | Pass | { what: 'check' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: change },
  { weight: 3, arbitrary: pass },
  { weight: 1, arbitrary: fc.constant({ what: 'check' as const }) },
)

async function live(steps: readonly Step[]): Promise<void> {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'scrollback-deliver-'))
  const life = createDeliveredLife(folder)
  try {
    for (const each of steps) {
      if (each.what === 'check') await life.check()
      else if (each.what === 'pass') await life.pass(each)
      else life.change(each)
    }
    await life.check()
  } finally {
    life.end()
    rmSync(folder, { recursive: true })
  }
}

it('whatever happens to files, destination and process the collector delivers all records of the files unchanged, and nothing else', async () => {
  const steps = fc.array(step, { minLength: 10, maxLength: LENGTH, size: 'max' })
  await fc.assert(fc.asyncProperty(steps, live), { numRuns: LIVES, interruptAfterTimeLimit: 30_000 })
})
