import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/search/query.ts'
import { type Connection, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { raw, sql } from '../../src/store/clickhouse/connection/literal.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { FILE_TABLES, idOf } from '../../src/store/clickhouse/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { hasServer } from './engines.ts'
import { sendAs, team } from './team.ts'

/** When it is searched: months after all messages. */
const NOW = Date.UTC(2027, 2, 20)
const UTC = [{ fromMs: 0, offsetMs: 0 }]
const LETTERS = { human: 'h', agent: 'a', program: 'p', tool: 't', error: 'e', marker: 'm', memory: 'd' }
const WORDS = ['fern', 'bench', 'hedge', 'path', 'who:human water', 'is:question', '-fern']

/** The ids of the machine that writes malformed rows. Few, so that rows of several tables meet. */
const IDS = [0, 1, 2].map((index) => idOf('mallory', index))
/** Columns whose values the rules of the tables check. */
const OWN: Readonly<Record<string, string>> = { device: "'mallory'", person: "'mallory'", deleted: '0' }

const JUNK = [
  null,
  -1,
  1e300,
  9e15,
  1.5,
  '',
  'x',
  '\0',
  'ab'.repeat(50_000),
  true,
  [],
  [null],
  [[1, 'a']],
  {},
  { a: [] },
]
const INTEGERS = [
  '0',
  '1',
  '2',
  '-1',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '8640000000000001',
]
const FLOATS = ['0', '5', '-5', '1e308', '-1e308', 'nan', 'inf', '-inf', '1e15', '1.7e12']

const literal = (text: string): string => sql`${text}`

/** JSON that a well-formed row has, with one field replaced or missing, or something else. */
const json = (examples: readonly string[]): fc.Arbitrary<string> => {
  const changed = fc
    .tuple(fc.constantFrom(...examples), fc.nat(), fc.constantFrom(undefined, ...JUNK))
    .map(([example, at, junk]) => {
      const row = JSON.parse(example) as Record<string, unknown>
      const names = Object.keys(row)
      return JSON.stringify({ ...row, [names[at % names.length]!]: junk })
    })
  return fc.oneof(
    changed,
    fc.constantFrom(...JUNK.map((each) => JSON.stringify(each)), '{"a":', 'no JSON', '\0', ...examples),
  )
}

type Example = (table: string, column: string) => readonly string[]

/** Values of a column, as literals. */
function literalFor(type: string, examples: readonly string[]): fc.Arbitrary<string> {
  const nullable = /Nullable\((.*)\)/.exec(type)?.[1]
  if (nullable !== undefined)
    return fc.oneof(
      { weight: 1, arbitrary: fc.constant('NULL') },
      { weight: 3, arbitrary: literalFor(nullable, examples) },
    )
  const inner = /^(?:LowCardinality|Array|SimpleAggregateFunction)\((?:anyLast, )?(.*)\)$/.exec(type)?.[1]
  if (inner !== undefined)
    return type.startsWith('Array')
      ? literalFor(inner, examples).map((value) => `[${value}]`)
      : literalFor(inner, examples)
  if (type.startsWith('Enum'))
    return fc.constantFrom("'human'", "'agent'", "'program'", "'tool'", "'memory'", "'robot'")
  if (type.startsWith('Float')) return fc.constantFrom(...FLOATS)
  if (type.includes('Int'))
    return fc.constantFrom(
      ...(type.startsWith('U') ? INTEGERS.filter((each) => !each.startsWith('-')) : INTEGERS),
    )
  return examples.some((each) => each.startsWith('{'))
    ? json(examples).map(literal)
    : fc
        .constantFrom(
          '',
          'x',
          '\0',
          'claude-code',
          'live',
          'deleted',
          '/fern',
          '[{"line":"a"}]',
          '{}',
          'fern '.repeat(20_000),
          ...examples,
        )
        .map(literal)
}

/** Statements that insert rows which the rules take from the machine, with anything in other columns. */
function insertions(connection: Connection, example: Example): fc.Arbitrary<string> {
  const tables = (['artifact', 'arrival', 'item', 'usage'] as const).map((table) => {
    const columns = connection.select<[string, string]>(
      sql`SELECT name, type FROM system.columns WHERE database = ${connection.database} AND table = ${table}
          AND default_kind = ''`,
    )
    const values = columns.map(([name, type]) => {
      if (name === 'id' || name === 'artifact') return fc.constantFrom(...IDS.map(String))
      if (name in OWN) return fc.constant(OWN[name]!)
      // Otherwise, no other row of the file would count.
      if (name === 'version') return fc.constantFrom('1', '2', '3', '18446744073709551615')
      return literalFor(type, example(table, name))
    })
    return fc
      .tuple(...values)
      .map(
        (row) =>
          `INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')}) VALUES (${row.join(', ')})`,
      )
  })
  return fc.oneof({ weight: 4, arbitrary: tables[0]! }, ...tables.slice(1))
}

/** Times of which there is a date. */
function expectTimes(times: readonly (number | undefined)[]): void {
  for (const time of times) expect(new Date(time ?? 0).getTime()).not.toBeNaN()
}

/** Every answer of a store about the files of others than the one machine. */
function answersOf(store: Store) {
  const isOther = (each: { path: string }): boolean => !each.path.startsWith('mallory:')
  const files = [...store.known().values()]
  const others = files.filter(({ artifact }) => isOther(artifact))
  const ids = new Set(others.map(({ id }) => id))
  const ofOthers = (rows: readonly { artifact: number }[]): unknown[] =>
    rows.filter(({ artifact }) => ids.has(artifact))
  const hits = WORDS.flatMap((words) =>
    [false, true].flatMap((relaxed) => {
      const query = parseQuery(words, NOW, () => undefined)
      const wanted = { query, limit: 500, enough: 0, now: NOW, relaxed }
      const found = [...store.search(wanted).hits]
      for (const { at, goneMs } of found) expectTimes([at, goneMs])
      return found
        .filter(isOther)
        .map(({ copies, score: _, ...hit }) => ({ words, ...hit, copies: copies.filter(isOther) }))
        .sort((a, b) => (a.path < b.path ? -1 : 1) || a.line - b.line)
    }),
  )
  const roots = files.map(({ artifact: { root } }) => root)
  store.searchable(roots)
  store.statistics()
  store.contents()
  store.copiesOf(store.contents().map(({ id }) => id))
  for (const { id, versions } of store.documents())
    for (const { number } of versions) store.documentText(id, number)
  for (const { artifact } of files) {
    expectTimes(store.messages(artifact.path).map(({ at }) => at))
    store.cutMessages(artifact.path)
    store.outline(artifact.path, { letters: LETTERS, cut: 40 })
  }
  return JSON.parse(
    JSON.stringify({
      known: others,
      sessions: store.sessions().filter(({ session }) => isOther(session)),
      again: store.sessions(undefined, undefined, new Map()).filter(({ session }) => isOther(session)),
      facts: ofOthers(store.sessionFacts(roots, { rows: true }) as never),
      paths: store.pathsOf(uuid(0).slice(0, 8)).filter((path) => isOther({ path })),
      hits,
      figures: [...store.figures({ zone: UTC })]
        .map(({ day, usage, messages, hours, touched }) => {
          expectTimes([(day ?? 0) * 86_400_000])
          for (const row of [...usage, ...messages])
            for (const value of Object.values(row))
              if (typeof value === 'number') expect(value).toBeLessThan(1e18)
          return {
            day,
            usage: ofOthers(usage),
            messages: ofOthers(messages),
            hours: ofOthers(hours),
            touched: ofOthers(touched),
          }
        })
        .filter(({ usage, messages }) => usage.length + messages.length > 0),
      minutes: [...store.minutes(0)].filter(({ figure }) => ids.has(figure.artifact)),
      read: others.map(({ artifact: { path } }) => ({
        messages: store.messages(path),
        window: store.itemsAt(path, 0, 5).items,
        outline: store.outline(path, { letters: LETTERS, cut: 40 }),
      })),
    }),
  )
}

describe.runIf(hasServer)('malformed rows of a machine', () => {
  it('change no answer about the files of others, and break no command', () => {
    const { server, ask } = team()
    const connection = connect(server)
    const reading = openClickHouseStore({ ...server, device: 'pine' })
    const before = answersOf(reading)
    const commands = [
      ['sessions', '--all', '--json'],
      ['search', 'fern'],
      ['stats'],
      ['stats', '--by', 'person', '--json'],
      ['projects'],
      ['memory'],
      ['overview'],
      ['read', uuid(1)],
    ]
    const codes = commands.map((words) => ask(...words).code)
    const examples: Example = (table, column) =>
      connection
        .select<[string]>(
          sql`SELECT DISTINCT toString(${raw(column)}) FROM ${raw(table)} FINAL
            WHERE toString(${raw(column)}) <> '' AND ${raw(FILE_TABLES[table as keyof typeof FILE_TABLES])} NOT IN ${IDS} LIMIT 3`,
        )
        .map(([value]) => value)
    let accepted = 0
    fc.assert(
      fc.property(
        fc.array(insertions(connection, examples), { minLength: 5, maxLength: 12 }),
        (statements) => {
          for (const statement of statements)
            try {
              connection.run(statement)
              accepted++
            } catch {
              // The server refuses it.
            }
          expect(answersOf(reading)).toEqual(before)
        },
      ),
      { numRuns: 12, endOnFailure: true },
    )
    expect(accepted).toBeGreaterThan(20)
    expect(commands.map((words) => ask(...words).code)).toEqual(codes)
    expect(ask('search', 'fern').stdout).toContain('Water the fern')
    reading.close()
    connection.close()
  }, 600_000)
})

/** What a machine changes in the rows of its own session, and of a memory document. */
const CHANGES: Record<string, (id: number) => string[]> = {
  'a time that no calendar has': (id) => [
    `INSERT INTO item SELECT * REPLACE (8900000000000000 AS at) FROM item FINAL WHERE artifact = ${id}`,
  ],
  'messages of others at other times and as those of a human': (id) => [
    `INSERT INTO item SELECT * REPLACE (${id} AS artifact, line + 100 AS line, 1 AS version, at + 11000000000 AS at, 'human' AS who)
      FROM item AS o FINAL WHERE o.artifact <> ${id}`,
    `INSERT INTO item SELECT * REPLACE (${id} AS artifact, line + 200 AS line, 1 AS version, at - 9000000000 AS at)
      FROM item AS o FINAL WHERE o.artifact <> ${id}`,
  ],
  'replies of others with more tokens than any has': (id) => [
    `INSERT INTO usage SELECT * REPLACE (${id} AS artifact, 1 AS version, 1e300 AS output) FROM usage AS o FINAL WHERE o.artifact <> ${id}`,
  ],
}

describe.runIf(hasServer)('a machine whose well-formed session gets', () => {
  /** A team, and a session of mallory. */
  function withMallory() {
    const { server, ask } = team()
    const home = temporaryHome()
    putClaude(home, uuid(20), [
      claude.user(60, 'Dig a hole for the fern', { sessionId: uuid(20) }),
      claude.reply(61, [text('Dug a hole.')], { sessionId: uuid(20) }),
    ])
    sendAs('mallory', 'mallory', join(home, '.claude'), server)
    const reading = openClickHouseStore({ ...server, device: 'pine' })
    const { id } = [...reading.known().values()].find(({ device }) => device === 'mallory')!
    return { id, connection: connect(server), reading, ask }
  }

  it.each(Object.entries(CHANGES))('%s changes no answer about others', (_, change) => {
    const { id, connection, reading } = withMallory()
    const before = answersOf(reading)
    for (const statement of change(id)) connection.run(statement)
    expect(answersOf(reading)).toEqual(before)
    reading.close()
    connection.close()
  })

  it('a memory document with a line that no file has shows the others of its lines', () => {
    const { id, connection, reading } = withMallory()
    connection.run(`INSERT INTO item (artifact, generation, line, version, text, who)
      VALUES (${id + 1}, 1, 1, 1, 'Ferns like shade', 'memory'), (${id + 1}, 1, 20000001, 1, 'far away', 'memory')`)
    expect(reading.documentText(id + 1, 1)).toBe('Ferns like shade')
    reading.close()
    connection.close()
  })

  it('times that are none still has an operator told about every machine', () => {
    const { id, connection, reading, ask } = withMallory()
    for (const time of ['9223372036854775807', '-9223372036854775808', '8640000000000001']) {
      connection.run(`INSERT INTO delivery (device, newest) VALUES ('mallory', ${time})`)
      connection.run(`INSERT INTO artifact SELECT * REPLACE (version + 1 AS version,
        replaceRegexpOne(row, '"lastActivityMs":[0-9]+', '"lastActivityMs":${time}') AS row) FROM artifact FINAL WHERE id = ${id}`)
      const { stdout, code } = ask('store', 'status', '--json')
      expect([time, code]).toEqual([time, 0])
      const { machines } = JSON.parse(stdout) as { machines: { device: string; newestAt: string | null }[] }
      expect(machines.find(({ device }) => device === 'mallory')).toMatchObject({ newestAt: null })
      expect([0, 1]).toContain(ask('store', 'retain', '1d', '--dry-run').code)
    }
    reading.close()
    connection.close()
  })

  it('a row that is no session is left out and named', () => {
    const { id, connection, reading, ask } = withMallory()
    connection.run(`INSERT INTO artifact SELECT * REPLACE (version + 1 AS version, '{}' AS row)
      FROM artifact FINAL WHERE id = ${id}`)
    expect(reading.sessions().map(({ session }) => session.device)).not.toContain('mallory')
    const { stdout, stderr, code } = ask('sessions', '--all')
    expect(stdout).toContain('Water the fern')
    expect(stderr).toMatch(/^[^\n]*mallory:[^\n]+ malformed, and is left out\n$/)
    expect(code).toBe(0)
    reading.close()
    connection.close()
  })
})
