import { join } from 'node:path'
import { put, uuid } from './records.ts'

/** Token counts as `stats` names them. */
export interface Tokens {
  inputTokens: number
  outputTokens: number
  cacheReadTokens: number
  cacheCreationTokens: number
  /** US dollars. */
  cost: number
}

/** A tree of Claude Code with its totals, counted by hand, and those of ccusage if they differ. */
export interface UsageTree {
  name: string
  write(home: string): void
  tokens: Tokens
  ccusage?: Tokens
  /** Why the two differ. */
  why?: string
}

const MODEL = 'claude-sonnet-4-20250514'
const usage = (output: number) => ({
  input_tokens: 10,
  cache_creation_input_tokens: 100,
  cache_read_input_tokens: 1000,
  output_tokens: output,
})

/** Replies with this `usage`, and their total output. */
const sums = (replies: number, outputTokens: number): Tokens => ({
  inputTokens: 10 * replies,
  outputTokens,
  cacheReadTokens: 1000 * replies,
  cacheCreationTokens: 100 * replies,
  cost: (replies * (10 * 3 + 1000 * 0.3 + 100 * 3.75) + outputTokens * 15) / 1e6,
})

let records = 0
const reply = (message: string, request: string | undefined, output: number, more: object = {}) => {
  records++
  return {
    ...{ parentUuid: null, isSidechain: false, cwd: '/srv/shop', sessionId: uuid(1), version: '2.1.112' },
    type: 'assistant',
    uuid: `5a1b2c3d-1111-4222-8333-${String(records).padStart(12, '0')}`,
    timestamp: `2026-11-02T10:${String(records % 60).padStart(2, '0')}:00.000Z`,
    ...(request === undefined ? {} : { requestId: request }),
    message: {
      ...{ id: message, type: 'message', role: 'assistant', model: MODEL, stop_reason: 'end_turn' },
      content: [{ type: 'text', text: `words ${records}` }],
      usage: usage(output),
    },
    ...more,
  }
}

const session = (home: string, name: string, lines: readonly object[]) =>
  put(join(home, '.claude/projects/-srv-shop', `${name}.jsonl`), lines)

export const usageTrees: readonly UsageTree[] = [
  {
    name: 'plain replies',
    write: (home) => void session(home, uuid(1), [reply('m1', 'r1', 5), reply('m2', 'r2', 7)]),
    tokens: sums(2, 12),
  },
  {
    name: 'one reply over several lines, with growing figures',
    write: (home) =>
      void session(home, uuid(1), [reply('m1', 'r1', 2), reply('m1', 'r1', 50), reply('m1', 'r1', 50)]),
    tokens: sums(1, 50),
  },
  {
    name: 'lines of one reply without a request id',
    write: (home) => void session(home, uuid(1), [reply('m1', undefined, 50), reply('m1', undefined, 50)]),
    tokens: sums(1, 50),
    ccusage: sums(2, 100),
    why: 'without a request id ccusage counts each line as a separate reply',
  },
  {
    name: 'replies with one message id and different request ids, in one file and in two',
    write: (home) => {
      session(home, uuid(1), [reply('m1', 'r1', 50), reply('m1', 'r2', 60), reply('m1', 'r3', 70)])
      session(home, uuid(2), [reply('m1', 'r4', 7, { sessionId: uuid(2) })])
    },
    tokens: sums(4, 187),
  },
  {
    name: 'a side question that replays its parent',
    write: (home) => {
      const parent = [reply('m1', 'r1', 50), reply('m2', 'r2', 60)]
      session(home, uuid(1), parent)
      session(home, join(uuid(1), 'subagents/agent-aside_question-00ff'), [
        reply('m1', 'r9', 50, { isSidechain: true }),
        reply('m2', 'r9', 60, { isSidechain: true }),
        reply('m3', 'r9', 7, { isSidechain: true }),
      ])
    },
    tokens: sums(3, 117),
  },
  {
    name: 'a fork that keeps the ids of its parent',
    write: (home) => {
      const parent = [reply('m1', 'r1', 50), reply('m2', 'r2', 60)]
      session(home, uuid(1), parent)
      session(home, uuid(2), [...parent, reply('m3', 'r3', 7, { sessionId: uuid(2) })])
    },
    tokens: sums(3, 117),
  },
  {
    name: 'a resumed session that copies its history',
    write: (home) => {
      const before = [reply('m1', 'r1', 50)]
      session(home, uuid(1), before)
      session(home, uuid(3), [...before, reply('m2', 'r2', 60)])
    },
    tokens: sums(2, 110),
  },
  {
    name: 'a subagent in a file of its own',
    write: (home) => {
      session(home, uuid(1), [reply('m1', 'r1', 50)])
      session(home, join(uuid(1), 'subagents/agent-a1'), [reply('m2', 'r2', 60, { isSidechain: true })])
    },
    tokens: sums(2, 110),
  },
  {
    name: 'cache writes that last an hour, which cost more',
    write: (home) => {
      const plain = reply('m1', 'r1', 50)
      const hour = { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 }
      const { message } = plain
      session(home, uuid(1), [
        { ...plain, message: { ...message, usage: { ...message.usage, cache_creation: hour } } },
      ])
    },
    tokens: { ...sums(1, 50), cost: sums(1, 50).cost + (60 * (6 - 3.75)) / 1e6 },
  },
  {
    name: 'text of the client instead of a reply',
    write: (home) => {
      const none = {
        input_tokens: 0,
        output_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      }
      const synthetic = reply('m9', undefined, 0)
      session(home, uuid(1), [
        reply('m1', 'r1', 50),
        { ...synthetic, message: { ...synthetic.message, model: '<synthetic>', usage: none } },
      ])
    },
    tokens: sums(1, 50),
  },
]
