import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/search/parse-query.ts'
import { claude, sharedHome, text, uuid } from '../records.ts'
import { claudeAt, indexOn } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const folder = sharedHome()

/** More than are checked once there are enough to rank. */
const MESSAGES = 8000
const EVERY = 8

/** Every eighth message contains the name. All contain words with its parts. */
function makeSession(): void {
  const lines = Array.from({ length: MESSAGES }, (_, number) => {
    const name = number % EVERY === 0 ? 'frontier_three' : 'three frontiers and a frontier'
    const timestamp = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString()
    const parent = { parentUuid: number > 0 ? uuid(number - 1) : null }
    return JSON.stringify({ ...claude.reply(number, [text(`${name} ${number}`)]), ...parent, timestamp })
  })
  mkdirSync(join(folder, 'projects/-srv-garden'), { recursive: true })
  writeFileSync(join(folder, `projects/-srv-garden/${uuid(90_000)}.jsonl`), `${lines.join('\n')}\n`)
}

describe.each(namedEngines)('matches that are checked one by one on %s', (_, engine) => {
  it('are ranked from the newest, and counted at least as far', () => {
    makeSession()
    const store = indexOn(engine, claudeAt(folder))
    const query = parseQuery('ier_th', 0, () => undefined)
    const { hits, total, more, widened } = store.search({ query, limit: 20, enough: 1000, now: 0 })
    expect([...hits].map(({ text: found }) => found?.replace(/\d+$/, ''))).toEqual(
      Array.from({ length: 20 }, () => 'frontier_three '),
    )
    expect(widened).toBe(true)
    expect(more).toBe(engine.countsEnough)
    expect(total).toBeGreaterThanOrEqual(more ? 400 : MESSAGES / EVERY)
    expect(total).toBeLessThanOrEqual(MESSAGES / EVERY)
    const all = store.search({ query, limit: MESSAGES, enough: 1000, now: 0 })
    expect({ total: all.total, hits: [...all.hits].length }).toEqual({ total: 1000, hits: 1000 })
    store.close()
  })
})
