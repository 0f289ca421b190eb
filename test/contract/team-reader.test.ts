import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseQuery } from '../../src/search/query.ts'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import type { TeamAddress, TeamStore } from '../../src/store/team.ts'
import { refresh } from '../../src/sync/refresh.ts'
import { hasLibrary, startOn } from '../clickhouse/restricted.ts'
import { UTC } from '../figure-sessions.ts'
import { claude, put, sharedHome, uuid } from '../records.ts'
import { claudeAt } from '../store-audit.ts'
import { hasServer } from './engines.ts'

const NOW = Date.UTC(2026, 10, 20)
const top = sharedHome()

/** A message of a day, or one without a time. */
const said = (session: number, number: number, day?: string) => ({
  ...claude.user(number, `Fern ${number}`, { sessionId: uuid(session) }),
  timestamp: day === undefined ? undefined : `${day}T10:00:00.000Z`,
})

const open = (address: TeamAddress, more: object): TeamStore =>
  openClickHouseStore({ ...address, database: 'team', device: 'nobody', everyone: true, ...more })

function fill(address: TeamAddress, device: string, person: string, sessions: Record<number, object[]>) {
  const folder = join(top, device)
  for (const [number, lines] of Object.entries(sessions))
    put(join(folder, 'projects/-home-ann-garden', `${uuid(Number(number))}.jsonl`), lines)
  const store = open(address, { device, person, everyone: false })
  refresh(store, { environment: claudeAt(folder), now: NOW, threads: () => 1, faultOf: String })
  store.close()
}

/** What a search answers: the newest first, the number of all, and where copies are. */
function found(store: TeamStore, words: string): string[] {
  const query = parseQuery(words, NOW, (day) => Date.parse(day))
  const { hits, total } = store.search({ query, limit: 50, sort: 'newest', now: NOW })
  return [...Array.from(hits, ({ text, copies }) => `${text} +${copies.length}`), `${total} in all`]
}

/** How many human messages each day has. */
const humans = (store: TeamStore): Record<string, number> =>
  Object.fromEntries(
    [...store.figures({ zone: UTC })].map(({ day, messages }) => [
      day === null ? 'never' : new Date(day * 86_400_000).toISOString().slice(0, 10),
      messages.reduce((sum, { count }) => sum + count, 0),
    ]),
  )

it.runIf(hasServer && hasLibrary)(
  'a reader finds and counts messages of all months within their rights, and nothing else',
  async () => {
    const folder = join(top, 'data')
    const admin = await startOn(folder)
    const connection = connect(admin.address)
    connection.run('CREATE DATABASE team ENGINE = Atomic')
    connection.close()
    // Bob has had some of the messages longer than Ann.
    const shared = [[3, '2026-11-02'] as const, [4, '2025-12-31'] as const]
    fill(admin.address, 'elm', 'bob', {
      5: [...shared.map(([number, day]) => said(5, number, day)), said(5, 51, '2026-11-03'), said(5, 52)],
      6: [said(6, 61, '2024-05-19'), said(6, 62, '2026-08-02')],
    })
    fill(admin.address, 'oak', 'ann', {
      1: [said(1, 1, '2019-02-01'), said(1, 2), ...shared.map(([number, day]) => said(1, number, day))],
      2: [said(2, 21, '2026-10-31'), said(2, 22, '2024-05-20'), said(2, 23, '2026-08-01')],
    })
    const all = open(admin.address, {})
    expect(found(all, 'fern').at(-1)).toBe('11 in all')
    expect(found(all, 'fern 3')).toEqual(['Fern 3 +1', '1 in all'])
    all.close()
    await admin.stop()

    const server = await startOn(folder, { kind: 'reader', name: 'ann', persons: [] })
    const store = open(server.address, {})
    expect(found(store, 'fern')).toEqual([
      'Fern 3 +0',
      'Fern 21 +0',
      'Fern 23 +0',
      'Fern 4 +0',
      'Fern 22 +0',
      'Fern 1 +0',
      'Fern 2 +0',
      '7 in all',
    ])
    // A part of a word, a filter, and a span of time.
    expect(found(store, 'fer* before:2026-11-02 after:2024-06-01')).toEqual([
      'Fern 21 +0',
      'Fern 23 +0',
      'Fern 4 +0',
      '3 in all',
    ])
    expect(found(store, 'fern device:elm')).toEqual(['0 in all'])
    expect(humans(store)).toEqual({
      '2019-02-01': 1,
      '2024-05-20': 1,
      '2025-12-31': 1,
      '2026-08-01': 1,
      '2026-10-31': 1,
      '2026-11-02': 1,
      never: 1,
    })
    store.close()
    await server.stop()
  },
  600_000,
)
