import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StatsAnswer } from '../../src/commands/stats/figures.ts'
import { fixtureRoot } from '../claude-code-fixtures.ts'
import { type Json, json, run } from '../program.ts'
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

  it('add up to the totals, by whatever they are grouped', () => {
    // The keys and sums of single rows are in the tests of `summarize`.
    for (const [by, keys] of [
      ['project-day', ['2026-11-01 (none)', '2026-11-01 shop', '2026-11-09 garden']],
      ['model', ['acme-9', 'claude-sonnet-4-5', 'claude-sonnet-4-6']],
      ['tool', ['Edit', 'Read']],
      ['session', [uuid(50), uuid(51), 'a']],
      ['block', ['2026-11-01 10:00', '2026-11-09 23:00']],
    ] as const) {
      const answer = stats(counted, '--by', by)
      expect(answer.by).toBe(by)
      expect(answer.rows.map((row) => row.key).toSorted()).toEqual(keys.toSorted())
      const sum = (of: (row: (typeof answer.rows)[number]) => number): number =>
        answer.rows.reduce((all, row) => all + of(row), 0)
      if (by !== 'tool') expect(sum((row) => row.inputTokens)).toBe(answer.totals.inputTokens)
      if (by !== 'model' && by !== 'block') expect(sum((row) => row.toolCalls)).toBe(answer.totals.toolCalls)
      if (by !== 'tool')
        expect(sum((row) => row.messages.agent)).toBeGreaterThanOrEqual(answer.totals.messages.agent)
    }
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
        "stdout": "Nothing to count in this time. The last activity was on 2026-11-01: scrollback stats garden --platform claude-code --since 2026-11-01
      ",
      }
    `)
    expect(run(['stats', 'garden', '--since', '2026-11-01', '--platform', 'claude-code'], home).code).toBe(0)
    expect(stats(home, '--since', '1d')).toMatchObject({ lastAt: expect.stringMatching(/^2026-11-01T/) })
  })

  it('name the last activity of all where nothing happened in a span or before it', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'water the ferns')])
    const { stdout, code } = run(['stats', '2020-01'], home)
    expect([stdout, code]).toEqual([
      'Nothing to count in this time. The last activity was on 2026-11-01: scrollback stats --since 2026-11-01 --until 2026-11-01\n',
      1,
    ])
    expect(run(['stats', '--since', '2026-11-01', '--until', '2026-11-01'], home).code).toBe(0)
    const answer = stats(home, '--until', '2020-01')
    expect(answer).toMatchObject({ laterAt: expect.stringMatching(/^2026-11-01T/) })
    expect(answer).not.toHaveProperty('lastAt')
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
    expect(run(['stats'], temporaryHome()).stdout).toMatch(
      /^Nothing to count. Searched:\n {2}✗ no folder of Claude Code, .* or .*\n$/,
    )
  })
})

const HOUR = 3_600_000
const statsOfStatsRows = (home: string, ...args: string[]): StatsAnswer =>
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
    expect(keys(statsOfStatsRows(three, '--by', 'session', '--limit', '2'))).toEqual([uuid(2), uuid(1)])
    expect(keys(statsOfStatsRows(three, '--by', 'model', '--limit', '1'))).toEqual(['claude-sonnet-4-6'])
    expect(keys(statsOfStatsRows(three, '--by', 'day', '--limit', '2'))).toEqual(['2026-11-02', '2026-11-03'])
  })

  it('can be reversed without selecting others', () => {
    expect(keys(statsOfStatsRows(three, '--by', 'session', '--limit', '2', '--order', 'asc'))).toEqual([
      uuid(1),
      uuid(2),
    ])
    expect(keys(statsOfStatsRows(three, '--by', 'day', '--limit', '2', '--order', 'desc'))).toEqual([
      '2026-11-03',
      '2026-11-02',
    ])
  })

  it('state how many there are, and end with the total of all', () => {
    const answer = statsOfStatsRows(three, '--by', 'session', '--limit', '2')
    expect(answer).toMatchObject({ rowsTotal: 3, rowsSum: { outputTokens: 6000, sessions: 3 } })
    const shown = run(['stats', '--by', 'session', '--limit', '2'], three).stdout
    expect(shown).toContain('2 of 3 rows')
    expect(shown).toMatch(/^Total of 3\t.*\t6\.0k\t/m)
    expect(run(['stats', '--by', 'session'], three).stdout).toMatch(/^Total\t/m)
  })

  it('show the models of a day', () => {
    const { rows } = statsOfStatsRows(three, '--by', 'month', '--breakdown')
    expect(rows[0]!.models).toMatchObject([
      { model: 'claude-sonnet-4-6', replies: 2, outputTokens: 4000 },
      { model: 'claude-haiku-4-5', replies: 1, outputTokens: 2000 },
    ])
    expect(run(['stats', '--by', 'tool', '--breakdown'], three)).toMatchObject({ code: 2 })
  })

  it('have the name of a tool that looks like a key, and no secret in a name', () => {
    const home = temporaryHome()
    const secret = `ghp_${'1aB2cD3eF4'.repeat(4).slice(0, 36)}`
    const calls = ['tea_pot-v2__brew_7da5942e', secret].map((name, at) => call(`t${at}`, name, {}))
    putClaude(home, uuid(1), [claude.user(1, 'Brew'), claude.reply(2, calls)])
    expect(keys(statsOfStatsRows(home, '--by', 'tool')).sort()).toEqual([
      '[REDACTED:github-token]',
      'tea_pot-v2__brew_7da5942e',
    ])
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
    const { rows } = statsOfStatsRows(home, '--by', 'session')
    expect(rows).toMatchObject([{ key: uuid(1), outputTokens: 1500, title: 'Task 1' }])
  })

  it('start days in the named time zone', () => {
    const home = temporaryHome()
    session(home, 1, Date.UTC(2026, 10, 1, 23), 1000)
    expect(keys(statsOfStatsRows(home, '--timezone', 'Asia/Shanghai'))).toEqual(['2026-11-02'])
    expect(keys(statsOfStatsRows(home, '--timezone', 'America/New_York'))).toEqual(['2026-11-01'])
    expect(
      statsOfStatsRows(home, '--timezone', 'Asia/Shanghai', '--since', '2026-11-02').totals.sessions,
    ).toBe(1)
    expect(statsOfStatsRows(home, '--timezone', 'UTC', '--since', '2026-11-02').totals.sessions).toBe(0)
    expect(run(['stats', '--timezone', 'Shanghai/Bund'], home)).toMatchObject({ code: 2 })
  })

  it('are blocks of five hours from the full hour of a first reply', () => {
    const home = temporaryHome()
    const first = Date.UTC(2026, 10, 1, 10, 40)
    session(home, 1, first, 1000)
    // Within the block, just before its end; then exactly at its end.
    session(home, 2, Date.UTC(2026, 10, 1, 14, 59), 2000)
    session(home, 3, Date.UTC(2026, 10, 1, 15), 4000)
    const { rows } = statsOfStatsRows(home, '--by', 'block')
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
    expect(keys(statsOfStatsRows(home, '--by', 'block', '--since', '2026-11-01T15:30'))).toEqual([
      '2026-11-01 15:00',
    ])
  })

  it('leave out replies without a time, and say so', () => {
    const demo = temporaryHome()
    expect(run(['stats', '--demo', '--by', 'block'], demo).stderr).toMatch(/in no block: [\d.]+k tokens\./)
    expect(run(['stats', '--demo', '--by', 'block', '--since', '2026-10-01'], demo).stderr).not.toContain(
      'in no block',
    )
  })

  it('show the pace of the current block, and its projection', () => {
    const home = temporaryHome()
    session(home, 1, Date.now() - HOUR / 2, 60_000)
    const { block } = statsOfStatsRows(home, '--by', 'block').rows[0]!
    expect(block!.pace!.tokensPerMinute).toBeGreaterThan(1000)
    expect(block!.pace!.projectedTokens).toBeGreaterThanOrEqual(60_001)
    expect(block!.pace!.costPerHour).toBeGreaterThan(0.5)
    expect(run(['stats', '--by', 'block'], home).stdout).toContain('at that pace')
  })
})

const MODEL = 'claude-sonnet-4-6'
const PARENT = uuid(70)
const FORK = uuid(71)
/** When the parent started. Its forks repeat this. */
const SUM = 1795311546110

const replyOfRecordedUsage = (number: number, words: string, session: string) => {
  const { message, ...rest } = claude.reply(number, [text(words)], { sessionId: session })
  return { ...rest, message: { ...message, model: MODEL, usage: { input_tokens: 10, output_tokens: 1 } } }
}
const user = (number: number, words: string, session: string) =>
  claude.user(number, words, { sessionId: session })
/** The running total of the client: more than the replies, because it also requests titles. */
const stated = (dollars: number, session: string) => ({
  ...{ type: 'cost-state', sessionId: session, startTime: SUM, totalCostUSD: dollars },
  modelUsage: {
    [MODEL]: {
      ...{ inputTokens: dollars * 100, outputTokens: dollars * 10 },
      ...{ cacheReadInputTokens: dollars * 1000, cacheCreationInputTokens: 0, costUSD: dollars },
    },
  },
})
const begun = (session: string) => [
  user(1, 'Paint the door', session),
  replyOfRecordedUsage(2, 'Which colour?', session),
]
const parent = [
  ...begun(PARENT),
  stated(1, PARENT),
  user(3, 'Moss green', PARENT),
  replyOfRecordedUsage(4, 'Painted.', PARENT),
  stated(1.5, PARENT),
]
const fork = [
  ...begun(FORK),
  user(13, 'Fern green', FORK),
  replyOfRecordedUsage(14, 'Painted too.', FORK),
  stated(1.75, FORK),
]

const rows = (home: string) =>
  Object.fromEntries(json(home, 'sessions', '--all').sessions.map(({ id, recorded }: Json) => [id, recorded]))
const totals = (home: string) => json(home, 'stats', '--all').totals

it('tokens of reasoning are shown as a part of the output, once, and have a column if there are any', () => {
  const home = temporaryHome()
  const usage = { input: 10, output: 2000, reasoning: 1500, totalTokens: 2010 }
  const replied = openclaw.message(2, { role: 'assistant', content: [text('Moss.')], model: 'gpt-6', usage })
  for (const id of [uuid(1), uuid(2)])
    putOpenclaw(home, `${id}.jsonl`, [openclaw.header(id), openclaw.user(1, 'Which green?'), replied])
  expect(json(home, 'stats')).toMatchObject({
    totals: { inputTokens: 10, outputTokens: 2000, reasoningTokens: 1500 },
    rows: [{ outputTokens: 2000, reasoningTokens: 1500 }],
  })
  const wide = (name: string): string =>
    run(['stats', '--by', name], home, { env: { COLUMNS: '130' } }).stdout
  expect(wide('day')).toContain('2.0k: 10 in, 2.0k out (1.5k of it reasoning), 0 read from the cache')
  expect(wide('model')).toContain('OUT  REASONING  CACHE READ')
  expect(run(['stats', '--by', 'model'], home).stdout).toContain('\tOUT\tREASONING\t')
  putClaude(home, PARENT, parent)
  expect(run(['stats', '--platform', 'claude-code'], home, { env: { COLUMNS: '130' } }).stdout).not.toMatch(
    /reasoning/i,
  )
})

describe('usage that a client adds up itself', () => {
  it('is shown next to the tokens of the replies, and not included in them', () => {
    const home = temporaryHome()
    putClaude(home, PARENT, parent)
    expect(rows(home)[PARENT]).toMatchObject({ input: 150, output: 15, cacheRead: 1500, cost: 1.5 })
    expect(totals(home)).toMatchObject({
      ...{ inputTokens: 20, outputTokens: 2, recordedCost: 1.5 },
      recordedTokens: { input: 150, output: 15, cacheRead: 1500, cacheWrite: 0 },
    })
    expect(run(['stats', '--all'], home).stdout).toContain(
      'recorded    1.7k tokens, with titles, summaries and subagents\n',
    )
  })

  it.each([
    ['first', [PARENT, FORK]],
    ['last', [FORK, PARENT]],
  ])('counts once if a fork copied it and the parent was indexed %s', (_, order) => {
    const home = temporaryHome()
    for (const id of order) {
      putClaude(home, id, id === PARENT ? parent : fork)
      run(['index'], home)
    }
    expect(rows(home)).toMatchObject({
      [PARENT]: { input: 150, cost: 1.5 },
      [FORK]: { input: 75, output: 7.5, cacheRead: 750, cost: 0.75 },
    })
    expect(totals(home)).toMatchObject({ recordedCost: 2.25, recordedTokens: { input: 225 } })
  })

  it('belongs to the fork from its start on, also if the parent continues, and in a fork of the fork', () => {
    const home = temporaryHome()
    putClaude(home, PARENT, parent.slice(0, 3))
    putClaude(home, FORK, fork)
    expect(rows(home)[FORK]).toMatchObject({ cost: 0.75 })
    putClaude(home, PARENT, parent)
    const again = uuid(72)
    const own = (each: object) => ({ ...each, sessionId: again })
    putClaude(home, again, [
      ...fork.slice(0, -1).map(own),
      user(23, 'Once more', again),
      replyOfRecordedUsage(24, 'Painted again.', again),
      stated(2, again),
    ])
    expect(rows(home)).toMatchObject({
      ...{ [PARENT]: { cost: 1.5 }, [FORK]: { cost: 0.75 } },
      [again]: { cost: 0.25 },
    })
    expect(totals(home).recordedCost).toBe(2.5)
  })
})

it('sessions without a time, and with one that no clock shows, are in no span, and the answer says so', () => {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'Water the moss', { timestamp: undefined })])
  const late = { timestamp: '+275760-09-13T00:00:00.000Z' }
  putClaude(home, uuid(2), [claude.user(2, 'And the fern', late), { ...reply(3, [text('Done.')]), ...late }])
  putClaude(home, uuid(3), [claude.user(4, 'And the reed', { timestamp: '1970-01-01T00:00:00.000Z' })])
  const today = run(['stats', '--since', '1d'], home)
  expect(today.stderr).toContain(
    '3 sessions of this time, by the time of their files, are not counted, because none of their records has a time.',
  )
  expect(json(home, 'sessions', '--all', '--since', '1d').total).toBe(3)
  expect(run(['stats', '--since', '2026-01-01', '--until', '2026-01-02'], home).stderr).not.toContain(
    'by the time',
  )
  expect(json(home, 'stats').rows.map(({ key }: Json) => key)).toEqual(['(no time)'])
  expect(run(['stats', '--by', 'block'], home).code).toBe(0)
  expect(json(home, 'sessions', '--all').sessions.map(({ startedAt }: Json) => startedAt)).toEqual([
    null,
    null,
    null,
  ])
})
