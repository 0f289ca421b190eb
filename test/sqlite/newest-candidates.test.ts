import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { Steps } from '../../src/model/iteration.ts'
import { parseQuery } from '../../src/search/query.ts'
import { createCandidates } from '../../src/store/sqlite/candidates.ts'
import { unrestricted } from '../../src/store/sqlite/restriction.ts'
import { runSources } from '../program.ts'
import { claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { claudeAt, freshIndex, secondConnection } from '../store-audit.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrollback-newest-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MESSAGES = 400
const WORDS = ['fern', 'moss', 'ivy']
const EVERY = [2, 7, 90]

function finished<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

it('counts matches among the newest messages, and further back until there are enough', () => {
  const lines = Array.from({ length: MESSAGES }, (_, number) => {
    const said = WORDS.filter((_, word) => number % EVERY[word]! === 0).join(' ')
    const timestamp = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString()
    const parent = { parentUuid: number > 0 ? uuid(number - 1) : null }
    return JSON.stringify({ ...claude.reply(number, [text(`${said} ${number}`)]), ...parent, timestamp })
  })
  mkdirSync(join(folder, 'projects/-srv-garden'), { recursive: true })
  writeFileSync(join(folder, `projects/-srv-garden/${uuid(90_000)}.jsonl`), `${lines.join('\n')}\n`)
  const store = freshIndex(claudeAt(folder), join(folder, 'store.sqlite'))
  const database = secondConnection(store)
  const latest = (expression: string, searched: number, wanted: { count: number; enough?: number }) =>
    finished(
      createCandidates(database, expression, unrestricted(), searched).latest({ most: 1000, ...wanted }),
    )
  const expression = fc.constantFrom('"fern"', '"moss"', '"ivy"', '"fern" AND "moss"', '"mos" *', '"oak"')
  const number = fc.integer({ min: 1, max: 500 })
  fc.assert(
    fc.property(expression, number, number, number, (asked, searched, count, enough) => {
      const query = `{text} : (${asked})`
      const all = latest(query, searched, { count: MESSAGES })
      expect(all.isCut).toBe(false)
      const { ids, total, isCut } = latest(query, searched, { count, enough })
      // The newest, without gaps.
      expect(ids).toEqual(all.ids.slice(0, Math.min(count, total)))
      if (isCut) expect(total).toBeGreaterThanOrEqual(enough)
      else expect(total).toBe(all.total)
    }),
    { numRuns: 500 },
  )
  const cut = latest('{text} : ("fern")', 100, { count: 10, enough: 20 })
  expect(cut).toMatchObject({ isCut: true, total: 50 })
  database.close()
  store.close()
})

const folderOfFewMatches = mkdtempSync(join(tmpdir(), 'scrollback-few-'))
afterAll(() => rmSync(folderOfFewMatches, { recursive: true }))

/** More than the newest that are always ranked, and few enough to rank all. */
const MATCHES = 590
const NOW = Date.UTC(2026, 0, 2)

it('ranks some hundred matches, however old they are', () => {
  const lines = Array.from({ length: MATCHES }, (_, number) => ({
    ...claude.reply(number, [
      text(number === 0 ? 'fern fern fern' : `one more fern in row ${number} of the garden`),
    ]),
    parentUuid: number > 0 ? uuid(number - 1) : null,
    timestamp: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
  }))
  put(join(folderOfFewMatches, 'projects/-srv-garden', `${uuid(90_000)}.jsonl`), lines)
  const store = freshIndex(claudeAt(folderOfFewMatches), join(folderOfFewMatches, 'store.sqlite'))
  const query = parseQuery('fern', NOW, () => undefined)
  const { hits, total } = store.search({ query, limit: 20, enough: 20, now: NOW })
  expect(total).toBe(MATCHES)
  expect([...hits][0]?.text).toBe('fern fern fern')
  store.close()
})

it('words are collected in a thread if there are many', () => {
  const home = temporaryHome()
  const lines = Array.from({ length: 20_100 }, (_, number) => claude.user(number, `fern z${number}xyz`))
  putClaude(home, uuid(1), lines)
  expect(runSources(['index'], home).code).toBe(0)
  const [first, middle, last] = ['z0xyz', 'z9999xyz', 'z20099xyz']
  const { stdout } = runSources(['search', '0xyz OR 9999xy OR 20099xy', '--json', '--limit', '0'], home)
  for (const word of [first, middle, last]) expect(stdout).toContain(word)
})
