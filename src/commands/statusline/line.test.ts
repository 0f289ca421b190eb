import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryHome } from '../../../test/records.ts'
import {
  clientState,
  inTurn,
  readFigures,
  type StatusFigures,
  startInTurn,
  statusLine,
  writeFigures,
} from './line.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const MINUTE = 60_000
const figures: StatusFigures = {
  version: 1,
  at: NOW,
  today: { day: '2026-11-20', cost: 3.1, tokens: 5000 },
  block: { untilMs: NOW + 133 * MINUTE, cost: 2.05, tokens: 4000, costPerHour: 0.9, projectedCost: 4 },
  sessions: { abc: 0.5 },
}
const at = { now: NOW, today: '2026-11-20' }

describe('a status line', () => {
  it('shows the model, the session, the day and the block', () => {
    const client = clientState(
      JSON.stringify({
        model: { id: 'm', display_name: 'Opus 4.5' },
        cost: { total_cost_usd: 0.42 },
        context_window: { used_percentage: 43.4 },
      }),
    )
    expect(statusLine(client, figures, at)).toBe(
      'Opus 4.5 | $0.42 session | $3.10 today | $2.05 block, 2h 13m left, $0.90/h to $4.00 | context 43 %',
    )
  })

  it('takes the cost of a session from the store if the client does not state it', () => {
    expect(statusLine({ session: 'abc' }, figures, at)).toContain('$0.50 session')
    expect(statusLine({ session: '__proto__' }, figures, at)).not.toContain('session')
  })

  it('marks old figures, and leaves out a block that ended and a day that is over', () => {
    const later = { now: NOW + 20 * 60 * MINUTE, today: '2026-11-21' }
    expect(statusLine({}, figures, later)).toBe('$0.00 today | as of 20h 0m ago')
    expect(statusLine({}, undefined, at)).toBe('reading earlier sessions, figures follow')
    expect(statusLine({}, undefined, { ...at, forbidden: true })).toBe(
      'no figures: set SCROLLBACK_HOME to a folder that you may write to',
    )
    expect(statusLine({}, figures, { ...at, forbidden: true })).toBe(statusLine({}, figures, at))
  })

  it.each(['', 'no JSON', '[]', '{"model":5,"cost":{"total_cost_usd":"1"},"session_id":{}}', 'null'])(
    'is printed whatever the client writes: %j',
    (text) => {
      expect(statusLine(clientState(text), figures, at)).toMatch(/^\$3\.10 today/)
    },
  )

  it('ignores damaged figures', () => {
    const folder = join(temporaryHome(), 'figures')
    writeFigures(folder, 'here', figures)
    expect(readFigures(folder, 'here')).toEqual(figures)
    for (const damaged of ['', '{"version":1}', '[1]', '{"version":2}']) {
      writeFileSync(join(folder, 'here.json'), damaged)
      expect(readFigures(folder, 'here')).toBeUndefined()
    }
  })
})

describe('refreshing the figures', () => {
  const started: string[] = []
  const ask = (folder: string, scope: string, now: number, pid = 0): number => {
    started.length = 0
    startInTurn(folder, scope, now, () => {
      started.push(scope)
      return pid
    })
    return started.length
  }

  it('starts again after fifteen seconds, for each tree separately', () => {
    const folder = join(temporaryHome(), 'turns')
    expect(ask(folder, 'one', NOW)).toBe(1)
    expect(ask(folder, 'one', NOW + 14_000)).toBe(0)
    expect(ask(folder, 'two', NOW + 14_000)).toBe(1)
    expect(ask(folder, 'one', NOW + 15_000)).toBe(1)
    // A clock that was set back causes no delay.
    expect(ask(folder, 'one', NOW - 99_000)).toBe(1)
  })

  it('does not start while another process refreshes, for any tree', async () => {
    const folder = join(temporaryHome(), 'turns')
    expect(ask(folder, 'one', NOW, process.pid)).toBe(1)
    expect(ask(folder, 'two', NOW + 29_000)).toBe(0)
    expect(ask(folder, 'two', NOW + 30_000)).toBe(1)
    await inTurn(folder, async () => {
      expect(ask(folder, 'two', NOW + 30 * MINUTE)).toBe(0)
      expect(await inTurn(folder, async () => {})).toBe(false)
    })
    expect(ask(folder, 'two', NOW + 30 * MINUTE)).toBe(1)
  })

  it('starts if the stored notes are damaged', () => {
    const folder = join(temporaryHome(), 'turns')
    mkdirSync(folder)
    for (const damaged of ['', '{"pid":"x"}', '{"begun":{"one":"x"},"pid":-1}', '[]']) {
      writeFileSync(join(folder, 'refresh.json'), damaged)
      expect(ask(folder, 'one', NOW)).toBe(1)
    }
    expect(readFileSync(join(folder, 'refresh.json'), 'utf8')).toContain(String(NOW))
  })
})
