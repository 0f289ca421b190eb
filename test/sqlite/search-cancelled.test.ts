import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { finish } from '../../src/model/iteration.ts'
import type { Store } from '../../src/store/store.ts'
import { inTurns } from '../../src/surfaces/server-store.ts'
import { requestFor, takeLong, writeSession } from '../long-search.ts'
import { claudeAt, freshIndex } from '../store-audit.ts'

const home = mkdtempSync(join(tmpdir(), 'scrollback-cancelled-'))

/** Counts the messages that are read from now on. */
function countRows(): { read: number } {
  const counted = { read: 0 }
  const { all, iterate } = StatementSync.prototype
  vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (this: StatementSync, ...given) {
    const rows = all.apply(this, given)
    counted.read += rows.length
    return rows
  })
  vi.spyOn(StatementSync.prototype, 'iterate').mockImplementation(function (this: StatementSync, ...given) {
    return iterate.apply(this, given).map((row) => {
      counted.read++
      return row
    })
  })
  return counted
}

describe('a search in steps', () => {
  let store: Store
  beforeAll(() => {
    writeSession(home)
    store = freshIndex(claudeAt(home))
  })
  afterAll(() => {
    store.close()
    rmSync(home, { recursive: true })
  })

  it.each(['many', 'all_three_tre'])('for %s reads no more after it is cancelled', async (query) => {
    const counted = countRows()
    try {
      finish(store.searchInSteps(requestFor(query)))
      const whole = counted.read
      counted.read = 0
      takeLong()
      const stop = new AbortController()
      const search = inTurns(store.searchInSteps(requestFor(query)), stop.signal)
      stop.abort(new Error('enough'))
      await expect(search).rejects.toThrow('enough')
      const { read } = counted
      expect(read).toBeLessThan(whole / 2)
      await pass(20)
      expect(counted.read).toBe(read)
    } finally {
      vi.restoreAllMocks()
    }
    expect(store.search(requestFor('many')).total).toBeGreaterThan(1000)
  })
})
