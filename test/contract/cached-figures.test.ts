import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { figuresTwice, ODD_ZONE } from '../figures-audit.ts'
import { call, claude, put, temporaryHome, text, uuid } from '../records.ts'
import { bringUpToDate, claudeAt, secondConnection } from '../store-audit.ts'

const HOUR = 3_600_000
const UTC = [{ fromMs: Number.MIN_SAFE_INTEGER, offsetMs: 0 }]
/** Records are numbered in minutes from here. */
const BEGIN = Date.UTC(2026, 10, 1, 10)
const DAY = 1440

/** Everything that is counted, on five days, and something without a time. */
const lines = (first = 1): object[] => [
  claude.user(first, 'Water the roses'),
  ...[0, 1, 2, 3, 4].flatMap((day) => {
    const number = first + day * DAY + 1
    return [
      claude.user(number, `Day ${day} of it`),
      claude.reply(number + 1, [
        text('I do.'),
        call(`t${number}`, 'Edit', { file_path: `/srv/${day}.ts`, old_string: 'a', new_string: 'b' }),
      ]),
      claude.result(number + 2, `t${number}`, 'no such file', true),
    ]
  }),
  { ...claude.user(first + 9, 'Nobody knows when'), timestamp: undefined },
]

function storeOf(home: string): { store: Store; update(): void; file: string } {
  const file = put(join(home, 'claude/projects/-home-ann-garden', `${uuid(0)}.jsonl`), lines())
  const { store } = openSqliteStore(join(home, 'store.sqlite'), 0)
  const update = (): void => void bringUpToDate(store, claudeAt(join(home, 'claude')))
  update()
  return { store, update, file }
}

function artifactWith(store: Store, name: string): number {
  const database = secondConnection(store)
  try {
    return Number(database.prepare('SELECT id FROM artifact WHERE path LIKE ?').get(`%${name}%`)!.id)
  } finally {
    database.close()
  }
}

const cachedDays = (store: Store): number[] => {
  const database = secondConnection(store)
  try {
    return database
      .prepare('SELECT day FROM figure ORDER BY day')
      .all()
      .map(({ day }) => Number(day))
  } finally {
    database.close()
  }
}

describe('cached sums of days', () => {
  it('are equal to fresh sums, for any zone and any time', () => {
    const { store } = storeOf(temporaryHome())
    const moment = fc.integer({ min: BEGIN - 30 * HOUR, max: BEGIN + 140 * HOUR })
    const offset = fc.integer({ min: -14 * 4, max: 14 * 4 }).map((quarters) => (quarters * HOUR) / 4)
    const zone = fc
      .tuple(offset, fc.option(fc.tuple(moment, fc.constantFrom(-HOUR, HOUR))))
      .map(([offsetMs, change]) => [
        { fromMs: Number.MIN_SAFE_INTEGER, offsetMs },
        ...(change ? [{ fromMs: change[0], offsetMs: offsetMs + change[1] }] : []),
      ])
    const request = fc.record({
      zone,
      fromMs: fc.option(moment, { nil: undefined }),
      untilMs: fc.option(moment, { nil: undefined }),
    })
    fc.assert(
      fc.property(request, (wanted) => {
        // Computed the first time, and cached the second.
        for (let turn = 0; turn < 2; turn++) {
          const [cached, recomputed] = figuresTwice(store, wanted)
          expect(cached).toEqual(recomputed)
        }
      }),
      { numRuns: 300 },
    )
    store.close()
  })

  it('are stored for whole days, and used without adding up again', () => {
    const { store } = storeOf(temporaryHome())
    const sums = store.figures({ zone: UTC })
    const database = secondConnection(store)
    const days = cachedDays(store)
    expect(days).toHaveLength(sums.length)
    database.exec(`UPDATE figure SET sums = json_set(sums, '$[3].rows', json('[]'))`)
    database.close()
    expect(store.figures({ zone: UTC }).flatMap(({ hours }) => hours)).toEqual([])
    store.close()
  })

  it('are computed again for a day with new records, and for no other', () => {
    const home = temporaryHome()
    const { store, update, file } = storeOf(home)
    store.figures({ zone: UTC })
    const before = cachedDays(store)
    put(file, [...lines(), claude.user(3 * DAY + 20, 'One more')])
    update()
    const day = Math.floor((BEGIN + (3 * DAY + 20) * 60_000) / (24 * HOUR))
    expect(cachedDays(store)).toEqual(before.filter((each) => each !== day))
    const [cached, recomputed] = figuresTwice(store, { zone: UTC })
    expect(cached).toEqual(recomputed)
    store.close()
  })

  it('are updated when another file takes over a reply, and when that file is deleted', () => {
    const home = temporaryHome()
    const { store, update, file } = storeOf(home)
    store.figures({ zone: UTC })
    // The same reply, but on another day and with more tokens.
    const more = {
      ...claude.reply(3, [text('I do.')], {
        uuid: uuid(9003),
        timestamp: new Date(BEGIN + 90 * HOUR).toISOString(),
      }),
    }
    const other = put(join(file, '..', `${uuid(7)}.jsonl`), [
      {
        ...more,
        sessionId: uuid(7),
        message: { ...more.message, usage: { input_tokens: 3, output_tokens: 500 } },
      },
    ])
    update()
    const [cached, recomputed] = figuresTwice(store, { zone: UTC })
    expect(cached).toEqual(recomputed)
    expect(cached.flatMap(({ usage }) => usage).some(({ output }) => output === 500)).toBe(true)
    put(other, [claude.user(1, 'Something else', { sessionId: uuid(7) })])
    update()
    const [later, laterRecomputed] = figuresTwice(store, { zone: UTC })
    expect(later).toEqual(laterRecomputed)
    expect(later.flatMap(({ usage }) => usage).some(({ output }) => output === 500)).toBe(false)
    store.close()
  })

  it.each([
    ['the only copy of a message is deleted', [], 0],
    ['a message remains in another file than the first', [claude.user(6 * DAY, 'Said twice')], 1],
  ])('are updated when %s', (_, copy, left) => {
    const home = temporaryHome()
    const { store, update, file } = storeOf(home)
    put(join(file, '..', `${uuid(7)}.jsonl`), [claude.user(6 * DAY, 'Said twice')])
    update()
    put(join(file, '..', `${uuid(8)}.jsonl`), [...copy, claude.user(8 * DAY, 'Said once')])
    update()
    store.figures({ zone: UTC })
    // The only change of that day.
    store.forget([artifactWith(store, uuid(7))])
    const [cached, recomputed] = figuresTwice(store, { zone: UTC })
    expect(cached).toEqual(recomputed)
    const day = Math.floor((BEGIN + 6 * DAY * 60_000) / (24 * HOUR))
    expect(cached.filter((each) => each.day === day)).toHaveLength(left)
    store.close()
  })

  it('are updated when a reply without text has tokens', () => {
    const home = temporaryHome()
    const { store, update, file } = storeOf(home)
    store.figures({ zone: UTC })
    put(file, [...lines(), claude.reply(2 * DAY + 20, [])])
    update()
    const [cached, recomputed] = figuresTwice(store, { zone: UTC })
    expect(cached).toEqual(recomputed)
    store.close()
  })

  it('are returned even if nothing can be stored: while another process writes, and by a read-only store', () => {
    const home = temporaryHome()
    const { store } = storeOf(home)
    const writing = secondConnection(store)
    writing.exec('BEGIN IMMEDIATE')
    const sums = store.figures({ zone: UTC })
    expect(sums.length).toBeGreaterThan(4)
    writing.exec('ROLLBACK')
    writing.close()
    expect(cachedDays(store)).toEqual([])
    store.close()
  })

  it('of another zone replace the previous ones', () => {
    const { store } = storeOf(temporaryHome())
    for (const zone of [UTC, ODD_ZONE, UTC]) {
      const [cached, recomputed] = figuresTwice(store, { zone })
      expect(cached).toEqual(recomputed)
    }
    store.close()
  })
})
