import { describe, expect, it } from 'vitest'
import type { MinuteFigure } from '../store/figures.ts'
import { blocksOf, runningBlock } from './blocks.ts'
import type { Owner } from './summarize.ts'

const OWNER: Owner = {
  platform: 'fernwood',
  agent: 'fern',
  project: 'garden',
  session: 'one',
  own: '/one.jsonl',
  isOfPeople: true,
}
const ownerOf = (artifact: number): Owner | undefined => (artifact === 1 ? OWNER : undefined)
const priceOf = (): number => 2
const time = (text: string): number => Date.parse(`2026-11-${text}Z`)

/** A reply of 60 tokens that cost two dollars. */
const reply = (text: string, artifact = 1): MinuteFigure => ({
  atMs: time(text),
  figure: {
    artifact,
    model: 'oak',
    length: 0,
    replies: 1,
    input: 50,
    output: 10,
    cacheRead: 0,
    cacheWrite: 0,
    cacheWriteHour: 0,
    reasoning: 0,
    recorded: 0,
    recordedReplies: 0,
    statedInput: 0,
    statedOutput: 0,
    statedCacheRead: 0,
    statedCacheWrite: 0,
  },
})

const ALWAYS = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }
const blocks = (minutes: MinuteFigure[], limits = {}) =>
  blocksOf(minutes, ownerOf, priceOf, { now: time('30T00:00'), ...ALWAYS, ...limits })

const spans = (minutes: MinuteFigure[], limits = {}) =>
  blocks(minutes, limits).blocks.map(({ key, messages }) => [key.slice(8, 13), messages.agent])

describe('blocks of five hours', () => {
  it('begin with the full hour of their first reply, and end five hours later', () => {
    const [block] = blocks([reply('20T09:20'), reply('20T11:07')]).blocks
    expect(block).toMatchObject({
      key: '2026-11-20T09:00:00.000Z',
      fromMs: time('20T09:00'),
      untilMs: time('20T14:00'),
      firstMs: time('20T09:20'),
      lastMs: time('20T11:07'),
      messages: { agent: 2 },
      cost: 4,
    })
    expect(block).not.toHaveProperty('pace')
  })

  it.each([
    ['20T13:59', [['20T09', 2]]],
    [
      '20T14:00',
      [
        ['20T09', 1],
        ['20T14', 1],
      ],
    ],
    [
      '20T18:30',
      [
        ['20T09', 1],
        ['20T18', 1],
      ],
    ],
  ])('of 09:20 and %s are %j', (second, expected) => {
    expect(spans([reply('20T09:20'), reply(second)])).toEqual(expected)
  })

  it('leave out replies of files that belong to no session', () => {
    expect(spans([reply('20T07:20', 2), reply('20T09:20')])).toEqual([['20T09', 1]])
  })

  it('are limited to the requested time, wherever the earlier ones begin', () => {
    const minutes = [reply('20T09:20'), reply('20T13:10'), reply('20T14:10'), reply('20T20:00')]
    expect(spans(minutes, { since: time('20T14:00') })).toEqual([
      ['20T14', 1],
      ['20T20', 1],
    ])
    expect(spans(minutes, { since: time('20T13:59') })).toEqual([
      ['20T09', 2],
      ['20T14', 1],
      ['20T20', 1],
    ])
    expect(spans(minutes, { until: time('20T14:00') })).toEqual([
      ['20T09', 2],
      ['20T14', 1],
    ])
    expect(spans(minutes, { until: time('20T13:59') })).toEqual([['20T09', 2]])
    expect(blocks(minutes, { until: time('20T13:59') }).rowTotal.messages.agent).toBe(2)
  })
})

describe('the pace of the current block', () => {
  it('is measured since its first reply, and projected to its end', () => {
    const [block] = blocks([reply('20T09:30'), reply('20T10:00')], { now: time('20T10:30') }).blocks
    expect(block!.pace).toEqual({
      minutesLeft: 210,
      tokensPerMinute: 2,
      costPerHour: expect.closeTo(4),
      projectedTokens: 540,
      projectedCost: 18,
    })
  })

  it('is measured over at least a minute', () => {
    const [block] = blocks([reply('20T09:30')], { now: time('20T09:30:01') }).blocks
    expect(block!.pace).toMatchObject({ tokensPerMinute: 60, costPerHour: 120, minutesLeft: 270 })
  })

  it('has no cost if no model has a price', () => {
    const limits = { now: time('20T10:00'), ...ALWAYS }
    const [block] = blocksOf([reply('20T09:30')], ownerOf, () => undefined, limits).blocks
    expect(block!.pace).toMatchObject({ costPerHour: null, projectedCost: null })
  })

  it.each([
    ['20T09:00', true],
    ['20T13:59', true],
    ['20T14:00', false],
    ['20T08:59', false],
  ])('at %s exists: %s', (now, exists) => {
    expect('pace' in blocks([reply('20T09:30')], { now: time(now) }).blocks[0]!).toBe(exists)
  })
})

describe('the running block', () => {
  /** The running block, and the times from which replies were read. */
  function running(minutes: MinuteFigure[], now: string) {
    const read: number[] = []
    const minutesFrom = (fromMs: number): MinuteFigure[] => {
      read.push(fromMs)
      return minutes.filter(({ atMs }) => atMs >= fromMs)
    }
    return { block: runningBlock(minutesFrom, ownerOf, priceOf, time(now)), read }
  }

  it('needs only three days of replies if there was a pause', () => {
    const { block, read } = running([reply('01T00:00'), reply('20T09:20')], '20T10:00')
    expect(block).toMatchObject({ fromMs: time('20T09:00') })
    expect(read).toEqual([time('17T10:00')])
  })

  it('needs all replies if there was no pause of five hours', () => {
    const every = Array.from({ length: 40 }, (_, at) => ({
      ...reply('17T00:30'),
      atMs: time('17T00:30') + at * 2 * 3_600_000,
    }))
    const { block, read } = running(every, '20T07:00')
    expect(read).toEqual([time('17T07:00'), 0])
    // Blocks from half past midnight on: 00:30, 06:30, 12:30, 18:30 and so on.
    expect(block).toMatchObject({ fromMs: time('20T06:00'), messages: { agent: 1 } })
  })

  it('does not exist without recent replies, or after its end', () => {
    expect(running([], '20T10:00').block).toBeUndefined()
    expect(running([reply('01T00:00')], '20T10:00')).toEqual({ block: undefined, read: [time('17T10:00')] })
    expect(running([reply('20T01:00')], '20T10:00').block).toBeUndefined()
  })
})
