import { describe, expect, it } from 'vitest'
import type { StatsAnswer } from '../../src/commands/stats-figures.ts'
import { run } from '../program.ts'
import { claude, putClaude, sharedHome, temporaryHome, text, uuid } from '../records.ts'

const HOUR = 3_600_000
const stats = (home: string, ...args: string[]): StatsAnswer =>
  JSON.parse(run(['stats', '--json', ...args], home).stdout) as StatsAnswer
const keys = ({ rows }: StatsAnswer): string[] => rows.map(({ key }) => key)

/** A prompt and a reply that costs a dollar for every 333,333 tokens. */
function session(home: string, number: number, at: number, output: number, more: object = {}): void {
  const fields = { cwd: '/srv/shop', sessionId: uuid(number), timestamp: new Date(at).toISOString() }
  const line = claude.reply(number * 10 + 1, [text('Done.')], fields)
  putClaude(home, uuid(number), [
    claude.user(number * 10, `Task ${number}`, fields),
    { ...line, message: { ...line.message, usage: { input_tokens: 1, output_tokens: output }, ...more } },
  ])
}

/** Three sessions. The most expensive is in the middle of the time. */
const three = sharedHome()
function fill(home: string): void {
  session(home, 1, Date.UTC(2026, 10, 1, 10), 1000)
  session(home, 2, Date.UTC(2026, 10, 2, 10), 3000)
  session(home, 3, Date.UTC(2026, 10, 3, 10), 2000, { model: 'claude-haiku-4-5' })
}
fill(three)

describe('the rows of statistics', () => {
  it('are the largest if limited, or the newest for time groups', () => {
    expect(keys(stats(three, '--by', 'session', '--limit', '2'))).toEqual([uuid(2), uuid(1)])
    expect(keys(stats(three, '--by', 'model', '--limit', '1'))).toEqual(['claude-sonnet-4-6'])
    expect(keys(stats(three, '--by', 'day', '--limit', '2'))).toEqual(['2026-11-02', '2026-11-03'])
  })

  it('can be reversed without selecting others', () => {
    expect(keys(stats(three, '--by', 'session', '--limit', '2', '--order', 'asc'))).toEqual([
      uuid(1),
      uuid(2),
    ])
    expect(keys(stats(three, '--by', 'day', '--limit', '2', '--order', 'desc'))).toEqual([
      '2026-11-03',
      '2026-11-02',
    ])
  })

  it('state how many there are, and end with the total of all', () => {
    const answer = stats(three, '--by', 'session', '--limit', '2')
    expect(answer).toMatchObject({ rowsTotal: 3, rowsSum: { outputTokens: 6000, sessions: 3 } })
    const shown = run(['stats', '--by', 'session', '--limit', '2'], three).stdout
    expect(shown).toContain('2 of 3 rows')
    expect(shown).toMatch(/^Total of 3 .* 6\.0k /m)
    expect(run(['stats', '--by', 'session'], three).stdout).toMatch(/^Total /m)
  })

  it('show the models of a day', () => {
    const { rows } = stats(three, '--by', 'month', '--breakdown')
    expect(rows[0]!.models).toMatchObject([
      { model: 'claude-sonnet-4-6', replies: 2, outputTokens: 4000 },
      { model: 'claude-haiku-4-5', replies: 1, outputTokens: 2000 },
    ])
    expect(run(['stats', '--by', 'tool', '--breakdown'], three)).toMatchObject({ code: 2 })
  })

  it('count a subagent for the session that started it', () => {
    const home = temporaryHome()
    session(home, 1, Date.UTC(2026, 10, 1, 10), 1000)
    const side = { isSidechain: true, agentId: 'abc', sessionId: uuid(1), cwd: '/srv/shop' }
    const line = claude.reply(90, [text('Looked.')], side)
    putClaude(home, `${uuid(1)}/subagents/agent-abc`, [
      claude.user(91, 'Look', side),
      { ...line, message: { ...line.message, usage: { input_tokens: 1, output_tokens: 500 } } },
    ])
    const { rows } = stats(home, '--by', 'session')
    expect(rows).toMatchObject([{ key: uuid(1), outputTokens: 1500, title: 'Task 1' }])
  })

  it('start days in the named time zone', () => {
    const home = temporaryHome()
    session(home, 1, Date.UTC(2026, 10, 1, 23), 1000)
    expect(keys(stats(home, '--timezone', 'Asia/Shanghai'))).toEqual(['2026-11-02'])
    expect(keys(stats(home, '--timezone', 'America/New_York'))).toEqual(['2026-11-01'])
    expect(stats(home, '--timezone', 'Asia/Shanghai', '--since', '2026-11-02').totals.sessions).toBe(1)
    expect(stats(home, '--timezone', 'UTC', '--since', '2026-11-02').totals.sessions).toBe(0)
    expect(run(['stats', '--timezone', 'Shanghai/Bund'], home)).toMatchObject({ code: 2 })
  })

  it('are blocks of five hours from the full hour of a first reply', () => {
    const home = temporaryHome()
    const first = Date.UTC(2026, 10, 1, 10, 40)
    session(home, 1, first, 1000)
    // Within the block, just before its end; then exactly at its end.
    session(home, 2, Date.UTC(2026, 10, 1, 14, 59), 2000)
    session(home, 3, Date.UTC(2026, 10, 1, 15), 4000)
    const { rows } = stats(home, '--by', 'block')
    expect(rows.map(({ key, outputTokens }) => [key, outputTokens])).toEqual([
      ['2026-11-01 10:00', 3000],
      ['2026-11-01 15:00', 4000],
    ])
    expect(rows[0]!.block).toEqual({
      startsAt: '2026-11-01T10:00:00.000Z',
      endsAt: '2026-11-01T15:00:00.000Z',
      firstAt: '2026-11-01T10:40:00.000Z',
      lastAt: '2026-11-01T14:59:00.000Z',
    })
    expect(keys(stats(home, '--by', 'block', '--since', '2026-11-01T15:30'))).toEqual(['2026-11-01 15:00'])
  })

  it('show the pace of the current block, and its projection', () => {
    const home = temporaryHome()
    session(home, 1, Date.now() - HOUR / 2, 60_000)
    const { block } = stats(home, '--by', 'block').rows[0]!
    expect(block!.pace!.tokensPerMinute).toBeGreaterThan(1000)
    expect(block!.pace!.projectedTokens).toBeGreaterThanOrEqual(60_001)
    expect(block!.pace!.costPerHour).toBeGreaterThan(0.5)
    expect(run(['stats', '--by', 'block'], home).stdout).toContain('at that pace')
  })
})
