import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FiguresRequest } from '../../src/store/figures.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { BEGIN, DAY, HOUR, lines, UTC } from '../figure-sessions.ts'
import { figuresTwice, ODD_ZONE, sumsAgain } from '../figures-audit.ts'
import { claude, put, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate, claudeAt, secondConnection } from '../store-audit.ts'

function storeOf(home: string): { store: Store; update(): void; file: string } {
  const file = put(join(home, 'claude/projects/-home-ann-garden', `${uuid(0)}.jsonl`), lines())
  const { store } = openSqliteStore(join(home, 'store.sqlite'), 0)
  const update = (): void => void bringUpToDate(store, claudeAt(join(home, 'claude')))
  update()
  return { store, update, file }
}

/** The sums that a store returns, and the same computed from its rows. */
function sumsTwice(store: Store, wanted: FiguresRequest): ReturnType<typeof figuresTwice> {
  const database = secondConnection(store)
  try {
    return figuresTwice(store, { figures: (each) => sumsAgain(database, each) }, wanted)
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

describe('cached sums of days in SQLite', () => {
  it('are stored for whole days, and used without adding up again', () => {
    const { store } = storeOf(temporaryHome())
    const sums = [...store.figures({ zone: UTC })]
    const database = secondConnection(store)
    const days = cachedDays(store)
    expect(days).toHaveLength(sums.length)
    database.exec(`UPDATE figure SET sums = json_set(sums, '$[3].rows', json('[]'))`)
    database.close()
    expect([...store.figures({ zone: UTC })].flatMap(({ hours }) => hours)).toEqual([])
    store.close()
  })

  it('are computed again for a day with new records, and for no other', () => {
    const home = temporaryHome()
    const { store, update, file } = storeOf(home)
    Array.from(store.figures({ zone: UTC }))
    const before = cachedDays(store)
    put(file, [...lines(), claude.user(3 * DAY + 20, 'One more')])
    update()
    const day = Math.floor((BEGIN + (3 * DAY + 20) * 60_000) / (24 * HOUR))
    expect(cachedDays(store)).toEqual(before.filter((each) => each !== day))
    const [cached, recomputed] = sumsTwice(store, { zone: UTC })
    expect(cached).toEqual(recomputed)
    store.close()
  })

  it('are returned even if nothing can be stored: while another process writes, and by a read-only store', () => {
    const home = temporaryHome()
    const { store } = storeOf(home)
    const writing = secondConnection(store)
    writing.exec('BEGIN IMMEDIATE')
    const sums = [...store.figures({ zone: UTC })]
    expect(sums.length).toBeGreaterThan(4)
    writing.exec('ROLLBACK')
    writing.close()
    expect(cachedDays(store)).toEqual([])
    store.close()
  })

  it('of another zone replace the previous ones', () => {
    const { store } = storeOf(temporaryHome())
    for (const zone of [UTC, ODD_ZONE, UTC]) {
      const [cached, recomputed] = sumsTwice(store, { zone })
      expect(cached).toEqual(recomputed)
    }
    store.close()
  })
})
