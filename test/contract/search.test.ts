import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMatcher } from '../../src/search/match.ts'
import { parseQuery, type Query } from '../../src/search/query.ts'
import type { SearchHit } from '../../src/store/search.ts'
import type { Store } from '../../src/store/store.ts'
import type { StoredMessage } from '../../src/store/stored.ts'
import { call, claude, text, uuid } from '../records.ts'
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
let all: StoredMessage[] = []

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
function scan({ words, filters }: Query, loose: boolean): StoredMessage[] {
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
    all = paths.flatMap((path) => store.messages(path))
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
      { numRuns: Math.ceil(500 * engine.share) },
    )
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
      { numRuns: Math.ceil(300 * engine.share) },
    )
  })
})
