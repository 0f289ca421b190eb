import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { type Json, json } from '../program.ts'
import { call, claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const read = (home: string, ...args: string[]): Json => json(home, 'read', ...args)

const sumOf = (items: readonly Json[]): Json => {
  const used = items.flatMap(({ usage }) => usage ?? [])
  const sum = (figure: string): number =>
    used.reduce((total, usage) => total + Math.round((usage[figure] ?? 0) * 1e6), 0) / 1e6
  if (used.length === 0) return undefined
  return {
    ...{ input: sum('input'), output: sum('output') },
    ...{ cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') },
    ...(sum('cacheWriteHour') === 0 ? {} : { cacheWriteHour: sum('cacheWriteHour') }),
    ...(sum('cost') === 0 ? {} : { cost: sum('cost') }),
  }
}

const tokens = (output: number) => ({
  input_tokens: 3,
  output_tokens: output,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 20,
  cache_creation: { ephemeral_1h_input_tokens: 20 },
})

/** A block of a reply as Claude Code writes it: the usage grows, and the last block has the stop reason. */
const block = (number: number, id: string, content: object, output: number, stop: string | null) =>
  claude.reply(number, [content], {
    message: {
      ...{ id, type: 'message', role: 'assistant', model: 'claude-sonnet-4-6', content: [content] },
      ...{ stop_reason: stop, usage: tokens(output) },
    },
  })

const claudeLines = [
  claude.user(1, 'plant the beans'),
  block(2, 'msg_a', text('First I look.'), 1, null),
  block(3, 'msg_a', call('c1', 'Read', { file_path: '/srv/a.txt' }), 1, null),
  block(4, 'msg_a', call('c2', 'Read', { file_path: '/srv/b.txt' }), 70, 'tool_use'),
  claude.result(5, 'c1', 'rows of beans'),
  block(6, 'msg_b', call('c3', 'Read', { file_path: '/srv/c.txt' }), 9, 'tool_use'),
  block(7, 'msg_c', text('Planted.'), 5, 'end_turn'),
]

const openclawLines = [
  openclaw.header(uuid(7)),
  openclaw.user(1, 'water them'),
  openclaw.message(2, {
    ...{ role: 'assistant', model: 'gpt-6', stopReason: 'toolUse' },
    content: [text('I will.'), { type: 'toolCall', id: 'd1', name: 'exec', arguments: { command: 'water' } }],
    usage: { input: 11, output: 22, cacheRead: 33, cacheWrite: 0, cost: { total: 0.25 } },
  }),
  openclaw.message(3, {
    ...{ role: 'assistant', model: 'gpt-6', stopReason: 'stop', content: [text('Done.')] },
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: { total: 0.5 } },
  }),
]

function garden(): string {
  const home = temporaryHome()
  putClaude(home, uuid(0), claudeLines)
  putOpenclaw(home, `${uuid(7)}.jsonl`, openclawLines)
  return home
}

const WAYS = [[], ['--no-redact'], ['--full'], ['--fold']] as const

describe('the usage of a reply, on the items of read --json', () => {
  it('is on the first item of the reply, with its final counts', () => {
    const home = garden()
    const items: Json[] = read(home, uuid(0)).items
    expect(items.map(({ line, stopReason, usage }) => [line, stopReason, usage?.output])).toEqual([
      [1, undefined, undefined],
      [2, undefined, 70],
      [3, undefined, undefined],
      [4, 'tool_use', undefined],
      [6, 'tool_use', 9],
      [7, 'end_turn', 5],
    ])
    expect(items.map(({ model }) => model)).toEqual([undefined, ...Array(5).fill('claude-sonnet-4-6')])
    const others: Json[] = read(home, uuid(7)).items
    expect(others.map(({ who, model, stopReason, usage }) => [who, model, stopReason, usage?.cost])).toEqual([
      ['human', undefined, undefined, undefined],
      ['agent', 'gpt-6', 'toolUse', 0.25],
      ['tool', 'gpt-6', 'toolUse', undefined],
      ['agent', 'gpt-6', 'stop', 0.5],
    ])
  })

  it.each(WAYS.map((way) => [way] as const))('adds up to the usage of the session: %s', (way) => {
    const home = garden()
    for (const id of [uuid(0), uuid(7)]) {
      const { items, sessions } = read(home, id, ...way)
      expect(sumOf(items), id).toEqual(sessions[0].usage)
    }
  })

  it('is the same from the store and from the transcript, also in the demo', () => {
    const home = garden()
    expect(read(home, '--all', '--no-redact').items).toEqual(read(home, '--all').items)
    const demo = read(temporaryHome(), '--all', '--demo')
    const facts = ({ items }: Json) =>
      items.map(({ line, model, stopReason, usage }: Json) => ({ line, model, stopReason, usage }))
    expect(facts(read(temporaryHome(), '--all', '--demo', '--no-redact'))).toEqual(facts(demo))
    const short = demo.sessions.filter(({ path, usage }: Json) => {
      const sum = sumOf(demo.items.filter((item: Json) => item.path === path))
      return JSON.stringify(sum) !== JSON.stringify(usage)
    })
    expect(short.map(({ id }: Json) => id)).toEqual([
      // Its client states the usage of a request before the reply.
      'session_bab56350-334e-4e23-804b-dcb3cfa38423',
      // Its last reply is NO_REPLY, which is not shown.
      '12699b42-fa15-4cd2-beea-5d971e9077cb',
    ])
  })

  it('is added if the reply continues after it was stored, and to messages of older stores', () => {
    const home = temporaryHome()
    putClaude(home, uuid(0), claudeLines.slice(0, 3))
    expect(read(home, uuid(0)).items.map(({ usage }: Json) => usage?.output)).toEqual([
      undefined,
      1,
      undefined,
    ])
    const path = putClaude(home, uuid(0), claudeLines)
    const whole = read(home, uuid(0)).items
    expect(sumOf(whole).output).toBe(84)
    using database = new DatabaseSync(join(home, '.local/share/scrollback/store.sqlite'))
    database.exec('UPDATE message SET more = NULL')
    database.exec('UPDATE artifact SET parser = parser - 1')
    database.exec('DELETE FROM settled')
    database.close()
    expect(read(home, path).items).toEqual(whole)
  })
})
