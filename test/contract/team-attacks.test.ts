import { mkdtempSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Connection, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { DEVICE_TABLES, FILE_TABLES, idsOf, TABLES } from '../../src/store/clickhouse/schema.ts'
import type { Account } from '../../src/store/team.ts'
import { refresh } from '../../src/sync/refresh.ts'
import { hasLibrary, type OwnServer, startOn } from '../clickhouse/restricted.ts'
import { runSources } from '../program.ts'
import { call, claude, put, sharedHome, temporaryHome, text, uuid } from '../records.ts'
import { bringUpToDate, claudeAt, hitsFor } from '../store-audit.ts'
import { emptyServer, hasServer } from './engines.ts'

/** The highest version that a row can have. */
const LAST = '18446744073709551615'

const top = sharedHome()

/** Who works on the machines that collect in this process. */
const person = userInfo().username
const oak: Account = { kind: 'device', name: 'device_oak', device: 'oak', persons: [person] }
const mallory: Account = { kind: 'device', name: 'device_mallory', device: 'mallory', persons: ['mallory'] }

const sessionAt = (folder: string, id: number): string =>
  join(folder, 'projects/-home-ann-garden', `${uuid(id)}.jsonl`)

function fill(server: OwnServer, device: string, whose: string, folder: string): void {
  const store = openClickHouseStore({ ...server.address, database: 'team', device, person: whose })
  refresh(store, { environment: claudeAt(folder), now: Date.now(), threads: () => 1, faultOf: String })
  store.assignProjects([
    {
      project: { name: 'garden', path: '/garden' },
      artifacts: store.projectFacts().map(({ artifact }) => artifact),
    },
  ])
  store.close()
}

/** A store that the machine oak has filled, and to which the machine mallory has added a session. */
async function filledFolder(name: string): Promise<{ data: string; home: string }> {
  const data = join(mkdtempSync(join(top, name)), 'data')
  const server = await startOn(data)
  const connection = connect(server.address)
  connection.run('CREATE DATABASE team ENGINE = Atomic')
  connection.close()
  const [home, other] = ['home-', 'mallory-'].map((name) => mkdtempSync(join(top, name))) as [string, string]
  for (const id of [1, 2])
    put(sessionAt(join(home, '.claude'), id), [
      claude.user(10 * id, `Water fern ${id}`, { sessionId: uuid(id) }),
      claude.reply(10 * id + 1, [call('t1', 'Bash', { command: 'water' }), text('Watered.')], {
        sessionId: uuid(id),
      }),
    ])
  put(sessionAt(other, 9), [claude.user(91, 'Dig a hole', { sessionId: uuid(9) })])
  fill(server, 'oak', person, join(home, '.claude'))
  fill(server, 'mallory', 'mallory', other)
  await server.stop()
  return { data, home }
}

/** Every row of every table, as an administrator sees them, without the previous versions. */
async function rowsIn(data: string): Promise<Record<string, unknown>> {
  const server = await startOn(data)
  const connection = connect({ ...server.address, database: 'team' })
  const rows = TABLES.map((table) => [table, connection.select(`SELECT * FROM ${table} FINAL ORDER BY ALL`)])
  connection.close()
  await server.stop()
  return Object.fromEntries(rows)
}

/** Every way that the engine has to insert the same row. `columns` and `values` are of one row. */
function* waysToInsert(table: string, row: Readonly<Record<string, string>>): Generator<string> {
  const columns = Object.keys(row).join(', ')
  const values = Object.values(row).join(', ')
  const settings = ['insert_allow_materialized_columns = 1']
  for (const more of [
    'async_insert = 1, wait_for_async_insert = 1',
    'optimize_using_constraints = 0',
    'insert_null_as_default = 0',
    'max_insert_block_size = 1',
    'input_format_values_interpret_expressions = 1',
    'apply_row_policy_after_final = 0',
    'compile_expressions = 0',
  ])
    settings.push(`${settings[0]}, ${more}`)
  for (const each of settings) {
    yield `INSERT INTO ${table} (${columns}) SETTINGS ${each} VALUES (${values})`
    yield `INSERT INTO team.${table} (${columns}) SELECT ${values} SETTINGS ${each}`
    yield `INSERT INTO ${table} (${columns}) SETTINGS ${each} FORMAT JSONCompactEachRow [${values.replaceAll("'", '"')}]`
  }
  yield `INSERT INTO FUNCTION merge('team', '^${table}$') (${columns}) VALUES (${values})`
  yield `INSERT INTO FUNCTION remote('127.0.0.1', 'team', '${table}') (${columns}) VALUES (${values})`
  yield `INSERT INTO FUNCTION loop(team.${table}) (${columns}) VALUES (${values})`
}

/** Which of these statements the engine executes, whatever it says. */
function accepted(connection: Connection, statements: Iterable<string>): string[] {
  return [...statements].filter((statement) => {
    try {
      connection.run(statement)
      return true
    } catch {
      return false
    }
  })
}

const NOT_FOR_USERS = [
  'ALTER TABLE item DROP CONSTRAINT own',
  'ALTER TABLE artifact MODIFY COLUMN person String',
  'CREATE TEMPORARY TABLE artifact (id Int64)',
  'CREATE MATERIALIZED VIEW own TO item AS SELECT * FROM item',
  'EXCHANGE TABLES item AND usage',
  'CREATE FUNCTION currentUser AS () -> 1',
  'CREATE ROLE scrollback_person_bob',
  'GRANT scrollback_person_bob TO default',
  'EXECUTE AS device_oak SELECT 1',
  'ALTER TABLE item DELETE WHERE 1',
  'DELETE FROM item WHERE 1',
  'OPTIMIZE TABLE item FINAL',
  'DETACH TABLE item',
]

describe.runIf(hasServer && hasLibrary)('a reader who runs any statement', () => {
  // Readers of a library are called `default`, and so is the owner of what they share.
  const eve: Account = { kind: 'reader', name: 'default', persons: [] }
  const share = (owner: string, session: string, more: Record<string, string> = {}) => ({
    owner: `'${owner}'`,
    platform: "'claude-code'",
    session: `'${session}'`,
    reader: "''",
    version: '1',
    deleted: '0',
    at: '0',
    ...more,
  })

  it('shares no session of another person, and so reads none', async () => {
    const { data } = await filledFolder('reader-')
    const before = await rowsIn(data)
    const server = await startOn(data, eve)
    const connection = connect(server.address)
    const seen = () => connection.select('SELECT count() FROM item FINAL')
    expect(seen()).toEqual([[0]])
    for (const session of [uuid(1), '', 'x'])
      expect(accepted(connection, waysToInsert('share', share(person, session)))).toEqual([])
    // Of what nobody started, either.
    expect(accepted(connection, waysToInsert('share', share('default', '')))).toEqual([])
    expect(accepted(connection, NOT_FOR_USERS)).toEqual([])
    for (const table of [...FILE_TABLES, ...DEVICE_TABLES, 'artifact', 'member', 'forgotten', 'retention'])
      expect(accepted(connection, [`INSERT INTO ${table} (version) VALUES (${LAST})`])).toEqual([])
    expect(seen()).toEqual([[0]])
    connection.close()
    await server.stop()
    expect(await rowsIn(data)).toEqual(before)
  }, 600_000)

  it('takes back no share of another person', async () => {
    const { data } = await filledFolder('unshare-')
    const whole = await startOn(data)
    const team = connect({ ...whole.address, database: 'team' })
    // The server says who shares, so the row of another person needs another rule.
    team.run('ALTER TABLE share DROP CONSTRAINT own')
    team.run(
      `INSERT INTO share (owner, platform, session, reader, version) SETTINGS insert_allow_materialized_columns = 1
        VALUES ('${person}', 'claude-code', '${uuid(1)}', '', 1)`,
    )
    team.run('ALTER TABLE share ADD CONSTRAINT own CHECK owner = currentUser() AND notEmpty(session)')
    team.close()
    await whole.stop()
    const server = await startOn(data, eve)
    const connection = connect(server.address)
    const shared = () => connection.select('SELECT DISTINCT session FROM artifact FINAL')
    expect(shared()).toEqual([[uuid(1)]])
    const gone = share(person, uuid(1), { version: LAST, deleted: '1' })
    expect(accepted(connection, waysToInsert('share', gone))).toEqual([])
    const { owner: _, ...own } = gone
    expect(accepted(connection, waysToInsert('share', own)).length).toBeGreaterThan(5)
    expect(shared()).toEqual([[uuid(1)]])
    expect(connection.select("SELECT * FROM mergeTreeIndex('team', 'share')").flat()).not.toContain(uuid(1))
    connection.close()
    await server.stop()
  }, 600_000)
})

describe.runIf(hasServer && hasLibrary)('a machine whose user runs any statement', () => {
  let filled: Awaited<ReturnType<typeof filledFolder>>
  let server: OwnServer
  let connection: Connection
  /** The files of oak, as everyone can read them from the primary key. */
  let ids: number[]
  let before: Record<string, unknown>
  beforeAll(async () => {
    filled = await filledFolder('machine-')
    before = await rowsIn(filled.data)
    server = await startOn(filled.data, mallory)
    connection = connect(server.address)
    const { first, count } = idsOf('oak')
    ids = connection
      .select<[number]>("SELECT arrayJoin(groupUniqArray(id)) FROM mergeTreeIndex('team', 'artifact')")
      .flat()
      .filter((id) => id >= first && id < first + count)
  }, 600_000)
  afterAll(async () => {
    connection.close()
    await server.stop()
  })

  it('knows ids of others, and writes no row with them in any table', () => {
    expect(ids).not.toEqual([])
    const { first, count } = idsOf('mallory')
    for (const id of [...ids, first - 1, first + count, -1, 0])
      for (const version of [LAST, '1'])
        for (const table of FILE_TABLES)
          expect(
            accepted(connection, waysToInsert(table, { artifact: String(id), version, deleted: '1' })),
          ).toEqual([])
  })

  it('does not say when the server got a file', () => {
    const longAgo = `${Date.now() - 11 * 60_000}000`
    for (const at of ['0', '1', '-1', longAgo])
      expect(accepted(connection, waysToInsert('arrival', { artifact: own(), at }))).toEqual([])
    for (const artifact of ids)
      expect(accepted(connection, waysToInsert('arrival', { artifact: String(artifact) }))).toEqual([])
    expect(accepted(connection, waysToInsert('arrival', { artifact: own() })).length).toBeGreaterThan(5)
    const [[arrived] = [0]] = connection.select<[number]>(
      `SELECT min(at) FROM arrival WHERE artifact = ${own()}`,
    )
    expect(Math.abs(arrived / 1000 - Date.now())).toBeLessThan(600_000)
  })

  it.each([
    [
      'an id of another machine',
      (id: number) => ({ id: String(id), device: "'mallory'", person: "'mallory'" }),
    ],
    ['the name of another machine', () => ({ id: own(), device: "'oak'", person: "'mallory'" })],
    ['the name of another person', () => ({ id: own(), device: "'mallory'", person: `'${person}'` })],
    ['no person', () => ({ id: own(), device: "'mallory'", person: "''" })],
    ['no machine', () => ({ id: own(), device: "''", person: "'mallory'" })],
  ])('adds no file with %s', (_, row) => {
    for (const id of ids)
      for (const deleted of ['0', '1'])
        expect(
          accepted(connection, waysToInsert('artifact', { ...row(id), version: LAST, deleted })),
        ).toEqual([])
  })

  it('writes nothing that a machine has for itself in the name of another', () => {
    for (const table of DEVICE_TABLES)
      for (const device of ["'oak'", "''", "'device_mallory'", "'mallory '"])
        expect(accepted(connection, waysToInsert(table, { device }))).toEqual([])
  })

  it('changes no rule and no table, and only lays down roles', () => {
    expect(accepted(connection, NOT_FOR_USERS)).toEqual([])
    const row = { id: own(), device: "'mallory'", person: "'mallory'", version: '1', deleted: '1' }
    for (const roles of ['NONE', 'scrollback']) {
      connection.run(`SET ROLE ${roles}`)
      expect(accepted(connection, waysToInsert('artifact', row))).toEqual([])
    }
    connection.run('SET ROLE ALL')
  })

  it('reads only what it has, also after adding rows of its own', () => {
    const { first } = idsOf('mallory')
    const row = { id: String(first), device: "'mallory'", person: "'mallory'", version: '1' }
    expect(accepted(connection, waysToInsert('artifact', row)).length).toBeGreaterThan(5)
    for (const table of FILE_TABLES) {
      const version: Record<string, string> = table === 'arrival' ? {} : { version: '1' }
      const [statement] = waysToInsert(table, { artifact: String(first), ...version })
      expect(accepted(connection, [statement!])).toEqual([statement])
      expect(JSON.stringify(connection.select(`SELECT * FROM ${table}`))).not.toMatch(/fern|Watered/)
    }
    expect(connection.select('SELECT DISTINCT device FROM artifact')).toEqual([['mallory']])
    connection.run(
      `INSERT INTO artifact (id, version, deleted, device, person) VALUES (${first}, 2, 1, 'mallory', 'mallory')`,
    )
  })

  it('has changed no row of another machine, whose next collection goes on', async () => {
    const { data, home } = filled
    await server.stop()
    const after = await rowsIn(data)
    const { first, count } = idsOf('mallory')
    const others = (rows: unknown) =>
      (rows as unknown[][]).filter(([id]) => !(Number(id) >= first && Number(id) < first + count))
    expect(others(after.artifact)).toEqual(others(before.artifact))
    for (const table of ['item', 'usage', 'project', 'figure', 'unlinked'])
      expect(others(after[table])).toEqual(others(before[table]))
    for (const table of DEVICE_TABLES) expect(after[table]).toEqual(before[table])
    server = await startOn(data, oak)
    const collect = () =>
      runSources(['collect', server.store, '--device', 'oak'], home, {
        SCROLLBACK_STORE_PASSWORD: 'secret-of-tester',
      })
    expect(collect()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Nothing new') })
    put(sessionAt(join(home, '.claude'), 3), [claude.user(31, 'Prune it', { sessionId: uuid(3) })])
    expect(collect()).toMatchObject({ code: 0, stderr: '' })
    const store = openClickHouseStore({ ...server.address, device: 'oak' })
    expect(
      store
        .sessions()
        .map(({ session }) => session.title)
        .sort(),
    ).toEqual(['Prune it', 'Water fern 1', 'Water fern 2'])
    store.close()
  }, 600_000)

  it('is told why, if it collects as a machine or a person that it is not', async () => {
    const home = temporaryHome()
    put(sessionAt(join(home, '.claude'), 4), [claude.user(41, 'Hoe', { sessionId: uuid(4) })])
    await server.stop()
    server = await startOn(filled.data, { ...oak, persons: ['nobody'] })
    const collect = (device: string) =>
      runSources(['collect', server.store, '--device', device], home, {
        SCROLLBACK_STORE_PASSWORD: 'secret-of-tester',
      })
    for (const device of ['oak', 'elm'])
      expect(collect(device)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('only sessions of its own machine and of the persons'),
      })
  }, 600_000)
})

describe.runIf(hasServer)('a machine that says that it writes in the future', () => {
  it('does not hide that others have written', () => {
    const server = emptyServer()
    const home = mkdtempSync(join(top, 'future-'))
    const reading = openClickHouseStore({ ...server, device: 'pine', everyone: true })
    const connection = connect(server)
    connection.run(
      `INSERT INTO artifact (id, version, device, stamp) VALUES (${own()}, 1, 'mallory', 9223372036854775807)`,
    )
    const before = reading.othersWrote()
    expect(reading.othersWrote()).toBe(before)
    put(sessionAt(join(home, '.claude'), 1), [claude.user(1, 'Water the fern')])
    const store = openClickHouseStore({ ...server, device: 'oak', person })
    refresh(store, {
      environment: claudeAt(join(home, '.claude')),
      now: Date.now(),
      threads: () => 1,
      faultOf: String,
    })
    store.close()
    expect(reading.othersWrote()).not.toBe(before)
    reading.close()
    connection.close()
  })
})

describe.runIf(hasServer)('a machine that has copies of what others said', () => {
  const [parent, agentPath] = [uuid(5), join(uuid(5), 'subagents', 'agent-a1.jsonl')]
  const said = [
    claude.reply(11, [text('Watered the fern')], { sessionId: parent, isSidechain: true, agentId: 'a1' }),
  ]

  /** Which machine the message counts for, and in which file it is found. */
  function ownerAt(address: ReturnType<typeof emptyServer>): unknown {
    const reading = openClickHouseStore({ ...address, device: 'pine', everyone: true })
    const counted = [...reading.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })].flatMap(({ messages }) =>
      messages.map(({ artifact }) => reading.knownFile({ id: artifact })?.device),
    )
    const found = hitsFor(reading, 'fern').map(({ path }) => path.split(':')[0])
    reading.close()
    return { counted, found }
  }

  it('takes them over neither with a file that never arrived nor by calling the session of another a fork', () => {
    const address = emptyServer()
    const connection = connect(address)
    const home = mkdtempSync(join(top, 'copies-'))
    put(join(home, 'projects/-home-ann-garden', agentPath), said)
    const store = openClickHouseStore({ ...address, device: 'oak', person })
    bringUpToDate(store, claudeAt(home))
    store.close()
    const { first } = idsOf('mallory')
    connection.run(`INSERT INTO artifact (id, version, device, platform, session, path, generation, settled, facts)
      VALUES (${first}, 9, 'mallory', 'claude-code', 'copy', '/copy', 1, 1, '{}')`)
    connection.run(`INSERT INTO item SELECT * REPLACE (${first} AS artifact) FROM item`)
    connection.run(`INSERT INTO arrival (artifact) VALUES (${first})`)
    const expected = { counted: ['oak'], found: ['oak'] }
    expect(ownerAt(address)).toEqual(expected)
    connection.run(`INSERT INTO artifact (id, version, device, platform, session, facts, row)
      VALUES (${own()}, 1, 'mallory', 'claude-code', '${parent}', '{}', '{"forked":true}')`)
    expect(ownerAt(address)).toEqual(expected)
    connection.run(`DELETE FROM arrival WHERE artifact = ${first}`)
    expect(ownerAt(address)).toEqual(expected)
    connection.close()
  })
})

/** An id of mallory that no file has. */
const own = (): string => String(idsOf('mallory').first + 7)
