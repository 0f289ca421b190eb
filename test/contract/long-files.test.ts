import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { discover } from '../../src/sync/discover.ts'
import { readIncrement } from '../../src/sync/read-increment.ts'
import { claude, openclaw, put, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate, claudeAt, contentOfAll, freshIndex } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

/** A tool result is read and not stored. */
const given = JSON.stringify(claude.result(1, 'toolu_1', 'a leaf '.repeat(200_000)))
const long = (): string =>
  Array.from(
    { length: 40 },
    (_, number) => `${JSON.stringify(claude.user(number + 1, `said ${number}`))}\n${given}\n`,
  ).join('')

describe.each(namedEngines)('on %s, a transcript that is longer than one read', (_, engine) => {
  it('counts as one file', () => {
    const home = temporaryHome()
    put(join(home, 'projects/-garden', `${uuid(1)}.jsonl`), long())
    const store = engine.open()
    expect(bringUpToDate(store, claudeAt(home))).toMatchObject({ read: 1, faults: [] })
    expect(store.statistics().messages).toBe(40)
  })

  it('is continued by the next refresh if the process ended before the whole was read', () => {
    const home = temporaryHome()
    put(join(home, 'projects/-garden', `${uuid(1)}.jsonl`), long())
    const store = engine.open()
    const [artifact] = discover(claudeAt(home)).artifacts
    const { increment } = readIncrement({ artifact: artifact! })
    store.write([increment])
    expect(increment.more).toBe(true)
    expect(store.statistics().messages).toBeLessThan(40)
    bringUpToDate(store, claudeAt(home))
    expect(contentOfAll(store)).toEqual(contentOfAll(freshIndex(claudeAt(home))))
    expect(store.statistics().messages).toBe(40)
  })

  it('is read whole if it is short only because it is compressed', () => {
    const home = temporaryHome()
    const result = {
      role: 'toolResult',
      toolCallId: 'call_1',
      content: [{ type: 'text', text: 'a leaf '.repeat(200_000) }],
    }
    const lines = [
      openclaw.header('moss'),
      ...Array.from({ length: 40 }, (_, number) => [
        openclaw.user(2 * number + 1, `said ${number}`),
        openclaw.message(2 * number + 2, result),
      ]).flat(),
    ]
    const packed = zstdCompressSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    put(join(home, 'agents/main/sessions/moss.jsonl.reset.2026-11-01T10-00-00.000Z.zst'), packed)
    const environment = { home: '/nowhere', variables: {}, dirs: { 'claude-code': [], openclaw: [home] } }
    const store = engine.open()
    expect(bringUpToDate(store, environment)).toMatchObject({ read: 1, faults: [] })
    expect(store.statistics().messages).toBe(40)
    expect(bringUpToDate(store, environment)).toMatchObject({ read: 0, unchanged: 1 })
  })
})
