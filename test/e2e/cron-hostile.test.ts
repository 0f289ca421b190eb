import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '../any-character.ts'
import { answer } from '../program.ts'
import { put, temporaryHome } from '../records.ts'

const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '',
    '* * * * *',
    '0 0 31 2 *',
    '@hourly',
    '2026-11-01T08:00:00',
    'Europe/Berlin',
    '\x1b[2J',
    '__proto__',
  ),
)
const number = fc.oneof(
  fc.double(),
  fc.constantFrom(0, 1, -1, 900_000, Number.MIN_VALUE, Number.MAX_VALUE, 8.64e15, 1793520000000),
)
const schedule = fc.oneof(
  text,
  fc.record({ kind: fc.constant('at'), at: fc.oneof(text, number), atMs: number }, { requiredKeys: [] }),
  fc.record({ kind: fc.constant('every'), everyMs: number, anchorMs: number }),
  fc.record({ kind: fc.constant('cron'), expr: text, tz: text }),
)
const job = fc.record(
  {
    ...{ id: text, name: text, agentId: text, enabled: fc.boolean(), schedule, sessionTarget: text },
    payload: fc.record({ kind: text, message: text }, { requiredKeys: [] }),
    delivery: fc.record({ mode: text, channel: text, to: fc.oneof(text, number) }, { requiredKeys: [] }),
    state: fc.record({ nextRunAtMs: number, lastRunAtMs: number, lastStatus: text, lastError: text }),
  },
  { requiredKeys: ['id'] },
)
const run = fc.record(
  {
    ...{ ts: number, runAtMs: number, durationMs: number, status: text, error: text, summary: text },
    ...{ sessionId: text, usage: fc.record({ total_tokens: number, cost: number }) },
  },
  { requiredKeys: ['ts'] },
)

it('jobs and runs of any content are shown in every format, without a fault and without control sequences for the terminal', async () => {
  const home = temporaryHome()
  const environment = { home, variables: {}, dirs: { 'claude-code': [], openclaw: [home] } }
  // Schedules are not stored. To create a store takes longer than everything else.
  const store = join(temporaryHome(), 'store.sqlite')
  const screen = { terminal: true, columns: 80 }
  await fc.assert(
    fc.asyncProperty(fc.array(job), fc.array(run), async (jobs, runs) => {
      put(join(home, 'cron/jobs.json'), JSON.stringify([...jobs, { id: 'named', name: 'Named' }]))
      put(join(home, 'cron/runs/named.jsonl'), runs)
      for (const input of [{}, { failed: true }, { job: 'named' }, { since: '7d', identities: true }]) {
        const { text, json } = await answer('cron', input, environment, { screen, store })
        expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/)
        expect(JSON.parse(json())).toMatchObject({ version: 1 })
      }
      await answer('overview', {}, environment, { store })
    }),
    { numRuns: 50 },
  )
})
