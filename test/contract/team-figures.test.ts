import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Connection, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { sql } from '../../src/store/clickhouse/connection/literal.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { asOnlyWriter } from '../../src/store/store.ts'
import type { TeamStore } from '../../src/store/team.ts'
import { figuresIn } from '../clickhouse/audit.ts'
import { createTree } from '../clickhouse/kills/tree.ts'
import { BEGIN, HOUR, lines, UTC } from '../figure-sessions.ts'
import { inOrder } from '../figures-audit.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate } from '../store-audit.ts'
import { emptyServer, hasServer } from './engines.ts'

const environmentOf = (home: string) => ({
  home: '/nowhere',
  variables: {},
  dirs: { 'claude-code': [join(home, '.claude')], openclaw: [join(home, '.openclaw')] },
})

/** Files of two machines. The second one has copies of the first one's sessions, and sessions of its own. */
function twoMachines() {
  const address = emptyServer()
  const homes = [temporaryHome(), temporaryHome()] as const
  const open = (device: string): TeamStore => openClickHouseStore({ ...address, device })
  const stores = [open('oak'), open('elm')] as const
  putClaude(homes[0], uuid(1), lines())
  putClaude(homes[1], uuid(1), lines())
  putClaude(homes[1], uuid(2), [
    claude.user(70, 'Sweep the path', { sessionId: uuid(2) }),
    claude.user(71, 'Without a time', { sessionId: uuid(2), timestamp: 'never' }),
  ])
  const trees = homes.map((home, index) => createTree(home, 5 + index))
  const update = (): void => {
    for (const tree of trees) {
      tree.change()
      tree.grow()
    }
    for (const [index, store] of stores.entries()) bringUpToDate(store, environmentOf(homes[index]!))
  }
  for (let step = 0; step < 4; step++) update()
  const reading = openClickHouseStore({ ...address, device: 'nobody', everyone: true })
  const connection = connect(address)
  return {
    stores,
    update,
    reading,
    connection,
    close: () => [...stores, reading, connection].map((each) => each.close()),
  }
}

/** Files whose stored sums are missing or outdated. */
const withoutSums = (connection: Connection): number =>
  connection.select<[number]>(
    'SELECT count() FROM artifact FINAL WHERE (id, written) NOT IN (SELECT artifact, version FROM figure FINAL)',
  )[0]![0]

describe.runIf(hasServer)('the sums that a team store has of each file', () => {
  it('are up to date after every batch, and when files disappear', () => {
    const { connection, stores, update, close } = twoMachines()
    expect(withoutSums(connection)).toBe(0)
    stores[0].markGone([stores[0].known().values().next().value!.id], 1)
    expect(withoutSums(connection)).toBe(0)
    update()
    expect(withoutSums(connection)).toBe(0)
    for (const store of stores) store.forget([...store.known().values()].map(({ id }) => id))
    expect(connection.select('SELECT * FROM figure FINAL')).toEqual([])
    close()
  }, 600_000)

  it('give what the rows give, whichever of them are missing, at any time and in any zone', () => {
    const { connection, reading, close } = twoMachines()
    const ids = connection.select<[number]>('SELECT id FROM artifact FINAL').map(([id]) => id)
    const moment = fc.oneof(
      fc.integer({ min: BEGIN - 30 * HOUR, max: BEGIN + 140 * HOUR }),
      fc
        .integer({ min: -30 * 4, max: 140 * 4 })
        .map((quarters) => BEGIN - (BEGIN % HOUR) + (quarters * HOUR) / 4),
    )
    const zone = fc
      .integer({ min: -14 * 4, max: 14 * 4 })
      .map((quarters) => [{ fromMs: Number.MIN_SAFE_INTEGER, offsetMs: (quarters * HOUR) / 4 }])
    const request = fc.record({
      zone: fc.oneof(fc.constant(UTC), zone),
      fromMs: fc.option(moment, { nil: undefined }),
      untilMs: fc.option(moment, { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.subarray(ids, { maxLength: 3 }), request, (missing, wanted) => {
        connection.run(sql`DELETE FROM figure WHERE artifact IN ${missing}`)
        expect(inOrder([...reading.figures(wanted)])).toEqual(inOrder(figuresIn(connection, wanted)))
      }),
      { numRuns: 20 },
    )
    close()
  }, 600_000)

  it('are computed by the next run of a machine if they are missing', () => {
    const { connection, stores, reading, close } = twoMachines()
    const minutes = [...reading.minutes(0)]
    connection.run('TRUNCATE TABLE figure')
    expect(withoutSums(connection)).toBeGreaterThan(0)
    expect([...reading.minutes(0)]).toEqual(minutes)
    for (const store of stores) asOnlyWriter(store, () => undefined)
    expect(withoutSums(connection)).toBe(0)
    expect(inOrder([...reading.figures({ zone: UTC })])).toEqual(
      inOrder(figuresIn(connection, { zone: UTC })),
    )
    close()
  }, 600_000)
})
