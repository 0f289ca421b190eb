import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { finish } from '../../src/model/iteration.ts'
import { createMatcher } from '../../src/search/match.ts'
import { parseQuery, type Query } from '../../src/search/query.ts'
import type { SearchHit } from '../../src/store/search.ts'
import type { Store } from '../../src/store/store.ts'
import type { StoredMessage } from '../../src/store/stored.ts'
import { inTurns } from '../../src/surfaces/server-store.ts'
import { refresh } from '../../src/sync/refresh.ts'
import { requestFor, takeLong, writeSession } from '../long-search.ts'
import { call, claude, put, temporaryHome, text, uuid } from '../records.ts'
import { claudeAt, indexOn } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrollback-search-'))
const DAY = 86_400_000
const BEGAN = Date.UTC(2026, 0, 1)
const SESSIONS = 12
/** More in total than are scored at once. */
const MESSAGES = 120
const WORDS = ['fern', 'moss', 'ferns', 'tier_three', 'tierThree', 'src/pot.ts', 'the', 'of', '登录页面']

afterAll(() => rmSync(folder, { recursive: true }))

let store: Store
let all: (StoredMessage & { path: string })[] = []

/** Sessions that are apart and overlap in time. The last stored is not always the newest. */
function makeSessions(): string[] {
  const project = join(folder, 'projects/-home-ann-garden')
  mkdirSync(project, { recursive: true })
  return Array.from({ length: SESSIONS }, (_, session) => {
    const lines = Array.from({ length: MESSAGES }, (_, number) => {
      const id = session * 1000 + number
      const textWords = WORDS.filter((_, word) => (id * (word + 3) + (id >> 3)) % (word + 2) === 0).join(' ')
      const at = BEGAN + ((session * 7) % SESSIONS) * 20 * DAY + number * DAY * 0.7
      const timestamp = new Date(at).toISOString()
      const entry =
        number % 4 === 0
          ? claude.user(id, `${textWords} ${number}?`)
          : number % 4 === 1
            ? claude.reply(id, [
                call(`toolu_${id}`, 'Read', { file_path: `/home/ann/${textWords.slice(0, 9)}` }),
              ])
            : claude.reply(id, [text(`${textWords} ${number}`)])
      return JSON.stringify({ ...entry, parentUuid: number > 0 ? uuid(id - 1) : null, timestamp })
    })
    const path = join(project, `${uuid(900 + session)}.jsonl`)
    writeFileSync(path, `${lines.join('\n')}\n`)
    utimesSync(path, BEGAN / 1000 + session, BEGAN / 1000 + session)
    return path
  })
}

const timeOf = (text: string): number | undefined => Date.parse(text) || undefined
const parse = (query: string): Query => parseQuery(query, 0, timeOf)

/** Scans every message. */
function scan({ words, filters }: Query, loose: boolean): typeof all {
  const holds = createMatcher(words, { loose })
  return all.filter(
    ({ who, at = 0, text: textWords, tool }) =>
      holds(textWords ?? tool?.target ?? '') &&
      (filters.who.length === 0 || filters.who.includes(who)) &&
      !filters.without.who.includes(who) &&
      (filters.tool.length === 0 || filters.tool.includes(tool?.name ?? '')) &&
      at >= (filters.after ?? 0) &&
      at < (filters.before ?? Number.POSITIVE_INFINITY) &&
      (!filters.question || (who === 'human' && textWords?.includes('?'))),
  )
}

const idsOf = (found: Iterable<StoredMessage | SearchHit>): number[] =>
  Array.from(found, ({ message }) => message).sort((a, b) => a - b)

const day = fc
  .integer({ min: -5, max: 280 })
  .map((days) => new Date(BEGAN + days * DAY).toISOString().slice(0, 10))
const word = fc.constantFrom(
  ...WORDS,
  'mo*',
  '"the of"',
  'nothing',
  '登录',
  'ier_th',
  'ern',
  'pot.ts',
  '-fern',
  '-"of the"',
)
const filter = fc.oneof(
  day.map((each) => `after:${each}`),
  day.map((each) => `before:${each}`),
  fc.constantFrom('who:human', 'who:agent', '-who:agent', 'tool:Read', 'has:question'),
)
const query = fc
  .tuple(fc.array(word, { maxLength: 3 }), fc.array(filter, { maxLength: 2 }))
  .map((parts) => parts.flat().join(' '))
  .filter((each) => each !== '')

describe.each(namedEngines)('a search on %s', (_, engine) => {
  beforeAll(() => {
    const paths = makeSessions()
    store = indexOn(engine, claudeAt(folder))
    all = paths.flatMap((path) => store.messages(path).map((each) => ({ ...each, path })))
  })
  afterAll(() => store.close())

  it('returns the same as a scan of all messages', () => {
    fc.assert(
      fc.property(query, (asked) => {
        const wanted = parse(asked)
        const { hits, total, widened } = store.search({ query: wanted, limit: 5000, enough: 5, now: 0 })
        const whole = scan(wanted, false)
        const loose = scan(wanted, true)
        expect(widened, asked).toBe(whole.length < 5 && loose.length > whole.length)
        expect(idsOf(hits), asked).toEqual(idsOf(widened ? loose : whole))
        expect(total, asked).toBe(widened ? loose.length : whole.length)
      }),
      { numRuns: Math.ceil(250 * engine.share) },
    )
  })

  it('knows the positions of the matches in one file, also inside words', () => {
    const paths = [...new Set(all.map(({ path }) => path))]
    fc.assert(
      fc.property(query, fc.constantFrom(...paths), (asked, path) => {
        const wanted = new Set(scan(parse(asked), true))
        const own = all.filter((each) => each.path === path)
        const expected = own.flatMap((each, position) => (wanted.has(each) ? [position] : []))
        expect(store.positions(path, parse(asked)), asked).toEqual(expected)
      }),
      { numRuns: Math.ceil(150 * engine.share) },
    )
    expect(store.positions('/nowhere', parse('fern'))).toEqual([])
  })

  it('returns the newest first on request, however late they were stored', () => {
    fc.assert(
      fc.property(query, fc.integer({ min: 1, max: 30 }), (asked, limit) => {
        const { hits } = store.search({ query: parse(asked), limit, enough: 0, sort: 'newest', now: 0 })
        const newest = scan(parse(asked), false)
          .map(({ at = 0 }) => at)
          .sort((a, b) => b - a)
        expect(
          Array.from(hits, ({ at = 0 }) => at),
          asked,
        ).toEqual(newest.slice(0, limit))
      }),
      { numRuns: Math.ceil(150 * engine.share) },
    )
  })
})

const NOW = Date.UTC(2026, 10, 20)

/** A message of a day, or one without a time. */
const said = (number: number, day?: string, session = 0) => ({
  ...claude.user(number, `Fern ${number}`, { sessionId: uuid(session) }),
  timestamp: day === undefined ? undefined : `${day}T10:00:00.000Z`,
})

/** Messages that match, the newest first, and their number. */
function found(store: Store, words: string): string[] {
  const query = parseQuery(words, NOW, (day) => Date.parse(day))
  const { hits, total } = store.search({ query, limit: 50, sort: 'newest', now: NOW })
  const days = Array.from(
    hits,
    ({ text, at }) =>
      `${text} ${at === undefined ? 'without a time' : new Date(at).toISOString().slice(0, 10)}`,
  )
  return [...days, `${total} in all`]
}

describe.each(namedEngines)('a filter of files on %s', (_, engine) => {
  it('finds a name in any case, composed or not', () => {
    const names = ['Ünder.ts', 'ünder.ts', 'ÜNDER.ts'.normalize('NFD'), 'under.ts', 'other.ts']
    const lines = names.map((name, at) =>
      claude.reply(at, [call(`toolu_${at}`, 'Read', { file_path: name })]),
    )
    const home = temporaryHome()
    put(join(home, 'claude/projects/-home-ann-garden', `${uuid(900)}.jsonl`), lines)
    const store = indexOn(engine, claudeAt(join(home, 'claude')))
    for (const asked of ['file:Ünder', 'file:ünder.ts', 'file:ÜNDER', 'file:ünder'.normalize('NFD')]) {
      const { hits } = store.search({ query: parse(asked), limit: 9, enough: 0, now: 0 })
      const targets = Array.from(hits, ({ tool }) => tool!.target!)
      expect(targets.sort(), asked).toEqual(names.slice(0, 3).sort())
    }
    store.close()
  })
})

describe.each(namedEngines)('messages of many months in %s', (_, engine) => {
  it('are found from the newest to the oldest, each once, and counted', () => {
    const folder = join(temporaryHome(), 'claude')
    const at = (number: number): string => join(folder, 'projects/-home-ann-garden', `${uuid(number)}.jsonl`)
    const shared = [said(3, '2026-11-02'), said(4, '2025-12-31')]
    put(at(0), [said(1, '2019-02-01'), said(2), ...shared])
    // A fork with two of these messages, and its own.
    put(at(20), [...shared, said(21, '2026-10-31', 20), said(22, '2024-05-20', 20)])
    put(at(30), [said(31, '2026-08-01', 30), said(32, '2026-11-01', 30), said(33, '2027-03-01', 30)])
    const store = engine.open()
    refresh(store, { environment: claudeAt(folder), now: NOW, threads: () => 1, faultOf: String })
    finish(store.indexWords())
    expect(found(store, 'fern')).toEqual([
      'Fern 33 2027-03-01',
      'Fern 3 2026-11-02',
      'Fern 32 2026-11-01',
      'Fern 21 2026-10-31',
      'Fern 31 2026-08-01',
      'Fern 4 2025-12-31',
      'Fern 22 2024-05-20',
      'Fern 1 2019-02-01',
      'Fern 2 without a time',
      '9 in all',
    ])
    expect(found(store, 'fern before:2026-11-02 after:2024-06-01')).toEqual([
      'Fern 32 2026-11-01',
      'Fern 21 2026-10-31',
      'Fern 31 2026-08-01',
      'Fern 4 2025-12-31',
      '4 in all',
    ])
    store.forget([store.known().get(at(30))!.id])
    expect(found(store, 'fern')).toEqual([
      'Fern 3 2026-11-02',
      'Fern 21 2026-10-31',
      'Fern 4 2025-12-31',
      'Fern 22 2024-05-20',
      'Fern 1 2019-02-01',
      'Fern 2 without a time',
      '6 in all',
    ])
    store.close()
  })
})

const home = mkdtempSync(join(tmpdir(), 'scrollback-turns-'))

afterAll(() => rmSync(home, { recursive: true }))

describe.each(namedEngines)('a search in steps on %s', (_, engine) => {
  let store: Store
  beforeAll(() => {
    writeSession(home)
    store = indexOn(engine, claudeAt(home))
  })
  afterAll(() => store.close())

  it.each(['many', 'all_three_tre', 'lea OR many'])(
    'for %s returns the same as one at once',
    async (query) => {
      const { hits, sessions, ...rest } = finish(store.searchInSteps(requestFor(query)))
      const inTime = await inTurns(store.searchInSteps(requestFor(query)))
      expect(inTime).toMatchObject(rest)
      expect(inTime.sessions()).toEqual(sessions())
      expect(Iterator.from(inTime.hits).take(20).toArray()).toEqual(Iterator.from(hits).take(20).toArray())
      expect(rest.total).toBeGreaterThan(1000)
    },
  )

  it('lets other work run between the steps', async () => {
    let turns = 0
    const other = (): void => {
      turns++
      next = setImmediate(other)
    }
    let next = setImmediate(other)
    takeLong()
    try {
      await inTurns(store.searchInSteps(requestFor('many')))
    } finally {
      vi.restoreAllMocks()
      clearImmediate(next)
    }
    expect(turns).toBeGreaterThan(1)
  })
})

const folderOfCheckedMatches = mkdtempSync(join(tmpdir(), 'scrollback-checked-'))
afterAll(() => rmSync(folderOfCheckedMatches, { recursive: true }))

/** More than are checked once there are enough to rank. */
const MESSAGES_OF_CHECKED_MATCHES = 8000
const EVERY = 8

/** Every eighth message contains the name. All contain words with its parts. */
function makeSession(): void {
  const lines = Array.from({ length: MESSAGES_OF_CHECKED_MATCHES }, (_, number) => {
    const name = number % EVERY === 0 ? 'frontier_three' : 'three frontiers and a frontier'
    const timestamp = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString()
    const parent = { parentUuid: number > 0 ? uuid(number - 1) : null }
    return JSON.stringify({ ...claude.reply(number, [text(`${name} ${number}`)]), ...parent, timestamp })
  })
  mkdirSync(join(folderOfCheckedMatches, 'projects/-srv-garden'), { recursive: true })
  writeFileSync(
    join(folderOfCheckedMatches, `projects/-srv-garden/${uuid(90_000)}.jsonl`),
    `${lines.join('\n')}\n`,
  )
}

describe.each(namedEngines)('matches that are checked one by one on %s', (_, engine) => {
  it('are ranked from the newest, and counted at least as far', () => {
    makeSession()
    const store = indexOn(engine, claudeAt(folderOfCheckedMatches))
    const query = parseQuery('ier_th', 0, () => undefined)
    const { hits, total, more, widened } = store.search({ query, limit: 20, enough: 1000, now: 0 })
    expect([...hits].map(({ text: found }) => found?.replace(/\d+$/, ''))).toEqual(
      Array.from({ length: 20 }, () => 'frontier_three '),
    )
    expect(widened).toBe(true)
    expect(more).toBe(engine.countsEnough)
    expect(total).toBeGreaterThanOrEqual(more ? 400 : MESSAGES_OF_CHECKED_MATCHES / EVERY)
    expect(total).toBeLessThanOrEqual(MESSAGES_OF_CHECKED_MATCHES / EVERY)
    const all = store.search({ query, limit: MESSAGES_OF_CHECKED_MATCHES, enough: 1000, now: 0 })
    expect({ total: all.total, hits: [...all.hits].length }).toEqual({ total: 1000, hits: 1000 })
    store.close()
  })
})
