import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAdministration, upgradeSpace } from '../../src/store/clickhouse/administration.ts'
import { type Connection, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { sql } from '../../src/store/clickhouse/connection/literal.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { idOf, TABLES } from '../../src/store/clickhouse/schema.ts'
import type { Account } from '../../src/store/team.ts'
import { DATABASE, hasLibrary, type OwnServer, startOn } from '../clickhouse/restricted.ts'
import { runSources } from '../program.ts'
import { claude, put, putClaude, sharedHome, temporaryHome, text, uuid } from '../records.ts'
import { bringUpToDate, claudeAt } from '../store-audit.ts'
import { hasServer } from './engines.ts'
import { machineStore, send } from './space.ts'
import { CHOSEN, sendAs } from './team.ts'

const top = sharedHome()

/** A space with sessions of two machines, and a database beside it, which is another space. */
async function filledFolder(folder: string): Promise<string> {
  const server = await startOn(folder)
  const connection = connect(server.address)
  for (const name of [DATABASE, 'leads']) {
    connection.run(`CREATE DATABASE ${name} ENGINE = Atomic`)
    upgradeSpace({ ...server.address, database: name }, false)
  }
  connection.close()
  const at = (device: string, id: number) =>
    join(top, `of-${device}`, 'projects/-home-ann-garden', `${uuid(id)}.jsonl`)
  put(at('oak', 1), [claude.user(1, 'Water the fern'), claude.reply(2, [text('Watered.')])])
  put(at('elm', 2), [claude.user(11, 'Plant the hemlock', { sessionId: uuid(2) })])
  put(at('yew', 3), [claude.user(21, 'Pay the leads', { sessionId: uuid(3) })])
  const space = { ...server.address, database: DATABASE }
  const of = (device: string) =>
    [join(top, `of-${device}`), machineStore(mkdtempSync(join(top, device)))] as const
  const [oak, elm, yew] = [of('oak'), of('elm'), of('yew')]
  sendAs('oak', 'ann', oak[0], space, oak[1])
  sendAs('elm', 'bob', elm[0], space, elm[1])
  sendAs('yew', 'eve', yew[0], { ...space, database: 'leads' }, yew[1])
  await server.stop()
  return folder
}

/** What the server answers, or how it refuses. */
function answerTo(connection: Connection, statement: string): string {
  try {
    return JSON.stringify(connection.select(statement))
  } catch (error) {
    return `refused: ${(error as Error).message}`
  }
}

const REFUSED = /^refused: .*(?:does not allow|error (?:44|344|497) )/

describe.runIf(hasServer && hasLibrary)('a machine', () => {
  const oak: Account = { kind: 'device', name: 'device_oak', device: 'oak' }
  let server: OwnServer
  let connection: Connection
  let before: Record<string, string>
  const contents = (from: Connection): Record<string, string> =>
    Object.fromEntries(
      ['artifact', 'arrival', 'item', 'usage'].map((table) => [
        table,
        JSON.stringify(
          from.select(
            `SELECT * FROM ${table} ${table === 'arrival' ? '' : 'FINAL'} WHERE ${
              table === 'artifact' || table === 'arrival'
                ? "device = 'elm'"
                : "artifact IN (SELECT id FROM artifact WHERE device = 'elm')"
            } ORDER BY ALL`,
          ),
        ),
      ]),
    )
  const folder = join(top, 'machine')
  beforeAll(async () => {
    const full = await startOn(await filledFolder(folder))
    const all = connect({ ...full.address, database: DATABASE })
    before = contents(all)
    all.close()
    await full.stop()
    server = await startOn(folder, oak)
    connection = connect(server.address)
  }, 600_000)
  afterAll(() => connection?.close())

  it('sends with these rights what `collect` sends', () => {
    const home = temporaryHome()
    putClaude(home, uuid(9), [claude.user(91, 'Mow the lawn', { sessionId: uuid(9) })])
    const run = () =>
      runSources(['collect', server.store, '--device', 'oak', ...CHOSEN], home, {
        SCROLLBACK_STORE_PASSWORD: 'secret-of-tester',
      })
    expect(run()).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('Delivered 1 message'),
    })
    expect(run().stdout).toContain('Nothing new')
  }, 600_000)

  it('is told when it says that it is another machine', () => {
    const home = temporaryHome()
    putClaude(home, uuid(9), [claude.user(91, 'Mow the lawn', { sessionId: uuid(9) })])
    const { code, stderr } = runSources(['collect', server.store, '--device', 'elm', ...CHOSEN], home, {
      SCROLLBACK_STORE_PASSWORD: 'secret-of-tester',
    })
    expect(code).toBe(1)
    expect(stderr).toContain('takes from this user only what its own machine has')
  }, 600_000)

  it.each([...TABLES, 'migration', 'machines'])('reads nothing of %s, its own rows neither', (table) => {
    for (const statement of [
      `SELECT * FROM ${table}`,
      `SELECT count() FROM ${table}`,
      `SELECT * FROM merge('${DATABASE}', '^${table}$')`,
      `SELECT * FROM mergeTreeIndex('${DATABASE}', '${table}')`,
      `SELECT * FROM loop(${DATABASE}.${table})`,
      `SELECT * FROM leads.${table}`,
    ])
      expect([statement, answerTo(connection, statement)]).toEqual([
        statement,
        expect.stringMatching(/^refused/),
      ])
  })

  it.each([
    "SELECT * FROM mergeTreeTextIndex('team', 'item', 'item_tokens')",
    'INSERT INTO item (artifact) SELECT artifact FROM item',
    'INSERT INTO leads.item (artifact) VALUES (1)',
    'INSERT INTO migration (version) VALUES (99)',
    "INSERT INTO forgotten (platform, session) VALUES ('x', 'y')",
    'INSERT INTO retention (cutoff) VALUES (9000000000000)',
    "INSERT INTO arrival (artifact, device, at) VALUES (1, 'oak', 0)",
    "INSERT INTO artifact (id, device, arrived) VALUES (1, 'oak', 0)",
    "INSERT INTO delivery (device, at) VALUES ('oak', 0)",
    'ALTER TABLE item DELETE WHERE 1',
    'DELETE FROM item WHERE 1',
    'ALTER TABLE item DROP CONSTRAINT own',
    'ALTER TABLE item MODIFY COLUMN text String',
    'OPTIMIZE TABLE item FINAL',
    'TRUNCATE TABLE item',
    'DROP TABLE item',
    'DROP DATABASE leads',
    'CREATE TABLE own (x Int8) ENGINE = Memory',
    'CREATE USER eve IDENTIFIED WITH no_password',
    'GRANT SELECT ON team.* TO default',
    "SELECT * FROM file('*')",
    "SELECT * FROM url('http://127.0.0.1:1/', 'TSV', 'x Int8')",
    "INSERT INTO FUNCTION url('http://127.0.0.1:1/', 'TSV', 'x Int8') VALUES (1)",
    'SYSTEM STOP MERGES team.item',
    "BACKUP DATABASE team TO File('x')",
  ])('may not %s', (statement) => {
    expect(() => connection.run(statement)).toThrow(/not allow|error \d+ /)
  })

  it('replaces and removes nothing of another machine, whatever version and ids its rows have', () => {
    const [most, id] = ['18446744073709551615', idOf('elm', 5)]
    const foreign = before.artifact!.match(/\d{12,}/)![0]
    const attempts = [id, foreign, idOf('elm', 0)].flatMap((each) => [
      `INSERT INTO artifact (id, version, deleted, device) VALUES (${each}, ${most}, 1, 'elm')`,
      `INSERT INTO artifact (id, version, deleted, device) VALUES (${each}, ${most}, 1, 'oak')`,
      `INSERT INTO arrival (artifact, device) VALUES (${each}, 'oak')`,
      `INSERT INTO item (artifact, generation, line, place, version, deleted) VALUES (${each}, 1, 1, 0, ${most}, 1)`,
      `INSERT INTO item (artifact, generation, line, place, version, text) SELECT ${each}, 1, number, 0, ${most}, 'x' FROM numbers(9)`,
      `INSERT INTO usage (artifact, reply, version, deleted) VALUES (${each}, 1, ${most}, 1)`,
    ])
    for (const attempt of [
      ...attempts,
      "INSERT INTO artifact (id, version, device) SETTINGS insert_allow_materialized_columns = 1 VALUES (1, 1, 'elm')",
      `INSERT INTO delivery (device, person) VALUES ('elm', 'bob')`,
    ])
      expect(() => connection.run(attempt), attempt).toThrow()
    // Its own rows are taken in the same way.
    const own = `INSERT INTO usage (artifact, reply, version, deleted) VALUES (${idOf('oak', 77)}, 1, 1, 0)`
    expect(() => connection.run(own)).not.toThrow()
  })

  it('has changed nothing of another machine with all that', async () => {
    connection.close()
    await server.stop()
    const full = await startOn(folder)
    const all = connect({ ...full.address, database: DATABASE })
    expect(contents(all)).toEqual(before)
    const reading = openClickHouseStore({ ...full.address, database: DATABASE, device: 'nobody' })
    expect(
      reading
        .sessions()
        .map(({ session }) => session.title)
        .sort(),
    ).toEqual(['Mow the lawn', 'Plant the hemlock', 'Water the fern'])
    for (const each of [all, reading]) each.close()
    await full.stop()
  }, 600_000)
})

describe.runIf(hasServer && hasLibrary)('a reader', () => {
  const ann: Account = { kind: 'reader', name: 'ann' }
  let server: OwnServer
  let connection: Connection
  beforeAll(async () => {
    server = await startOn(await filledFolder(join(top, 'reader')), ann)
    connection = connect(server.address)
  }, 600_000)
  afterAll(async () => {
    connection?.close()
    await server?.stop()
  })

  it('gets everything that is in the space from every command, and nothing of another space', () => {
    const ask = (...words: string[]) =>
      runSources([...words, '--store', server.store], temporaryHome(), {
        SCROLLBACK_STORE_PASSWORD: 'secret-of-tester',
      })
    for (const words of [
      ['sessions', '--all'],
      ['search', 'fern'],
      ['search', 'hemlok'],
      ['stats'],
      ['stats', '--by', 'person'],
      ['overview'],
      ['projects'],
      ['read', uuid(2)],
    ]) {
      const { stdout, stderr, code } = ask(...words)
      expect({ words, stderr, code }).toEqual({ words, stderr: '', code: 0 })
      expect(stdout).not.toMatch(/\bleads\b|\beve\b/)
    }
    expect(ask('sessions', '--all').stdout).toContain('Plant the hemlock')
    expect(ask('search', 'hemlok').stdout).toContain('Plant the hemlock')
  }, 600_000)

  it.each([
    ...TABLES.flatMap((table) => [
      `INSERT INTO ${table} SELECT * FROM ${table}`,
      `ALTER TABLE ${table} DELETE WHERE 1`,
      `TRUNCATE TABLE ${table}`,
    ]),
    'DELETE FROM item WHERE 1',
    'DROP TABLE item',
    'OPTIMIZE TABLE item FINAL',
    'CREATE TABLE own (x Int8) ENGINE = Memory',
    'CREATE TEMPORARY TABLE own (x Int8)',
    'CREATE VIEW own AS SELECT 1',
    'CREATE FUNCTION own AS x -> x',
    'CREATE USER eve IDENTIFIED WITH no_password',
    'ALTER USER default SETTINGS max_execution_time = 0',
    'SYSTEM STOP MERGES team.item',
    "INSERT INTO FUNCTION file('x') VALUES (1)",
    "INSERT INTO FUNCTION url('http://127.0.0.1:1/', 'TSV', 'x Int8') VALUES (1)",
    'SELECT * FROM leads.item',
    "SELECT * FROM merge('leads', 'item')",
    "SELECT * FROM remote('127.0.0.1', leads.item)",
    "SELECT * FROM mergeTreeTextIndex('leads', 'item', 'item_tokens')",
    "SELECT * FROM file('*')",
    "SELECT * FROM url('http://127.0.0.1:1/', 'TSV', 'x Int8')",
    'SELECT * FROM system.query_log',
  ])('may not %s', (statement) => {
    expect([statement, answerTo(connection, statement)]).toEqual([
      statement,
      expect.stringMatching(/^refused/),
    ])
  })

  it.each([
    ['max_execution_time', '0'],
    ['max_execution_time', '100000'],
    ['max_memory_usage', '0'],
    ['max_rows_to_read', '0'],
    ['max_result_rows', '0'],
    ['max_result_bytes', '0'],
    ['readonly', '0'],
    ['readonly', '1'],
  ])('cannot set its limit %s to %s', (name, value) => {
    expect(answerTo(connection, `SELECT 1 SETTINGS ${name} = ${value}`)).toMatch(/^refused/)
  })

  it.each([
    ['an answer that never ends', 'SELECT * FROM numbers(100000000)'],
    ['more rows than it may', 'SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1'],
    ['more memory than it may', 'SELECT length(groupArray(number)) FROM numbers(1900000000)'],
  ])(
    'is stopped at a limit: %s',
    (_, statement) => {
      expect(answerTo(connection, statement)).toMatch(/^refused: .*stopped this question at a limit/)
    },
    600_000,
  )
})

describe.runIf(hasServer && hasLibrary)('an administrator', () => {
  it('has with these rights what `store` and `forget` need', async () => {
    const server = await startOn(await filledFolder(join(top, 'admin')), { kind: 'admin', name: 'root' })
    try {
      const space = openAdministration(server.address)
      const store = openClickHouseStore({ ...server.address, device: 'nobody' })
      const known = [...store.known().values()].find(({ device }) => device === 'elm')!
      const session = { platform: 'claude-code', session: uuid(2) }
      space.forget([session])
      space.erase([known.id], [session])
      expect(space.count([known.id], [session])).toBe(0)
      expect(
        space
          .machines()
          .map(({ device }) => device)
          .sort(),
      ).toEqual(['elm', 'oak'])
      space.retain(1)
      expect(space.cutoff()).toBe(1)
      const machine = machineStore()
      bringUpToDate(machine, claudeAt(join(top, 'of-elm')))
      expect(send(machine, server.address, { device: 'elm' })).toMatchObject({ refused: 1, files: 0 })
      space.acceptAgain([session])
      machine.changes!.again(machine.changes!.target(`${DATABASE} elm`))
      expect(send(machine, server.address, { device: 'elm' })).toMatchObject({ refused: 0, files: 1 })
      for (const each of [space, store, machine]) each.close()
      const connection = connect(server.address)
      expect(answerTo(connection, sql`SELECT count() FROM ${{ sql: 'leads.item' }}`)).toMatch(REFUSED)
      connection.close()
    } finally {
      await server.stop()
    }
  }, 600_000)
})
