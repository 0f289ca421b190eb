import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BEGIN, HOUR } from '../../../test/figure-sessions.ts'
import { inOrder } from '../../../test/figures-audit.ts'
import { call, claude, put, temporaryHome, text, uuid } from '../../../test/records.ts'
import { bringUpToDate, claudeAt, secondConnection } from '../../../test/store-audit.ts'
import { sumUp } from './figures.ts'
import { openSqliteStore } from './open.ts'

const DAY = 24 * HOUR
const EVERYTHING = [1, 8.64e15] as const
const WHOLE = { usages: 1e9, messages: 1e9 }
const limits = fc.record({ usages: fc.integer({ min: 1, max: 9 }), messages: fc.integer({ min: 1, max: 9 }) })

/** Some messages an hour over six days. Records are numbered in minutes. */
const lines = (): object[] =>
  Array.from({ length: 45 }, (_, index) => index * 193).flatMap((minute) => [
    claude.user(minute + 1, `Water bed ${minute}`),
    claude.reply(minute + 2, [
      text('I do.'),
      call(`t${minute}`, 'Edit', { file_path: `/srv/${minute % 7}.ts`, old_string: 'a', new_string: 'b' }),
    ]),
    claude.result(minute + 3, `t${minute}`, 'no such file', minute % 2 === 0),
  ])

function databaseOf() {
  const home = temporaryHome()
  put(join(home, 'claude/projects/-home-ann-garden', `${uuid(0)}.jsonl`), lines())
  const { store } = openSqliteStore(join(home, 'store.sqlite'), 0)
  bringUpToDate(store, claudeAt(join(home, 'claude')))
  return secondConnection(store)
}

describe('sums of days in slices', () => {
  it('are the same however small the slices are', () => {
    const database = databaseOf()
    const offset = fc.integer({ min: -14 * 4, max: 14 * 4 }).map((quarters) => (quarters * HOUR) / 4)
    const moment = fc.integer({ min: BEGIN - 30 * HOUR, max: BEGIN + 140 * HOUR })
    const zone = fc.tuple(offset, moment, fc.constantFrom(-HOUR, 0, HOUR)).map(([offsetMs, fromMs, more]) => [
      { fromMs: Number.MIN_SAFE_INTEGER, offsetMs },
      { fromMs, offsetMs: offsetMs + more },
    ])
    const within = fc.oneof(fc.constant(EVERYTHING), fc.tuple(moment, moment))
    fc.assert(
      fc.property(zone, within, limits, (zone, within, limits) => {
        expect(inOrder(sumUp(database, zone, within, limits))).toEqual(
          inOrder(sumUp(database, zone, within, WHOLE)),
        )
      }),
      { numRuns: 120 },
    )
  })

  it('of a day do not depend on the days before it, down to the last digit', () => {
    const database = databaseOf()
    // Fractions whose sum depends on the order.
    database.exec('UPDATE usage SET cost = 1.0 / (3 + at / 60000 % 7)')
    fc.assert(
      fc.property(fc.integer({ min: -12, max: 12 }), limits, (hours, limits) => {
        const offsetMs = hours * HOUR
        const zone = [{ fromMs: Number.MIN_SAFE_INTEGER, offsetMs }]
        for (const sums of sumUp(database, zone, EVERYTHING, limits)) {
          const from = sums.day! * DAY - offsetMs
          expect(sumUp(database, zone, [from, from + DAY], limits)).toEqual([sums])
        }
      }),
      { numRuns: 60 },
    )
  })
})
