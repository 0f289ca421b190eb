import { describe, expect, it } from 'vitest'
import { createRandom } from '../../bench/invent.ts'
import { finish } from '../../src/model/iteration.ts'
import { parseQuery } from '../../src/search/query.ts'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { raw, sql } from '../../src/store/clickhouse/connection/literal.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { createStamps, filesOf, type Scope } from '../../src/store/clickhouse/scope.ts'
import { candidates } from '../../src/store/clickhouse/search/candidates.ts'
import {
  createSessionFacts,
  type Restriction,
  restrict,
  wordsCondition,
} from '../../src/store/clickhouse/search/conditions.ts'
import { occurrencesOf, textsOf } from '../../src/store/clickhouse/search/search.ts'
import { emptyServer, hasServer } from './engines.ts'

const NOW = Date.UTC(2026, 10, 20)
const FILES = 9
/** No batch with its rows has been completed. */
const UNKNOWN = 10
const SPEAKERS = ['human', 'program', 'agent', 'tool', 'memory'] as const
const WORDS = ['fern', 'hedge', 'fernwood', 'rosemary']

const ROWS = [
  'artifact',
  'generation',
  'line',
  'place',
  'record',
  'digest',
  'version',
  'deleted',
  'at',
  'who',
  'prompt',
  'aside',
  'offset',
  'length',
  'tool',
  'target',
  'more',
  'text',
  'words',
]

/** A time in any of three years, in one month of them, or none that a transcript can have. */
function someTime(random: () => number): number | null {
  const kind = random()
  if (kind < 0.1) return null
  if (kind < 0.15) return [0, -5000, Date.UTC(2150, 1, 1)][Math.floor(random() * 3)]!
  if (kind < 0.5) return Date.UTC(2026, 10, 1) + Math.floor(random() * 30) * 86_400_000
  return Date.UTC(2024, 0, 1) + Math.floor(random() * 1050) * 86_400_000
}

/** Messages with copies on three machines, later versions of rows, removed ones, and incomplete batches. */
function fill(scope: Scope, seed: number): void {
  const random = createRandom(seed)
  const { connection } = scope
  const number = (most: number): number => Math.floor(random() * most)
  connection.insert(
    'artifact',
    ['id', 'version', 'deleted', 'device', 'path', 'platform', 'session', 'state', 'generation', 'row'],
    Array.from({ length: FILES }, (_, id) => [
      id + 1,
      5,
      0,
      ['oak', 'elm', 'ash'][id % 3]!,
      `/${id + 1}`,
      'claude-code',
      `s${id % 5}`,
      id === 3 ? 'deleted' : 'live',
      2,
      '{}',
    ]),
  )
  connection.insert(
    'arrival',
    ['artifact', 'at'],
    Array.from({ length: FILES }, (_, id) => [id + 1, 1 + number(4)]),
  )
  const batches: (string | number | null)[][][] = [[], [], [], []]
  for (let record = 1; record <= 120; record++) {
    const who = SPEAKERS[number(SPEAKERS.length)]!
    const time = someTime(random)
    const text = `${WORDS[number(4)]} ${WORDS[number(4)]}${random() < 0.1 ? '?' : ''}`
    for (let copy = number(4); copy >= 0; copy--) {
      const at = who === 'memory' ? someTime(random) : time
      const key = [1 + number(UNKNOWN), 1 + number(2), record * 10 + copy, number(2), record, record * 7]
      // What a copy in a fork counts as.
      const speaker = who === 'human' && random() < 0.3 ? 'program' : who
      const row = (version: number, deleted: 0 | 1, said: string = speaker) => [
        ...key,
        version,
        deleted,
        at,
        said,
        0,
        0,
        0,
        9,
        said === 'tool' ? 'Bash' : null,
        said === 'tool' ? 'cut' : null,
        null,
        deleted ? null : text,
        deleted ? '' : ` ${text.replace('?', '')} `,
      ]
      const version = 1 + number(5)
      batches[0]!.push(row(version, 0))
      const later = random()
      if (later < 0.08) batches[1]!.push(row(version + 1, 1))
      else if (later < 0.16) batches[1]!.push(row(version + 1, 0, who === 'human' ? 'program' : who))
      // A batch that was interrupted and written again has rows of the same version.
      else if (later < 0.2) batches[1]!.push(row(5, 1)) && batches[2]!.push(row(5, 0))
      else if (later < 0.24) batches[1]!.push(row(5, 0)) && batches[2]!.push(row(5, 1))
      else if (later < 0.28) batches[3]!.push(row(6, random() < 0.5 ? 1 : 0))
    }
  }
  for (const batch of batches) connection.insert('item', ROWS, batch)
}

/** The same question over the newest rows of all months, as ClickHouse determines them. */
const inOneStatement = (scope: Scope, words: string, { rows, messages }: Restriction, most: number) =>
  scope.connection
    .select<[number, number, string, number]>(
      sql`SELECT i.record, i.digest, min(i.who) AS speaker, argMin(i.artifact, a.age) AS owner
      FROM (SELECT * FROM item AS i FINAL WHERE ${raw([words, ...rows].join(' AND '))}) AS i
      INNER JOIN ${filesOf(scope, 'id, version')} ON a.id = i.artifact
      WHERE i.version <= a.version GROUP BY i.record, i.digest
      ${raw(messages.length === 0 ? '' : `HAVING ${messages.join(' AND ')}`)}
      ORDER BY max(ifNull(i.at, 0)) DESC, i.record, i.digest LIMIT ${most}`,
    )
    .map(([record, digest, who]) => [record, digest, who])

const keysOf = (scope: Scope) =>
  Map.groupBy(
    scope.connection.select<[number, number, number, number, number]>(
      sql`SELECT i.record, i.artifact, i.generation, i.line, i.place FROM (SELECT * FROM item FINAL) AS i
        INNER JOIN ${filesOf(scope, 'id, version')} ON a.id = i.artifact
        WHERE i.version <= a.version ORDER BY a.age, i.generation, i.line, i.place`,
    ),
    ([record]) => record,
  )

const QUERIES = [
  'fern',
  '"fern hedge"',
  'rose* -hedge',
  'fern -who:human',
  'hedge before:2026-11-10',
  'fern is:question',
  'after:2025-06-01 before:2026-11-20',
  'hedge session:s1',
  '-session:s2 who:memory',
]

describe.runIf(hasServer)('searching month by month, without the newest rows of everything', () => {
  it.each([1, 2])('finds what one statement over all rows finds (%i)', (seed) => {
    const server = emptyServer()
    openClickHouseStore({ ...server, device: 'oak' }).close()
    const scope: Scope = {
      connection: connect(server),
      device: 'oak',
      person: '',
      everyone: true,
      writer: 1,
      stamp: createStamps(),
      leftOut() {},
    }
    fill(scope, seed)
    const keys = keysOf(scope)
    let compared = 0
    for (const asked of QUERIES) {
      const query = parseQuery(asked, NOW, (day) => Date.parse(day))
      for (const isLoose of query.words ? [false, true] : [false]) {
        const words = query.words ? wordsCondition(query.words, isLoose)! : '1'
        for (const most of [3, 20, 1000]) {
          const limits = restrict(scope, { query, now: NOW }, createSessionFacts(scope))
          const found = finish(candidates(scope, words, limits, most))
          const shown = found.map(({ record, digest, who }) => [record, digest, who])
          const expected = limits.empty ? [] : inOneStatement(scope, words, limits, most)
          expect(shown, `${asked} ${most}`).toEqual(expected)
          compared += expected.length
          if (most < 1000 || found.length === 0) continue
          const all = occurrencesOf(scope, found, limits.replaced)
          const texts = textsOf(scope, found, limits.replaced)
          for (const each of found) {
            const occurrences = all.get(each.message) ?? []
            const rows = occurrences.map(({ artifact, generation, line, order }) => [
              each.record,
              artifact,
              generation,
              line,
              order,
            ])
            expect(rows, asked).toEqual(keys.get(each.record))
            const { text, at } = occurrences[0]!
            expect(texts.get(each.message)).toMatchObject({ text, at })
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(300)
    scope.connection.close()
  })
})
