import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StatsAnswer } from '../../src/commands/stats-figures.ts'
import { fixtureRoot } from '../claude-code-fixtures.ts'
import { type Json, run } from '../program.ts'
import {
  call,
  claude,
  openclaw,
  putClaude,
  putOpenclaw,
  sharedHome,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'
import { usageTrees } from '../usage-trees.ts'

const stats = (home: string, ...args: string[]): StatsAnswer =>
  JSON.parse(run(['stats', '--json', ...args], home).stdout)

const usage = (input: number, output: number) => ({ input_tokens: input, output_tokens: output })
const reply = (number: number, content: object[], more: object = {}, cwd = '/srv/shop') => {
  const line = claude.reply(number, content, { cwd })
  return { ...line, message: { ...line.message, ...more } }
}

/** Two projects of Claude Code and an agent of OpenClaw, small enough to count by hand. */
function countedHome(home = temporaryHome()): string {
  const shop = { cwd: '/srv/shop', sessionId: uuid(50) }
  putClaude(home, uuid(50), [
    claude.user(1, 'Fix the till, please', shop),
    reply(2, [text('I look.'), call('t1', 'Read', { file_path: '/srv/shop/till.ts' })], {
      usage: usage(100, 10),
    }),
    claude.result(3, 't1', 'gone', true),
    reply(4, [call('t2', 'Edit', { file_path: '/srv/shop/till.ts', old_string: 'a', new_string: 'b' })], {
      usage: usage(200, 20),
    }),
    reply(5, [text('Done.')], { usage: usage(300, 30) }),
    claude.user(6, 'Thank you', shop),
  ])
  const garden = { cwd: '/srv/garden', sessionId: uuid(51), timestamp: '2026-11-09T23:30:00.000Z' }
  putClaude(home, uuid(51), [
    claude.user(7, 'Water it', garden),
    { ...reply(8, [text('I do.')], { usage: usage(7, 8), model: 'acme-9' }, '/srv/garden'), ...garden },
  ])
  putOpenclaw(home, 'a.jsonl', [
    openclaw.header('a'),
    openclaw.user(1, 'Good morning'),
    openclaw.message(2, {
      role: 'assistant',
      content: [text('Morning.')],
      model: 'claude-sonnet-4-5',
      provider: 'anthropic',
      usage: { input: 1000, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 1001, cost: { total: 0.5 } },
    }),
  ])
  return home
}

const counted = countedHome(sharedHome())

describe('statistics', () => {
  it('are equal to counts by hand', () => {
    const { totals, tools, files, hours, activeDays } = stats(counted)
    expect(totals).toMatchObject({
      sessions: 3,
      messages: { human: 4, agent: 4 },
      humanWords: 10,
      toolCalls: 2,
      errors: 1,
      inputTokens: 1607,
      outputTokens: 69,
      recordedCost: 0.5,
      unpricedModels: ['acme-9'],
    })
    expect(tools).toEqual([
      { name: 'Edit', calls: 1, errors: 0 },
      { name: 'Read', calls: 1, errors: 1 },
    ])
    expect(files).toEqual([{ path: '/srv/shop/till.ts', count: 1 }])
    expect(hours.map((count, hour) => [hour, count]).filter(([, count]) => count)).toEqual([
      [10, 3],
      [23, 1],
    ])
    expect(activeDays).toBe(2)
  })

  it('cost what the price list states: 3 and 15 dollars per million tokens of a Sonnet', () => {
    const { totals } = stats(counted)
    expect(totals.cost).toBeCloseTo(((600 + 1000) * 3 + (60 + 1) * 15) / 1e6, 6)
  })

  it('include the recorded cost, per reply or as a running total', () => {
    const home = temporaryHome()
    const shop = { cwd: '/srv/shop', sessionId: uuid(60) }
    const sums = (sonnet: number, haiku: number) => ({
      ...{ type: 'cost-state', sessionId: uuid(60), totalCostUSD: sonnet + haiku },
      modelUsage: { 'claude-sonnet-4-6': { costUSD: sonnet }, 'claude-haiku-4-5': { costUSD: haiku } },
    })
    const later = { timestamp: '2026-11-03T10:00:00.000Z' }
    const file = [
      claude.user(1, 'Fix the till', shop),
      { ...reply(2, [text('Done.')], { usage: usage(100, 10) }), costUSD: 4 },
      sums(0.5, 0.25),
      sums(0.5, 0.25),
      claude.user(3, 'And the other', { ...shop, ...later }),
      sums(1.5, 0.25),
      // The program was started again and did not know the earlier total.
      sums(0.125, 0),
    ]
    putClaude(home, uuid(60), file)
    // A copy repeats the value.
    putClaude(home, uuid(61), file)
    const { totals, rows } = stats(home, '--by', 'day')
    expect(totals).toMatchObject({
      recordedCost: 5.875,
      messages: { human: 2, agent: 1 },
      unpricedModels: [],
    })
    expect(rows.map(({ key, recordedCost }) => [key, recordedCost])).toEqual([
      ['2026-11-01', 4.75],
      ['2026-11-03', 1.125],
    ])
    expect(
      stats(home, '--by', 'model').rows.map((row) => [row.key, row.recordedCost, row.cost, row.messages]),
    ).toEqual([
      ['claude-sonnet-4-6', 5.625, 0.00045, { human: 0, agent: 1 }],
      ['claude-haiku-4-5', 0.25, null, { human: 0, agent: 0 }],
    ])
  })

  it.each([
    ['day', ['2026-11-01', '2026-11-09']],
    ['week', ['2026-W44', '2026-W46']],
    ['month', ['2026-11']],
    ['project', ['shop', 'garden']],
    ['agent', ['claude', 'main']],
    ['platform', ['claude-code', 'openclaw']],
    ['model', ['acme-9', 'claude-sonnet-4-5', 'claude-sonnet-4-6']],
    ['tool', ['Edit', 'Read']],
    ['session', [uuid(50), uuid(51), 'a']],
    ['project-day', ['2026-11-01 shop', '2026-11-09 garden']],
    ['block', ['2026-11-01 10:00', '2026-11-09 23:00']],
  ])('by %s add up to the totals', (by, keys) => {
    const answer = stats(counted, '--by', by)
    expect(answer.by).toBe(by)
    for (const key of keys) expect(answer.rows.map((row) => row.key)).toContain(key)
    const sum = (of: (row: (typeof answer.rows)[number]) => number): number =>
      answer.rows.reduce((all, row) => all + of(row), 0)
    if (by !== 'tool') expect(sum((row) => row.inputTokens)).toBe(answer.totals.inputTokens)
    if (by !== 'model' && by !== 'block') expect(sum((row) => row.toolCalls)).toBe(answer.totals.toolCalls)
    if (by !== 'tool')
      expect(sum((row) => row.messages.agent)).toBeGreaterThanOrEqual(answer.totals.messages.agent)
  })

  it('use the days of the local time zone', () => {
    const { stdout } = run(['stats', '--json'], counted, { env: { TZ: 'Pacific/Auckland' } })
    expect(JSON.parse(stdout).rows.map(({ key }: Json) => key)).toContain('2026-11-10')
  })

  it('can be limited to a project or to a time range', () => {
    expect(stats(counted, 'shop').totals).toMatchObject({ sessions: 1, inputTokens: 600, unpricedModels: [] })
    expect(stats(counted, '--since', '2026-11-05').totals).toMatchObject({
      sessions: 1,
      inputTokens: 7,
      cost: null,
    })
    expect(stats(counted, '--until', '2026-11-05').totals).toMatchObject({ sessions: 2, inputTokens: 1600 })
    expect(stats(counted, '--platform', 'openclaw').totals).toMatchObject({ sessions: 1, inputTokens: 1000 })
  })

  it('remain the same if a transcript is gone, and count later ones', () => {
    const home = countedHome()
    stats(home)
    rmSync(join(home, '.claude/projects/-home-ann-garden', `${uuid(50)}.jsonl`))
    expect(stats(home).totals.inputTokens).toBe(1607)
    putOpenclaw(home, 'b.jsonl', [openclaw.header('b'), openclaw.user(1, 'Good evening')])
    expect(stats(home).totals.messages.human).toBe(5)
  })

  it.each(usageTrees.map((tree) => [tree.name, tree] as const))('count each token once: %s', (_, tree) => {
    const home = temporaryHome()
    tree.write(home)
    const { cost, ...tokens } = tree.tokens
    const { totals } = stats(home)
    expect(totals).toMatchObject(tokens)
    expect(totals.cost).toBeCloseTo(cost, 6)
  })

  it('include web searches and fast mode, and name terms that the costs do not include', () => {
    const home = temporaryHome()
    cpSync(fixtureRoot('billed-apart').path, join(home, '.claude'), { recursive: true })
    const answer = stats(home, '--by', 'model')
    const costs = new Map(answer.rows.map(({ key, cost }) => [key, cost]))
    expect(costs.get('web search')).toBeCloseTo(0.03, 9)
    const perReply = costs.get('claude-opus-4-6')! / 3
    expect(costs.get('claude-opus-4-6[fast]')).toBeCloseTo(6 * perReply, 6)
    expect(answer.notPriced).toEqual([
      { terms: 'data residency in us (1.1 × the price), batch (half the price)', requests: 1 },
    ])
    expect(run(['stats'], home).stdout).toContain('data residency in us')
  })

  it('name the last activity before a span with none, with a command that finds it', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'water the ferns')])
    const { stdout, code } = run(['stats', 'garden', '--since', '1d', '--platform', 'claude-code'], home)
    expect({ stdout, code }).toMatchInlineSnapshot(`
      {
        "code": 1,
        "stdout": "Nothing to count.
      The last activity before was on 2026-11-01: scrollback stats garden --platform claude-code --since 2026-11-01
      ",
      }
    `)
    expect(run(['stats', 'garden', '--since', '2026-11-01', '--platform', 'claude-code'], home).code).toBe(0)
    expect(stats(home, '--since', '1d')).toMatchObject({ lastAt: expect.stringMatching(/^2026-11-01T/) })
  })

  it('say that deleted transcripts on disk are not counted', () => {
    const home = temporaryHome()
    putOpenclaw(home, 'a.jsonl', [openclaw.header('a'), openclaw.user(1, 'Good morning')])
    const deleted = 'b.jsonl.deleted.2026-11-01T10-00-00.000Z'
    putOpenclaw(home, deleted, [openclaw.header('b'), openclaw.user(2, 'Good night')])
    const { stderr } = run(['stats'], home)
    expect(stderr).toBe('1 deleted transcript on disk is not counted: scrollback stats --deleted\n')
    expect(run(['stats', '--deleted'], home).stderr).toBe('')
  })

  it('are formatted as text', async () => {
    for (const by of ['day', 'model', 'tool']) {
      const { stdout } = run(['stats', '--by', by], counted)
      await expect(stdout).toMatchFileSnapshot(join(import.meta.dirname, `output/stats-${by}.txt`))
    }
    expect(run(['stats'], temporaryHome()).stdout).toBe('Nothing to count.\n')
  })
})
