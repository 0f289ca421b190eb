import { describe, expect, it } from 'vitest'
import { type Json, json, run } from '../program.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'

const MODEL = 'claude-sonnet-4-6'
const PARENT = uuid(70)
const FORK = uuid(71)
/** When the parent started. Its forks repeat this. */
const SUM = 1795311546110

const reply = (number: number, words: string, session: string) => {
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
const begun = (session: string) => [user(1, 'Paint the door', session), reply(2, 'Which colour?', session)]
const parent = [
  ...begun(PARENT),
  stated(1, PARENT),
  user(3, 'Moss green', PARENT),
  reply(4, 'Painted.', PARENT),
  stated(1.5, PARENT),
]
const fork = [
  ...begun(FORK),
  user(13, 'Fern green', FORK),
  reply(14, 'Painted too.', FORK),
  stated(1.75, FORK),
]

const rows = (home: string) =>
  Object.fromEntries(json(home, 'sessions', '--all').sessions.map(({ id, recorded }: Json) => [id, recorded]))
const totals = (home: string) => json(home, 'stats', '--all').totals

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
      reply(24, 'Painted again.', again),
      stated(2, again),
    ])
    expect(rows(home)).toMatchObject({
      ...{ [PARENT]: { cost: 1.5 }, [FORK]: { cost: 0.75 } },
      [again]: { cost: 0.25 },
    })
    expect(totals(home).recordedCost).toBe(2.5)
  })
})
