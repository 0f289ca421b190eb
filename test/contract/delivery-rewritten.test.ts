import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deliver } from '../../src/deliver/delivery/deliver.ts'
import { inventory, type Source } from '../../src/deliver/delivery/inventory.ts'
import { prepareSlice } from '../../src/deliver/delivery/prepare.ts'
import { readRecords } from '../../src/deliver/delivery/read-records.ts'
import { openDeliveryState } from '../../src/deliver/delivery/state.ts'
import { platformOf } from '../../src/platforms/index.ts'
import { SinkError } from '../../src/sinks/sink.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
import { SETTINGS } from './delivered-life.ts'

it.each([1, 2, 6])(
  'a long line that is rewritten in place is sent again, %i lines before the end',
  (back) => {
    const home = temporaryHome()
    const numbers = Array.from({ length: 9 }, (_, number) => number + 1)
    const path = putClaude(
      home,
      uuid(1),
      numbers.map((number) => claude.user(number, `first ${'moss '.repeat(1900)}`)),
    )
    const row = platformOf('claude-code').delivery.table.find(
      (each) => 'kind' in each && each.kind === 'transcript',
    )
    const source = {
      row,
      platform: 'claude-code',
      root: home,
      path,
      name: 'x.jsonl',
      agent: 'claude',
      session: uuid(1),
      state: 'live',
      bytes: 0,
      modifiedMs: 0,
      identity: 'one',
    } as Source
    const { next } = readRecords({ source, settings: SETTINGS, nowMs: Date.now() })
    const lines = readFileSync(path, 'utf8').split('\n')
    lines[numbers.length - back] = lines[numbers.length - back]!.replace('first', 'other')
    writeFileSync(path, lines.join('\n'))
    const again = readRecords({ source, checkpoint: next, settings: SETTINGS, nowMs: Date.now() })
    expect(again.next.generation).toBe(2)
    expect(Buffer.concat(again.chunks.map(({ bytes }) => bytes)).toString()).toContain('"other moss')
  },
)

it('a record that is rewritten during the delivery of its file arrives after its old form', async () => {
  const home = temporaryHome()
  const many = (words: string) =>
    Array.from({ length: 30 }, (_, number) => claude.user(number + 1, words.repeat(20_000)))
  const path = putClaude(home, uuid(1), many('before '))
  const state = openDeliveryState(join(home, 'state.sqlite'))
  const { id } = state.addDestination('test:', 'all', null, 0)
  const arrived = new Map<string, string>()
  let slices = 0
  let tries = 0
  await deliver(
    inventory({ home, variables: {}, dirs: { 'claude-code': [join(home, '.claude')], openclaw: [] } }),
    {
      state,
      destination: id,
      concurrency: 1,
      nowMs: Date.now,
      random: () => 0,
      settings: { ...SETTINGS, maxBytes: 8_000_000, maxRecords: 1000 },
      sink: {
        name: 'test',
        window: 4,
        async write({ bytes }) {
          if (tries++ === 0) throw new SinkError('retry', 'again')
          for (const line of Buffer.from(bytes).toString().split('\n').slice(0, -1)) {
            const record = JSON.parse(line) as { id: string; raw: { message: { content: string } } }
            arrived.set(record.id, record.raw.message.content.slice(0, 6))
          }
        },
      },
      async prepare(task) {
        const slice = prepareSlice(task, String)
        if (++slices === 1) put(path, many('after  '))
        return slice
      },
    },
  )
  state.close()
  expect(slices).toBeGreaterThan(2)
  expect([...arrived.values()]).toEqual(Array.from({ length: 30 }, () => 'after '))
})
