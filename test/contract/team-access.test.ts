import { mkdtempSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memberStatements } from '../../src/store/clickhouse/access.ts'
import { type Connection, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { MIGRATION_TABLE, TABLES } from '../../src/store/clickhouse/schema.ts'
import type { Account, TeamAddress } from '../../src/store/team.ts'
import { refresh } from '../../src/sync/refresh.ts'
import { hasLibrary, type OwnServer, startOn } from '../clickhouse/restricted.ts'
import { runSources } from '../program.ts'
import { call, claude, put, sharedHome, temporaryHome, text, uuid } from '../records.ts'
import { claudeAt } from '../store-audit.ts'
import { hasServer } from './engines.ts'

/** Base64 of a state, which has no spaces and is longer than any name in this test. */
const PACKED = /"[A-Za-z\d+/]{200,}=*"/g

/** A word that only sessions contain that nobody else may see. */
const HIDDEN = 'hemlock'

const top = sharedHome()

function fill(server: TeamAddress, device: string, person: string, folder: string): void {
  const store = openClickHouseStore({ ...server, database: 'team', device, person })
  refresh(store, { environment: claudeAt(folder), now: Date.now(), threads: () => 1, faultOf: String })
  store.assignProjects([
    {
      project: { name: `${HIDDEN}-of-${device}`, path: `/${HIDDEN}` },
      artifacts: store.projectFacts().map(({ artifact }) => artifact),
    },
  ])
  store.close()
}

/**
 * Three machines. The person of the third is the user of the engine, because the server says who shares: one
 * session with Ann, one with everyone, and one with nobody.
 */
async function filledFolder(folder: string): Promise<string> {
  const server = await startOn(folder)
  const connection = connect(server.address)
  connection.run('CREATE DATABASE team ENGINE = Atomic')
  connection.close()
  const at = (folder: string, id: number) => join(folder, 'projects/-home-ann-garden', `${uuid(id)}.jsonl`)
  const [oak, elm, yew] = ['oak', 'elm', 'yew'].map((name) => join(top, name)) as [string, string, string]
  put(at(oak, 1), [claude.user(1, 'Water the fern'), claude.reply(2, [text('Watered.')])])
  put(at(elm, 2), [
    claude.user(11, `Plant the ${HIDDEN}`, { sessionId: uuid(2) }),
    claude.reply(12, [call('t1', 'Bash', { command: `plant ${HIDDEN}` })], { sessionId: uuid(2) }),
  ])
  put(at(yew, 3), [claude.user(21, 'Sweep the path', { sessionId: uuid(3) })])
  put(at(yew, 4), [claude.user(31, 'Rake the gravel', { sessionId: uuid(4) })])
  put(at(yew, 5), [claude.user(41, `Burn the ${HIDDEN}`, { sessionId: uuid(5) })])
  put(join(yew, 'projects/-home-ann-garden', uuid(3), 'subagents/agent-a1.jsonl'), [
    claude.user(51, 'Fetch a broom', { sessionId: uuid(3), isSidechain: true, agentId: 'a1' }),
  ])
  fill(server.address, 'oak', 'ann', oak)
  fill(server.address, 'elm', 'bob', elm)
  fill(server.address, 'yew', 'default', yew)
  const team = connect({ ...server.address, database: 'team' })
  team.insert(
    'share',
    ['platform', 'session', 'reader', 'version', 'deleted', 'at'],
    [
      ['claude-code', uuid(3), 'ann', 1, 0, 0],
      ['claude-code', uuid(4), '', 1, 0, 0],
      // Withdrawn.
      ['claude-code', uuid(5), 'ann', 1, 0, 0],
      ['claude-code', uuid(5), 'ann', 2, 1, 0],
      // Of another owner, so it says nothing.
      ['claude-code', uuid(2), 'ann', 1, 0, 0],
    ],
  )
  team.close()
  await server.stop()
  return folder
}

/** What the statement answers, or the number of the error. */
function answerTo(connection: Connection, statement: string): string {
  try {
    return JSON.stringify(connection.select(statement))
  } catch (error) {
    return String((error as Error).message)
  }
}

describe.runIf(hasServer && hasLibrary)('a reader whose rights end at their own and shared sessions', () => {
  const ann: Account = { kind: 'reader', name: 'ann', persons: [] }
  let server: OwnServer
  let connection: Connection
  beforeAll(async () => {
    server = await startOn(await filledFolder(join(top, 'data')), ann)
    connection = connect(server.address)
  }, 600_000)
  afterAll(async () => {
    connection.close()
    await server.stop()
  })
  const ask = (...words: string[]) =>
    runSources([...words, '--store', server.store], temporaryHome(), {
      SCROLLBACK_STORE_PASSWORD: 'secret-of-tester',
    })

  it('gets these from every command, and nothing else', () => {
    const { sessions } = JSON.parse(ask('sessions', '--all', '--kind', 'all', '--json').stdout) as {
      sessions: { title: string }[]
    }
    expect(sessions.map(({ title }) => title).sort()).toEqual([
      'Fetch a broom',
      'Rake the gravel',
      'Sweep the path',
      'Water the fern',
    ])
    expect(ask('search', 'fern')).toEqual({
      stdout: expect.stringContaining('Water the fern'),
      stderr: '',
      code: 0,
    })
    for (const words of [
      ['search', HIDDEN],
      ['search', 'hemlok'],
      ['stats'],
      ['stats', '--by', 'person'],
      ['overview'],
      ['projects'],
      ['memory'],
      ['sessions', '--all'],
      ['tag'],
      ['read', uuid(1)],
    ]) {
      const { stdout, stderr, code } = ask(...words)
      expect({ words, stderr, code: words[0] === 'search' || words[0] === 'memory' ? 0 : code }).toEqual({
        words,
        stderr: '',
        code: 0,
      })
      expect(stdout).not.toContain('bob')
      expect(stdout.replaceAll(`"${HIDDEN}"`, '')).not.toMatch(/the hemlock|plant hemlock|elm/)
    }
    expect(ask('read', uuid(2)).code).toBe(1)
    expect(ask('read', uuid(5)).code).toBe(1)
  }, 600_000)

  it.each([...TABLES, 'migration'])('finds nothing hidden in the table %s, or may not read it', (table) => {
    for (const from of [table, `${table} FINAL`]) {
      // Packed states are of own files only, and may contain any three letters by chance.
      const answer = answerTo(connection, `SELECT * FROM ${from}`).replaceAll(PACKED, '""')
      if (/not allow/.test(answer)) continue
      expect(answer).not.toMatch(/bob|elm|Plant|Burn/)
      // The project of a visible session has the word in its name.
      expect(answer.replaceAll(/hemlock-of-(?:oak|yew)|\/hemlock/g, '')).not.toContain(HIDDEN)
    }
  })

  it.each([
    ["SELECT count() FROM item WHERE position(ifNull(text, ''), 'hemlock') > 0", '[[0]]'],
    ["SELECT count() FROM item WHERE hasToken(words, 'hemlock')", '[[0]]'],
    ["SELECT count() FROM item PREWHERE hasToken(words, 'hemlock')", '[[0]]'],
    [
      "SELECT throwIf(hasToken(words, 'hemlock')) FROM item WHERE throwIf(hasToken(words, 'hemlock')) = 0 LIMIT 0",
      '[]',
    ],
    ["SELECT count() FROM item WHERE throwIf(hasToken(words, 'hemlock')) = 1", '[[0]]'],
    ["SELECT count() FROM artifact WHERE person = 'bob'", '[[0]]'],
    ['SELECT uniqExact(person) FROM artifact', '[[2]]'],
    [`SELECT max(session = '${uuid(2)}') FROM artifact`, '[[0]]'],
    [
      "SELECT count() FROM (SELECT * FROM item UNION ALL SELECT * FROM item) WHERE text LIKE '%emlock%'",
      '[[0]]',
    ],
    [
      "WITH (SELECT groupArray(text) FROM item) AS all SELECT arrayExists(t -> t LIKE '%emlock%', all)",
      '[[0]]',
    ],
    ["SELECT count() FROM merge('team', 'item') WHERE text LIKE '%emlock%'", undefined],
    ["SELECT * FROM mergeTreeIndex('team', 'item')", undefined],
    ["SELECT * FROM mergeTreeIndex('team', 'share')", undefined],
    ["SELECT * FROM mergeTreeIndex('team', 'vocabulary')", undefined],
    ["SELECT * FROM mergeTreeAnalyzeIndexes('team', 'item', hasToken(words, 'hemlock'))", undefined],
    ["SELECT * FROM mergeTreeIndex('team', 'artifact', with_marks = true)", undefined],
    ["SELECT * FROM mergeTreeTextIndex('team', 'item', 'item_tokens')", undefined],
    ["SELECT * FROM mergeTreeProjection('team', 'item', 'x')", undefined],
    ['SELECT * FROM loop(team.item)', undefined],
    ["SELECT * FROM remote('127.0.0.1', team.item)", undefined],
    ["SELECT * FROM file('*')", undefined],
    ["SELECT * FROM viewIfPermitted(SELECT * FROM item ELSE null('x Int8'))", undefined],
    ['SELECT * FROM system.parts_columns', undefined],
    ['SELECT * FROM system.row_policies', undefined],
    ['SELECT * FROM system.query_log', undefined],
    ['SELECT * FROM system.processes', undefined],
  ])('learns nothing from %s', (statement, expected) => {
    const answer = answerTo(connection, statement)
    if (expected !== undefined) expect(answer).toBe(expected)
    expect(answer.replaceAll(/hemlock-of-(?:oak|yew)|\/hemlock/g, '')).not.toMatch(
      /bob|Plant|Burn|emlock|\belm\b/,
    )
  })

  it.each([
    "INSERT INTO artifact (id, version, device) VALUES (1, 1, 'elm')",
    "INSERT INTO share (owner, platform, session, version) VALUES ('bob', 'claude-code', 'x', 9)",
    'DELETE FROM item WHERE 1',
    'ALTER TABLE item DELETE WHERE 1',
    'TRUNCATE TABLE item',
    'DROP TABLE item',
    'CREATE TABLE own (x Int8) ENGINE = Memory',
    'CREATE VIEW own AS SELECT * FROM item',
    'ALTER TABLE item MODIFY COLUMN text String',
    'OPTIMIZE TABLE item FINAL',
    'CREATE USER eve IDENTIFIED WITH no_password',
    'CREATE ROW POLICY OR REPLACE p ON team.item USING 1 TO default',
  ])('may not %s', (statement) => {
    expect(() => connection.run(statement)).toThrow(/not allow|error 44 /)
  })
})

describe.runIf(hasServer && hasLibrary)('a reader of a team', () => {
  /** Says who is in teams, as an administrator does. */
  async function compose(data: string, teams: Record<string, readonly string[]>): Promise<void> {
    const server = await startOn(data)
    const connection = connect({ ...server.address, database: 'team' })
    for (const [team, persons] of Object.entries(teams))
      for (const statement of memberStatements({ team, persons }, { database: 'team' }))
        connection.run(statement)
    connection.close()
    await server.stop()
  }
  const lead: Account = { kind: 'reader', name: 'lead', persons: [], teams: ['web'] }
  async function seenBy(account: Account, data: string) {
    const server = await startOn(data, account)
    const connection = connect(server.address)
    const persons = connection.select('SELECT DISTINCT person FROM artifact FINAL ORDER BY person').flat()
    const texts = connection.select<[string]>('SELECT text FROM item FINAL WHERE text IS NOT NULL').flat()
    const members = answerTo(connection, 'SELECT team, person FROM member FINAL ORDER BY team, person')
    connection.close()
    await server.stop()
    return { persons, texts: texts.join('\n'), members }
  }

  it('sees the sessions of whoever is in it, now and later, and no other team', async () => {
    const data = await filledFolder(join(mkdtempSync(join(top, 'teams-')), 'data'))
    await compose(data, { web: ['ann'], garden: ['bob'] })
    const first = await seenBy(lead, data)
    // One session of the third is shared with everyone.
    expect(first).toMatchObject({ persons: ['ann', 'default'], members: '[["web","ann"]]' })
    expect(first.texts).toContain('Water the fern')
    expect(first.texts).not.toContain(HIDDEN)
    await compose(data, { web: ['bob'] })
    const later = await seenBy(lead, data)
    expect(later).toMatchObject({ persons: ['bob', 'default'], members: '[["web","bob"]]' })
    expect(later.texts).toContain(`Plant the ${HIDDEN}`)
    expect(later.texts).not.toContain('Water the fern')
    const other = await seenBy({ ...lead, teams: [] }, data)
    expect(other.persons).toEqual(['default'])
    expect(other.members).toMatch(/not allow/)
  }, 600_000)
})

describe.runIf(hasServer && hasLibrary)('a machine whose user may only add', () => {
  const ash: Account = {
    kind: 'device',
    name: 'device_ash',
    device: 'ash',
    persons: [userInfo().username],
  }

  it('collects, sees nothing of other machines, and deletes nothing', async () => {
    const folder = mkdtempSync(join(top, 'device-'))
    const data = await filledFolder(join(folder, 'data'))
    const server = await startOn(data, ash)
    const connection = connect(server.address)
    try {
      const home = temporaryHome()
      const at = (id: number): string => join(home, '.claude/projects/-home-ann-garden', `${uuid(id)}.jsonl`)
      const ask = (...words: string[]) =>
        runSources(words, home, { SCROLLBACK_STORE_PASSWORD: 'secret-of-tester' })
      const collected = (...words: string[]) => {
        const { stdout, stderr, code } = ask('collect', server.store, '--device', 'ash', ...words)
        expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
        return stdout
      }
      const own = (): string[] => {
        const store = openClickHouseStore({ ...server.address, device: 'ash' })
        const found = [...store.known().values()].flatMap(({ artifact, goneMs }) =>
          goneMs === undefined ? store.messages(artifact.path).map((each) => each.text ?? '') : [],
        )
        store.close()
        return found.sort()
      }
      put(at(6), [claude.user(61, 'Mow the lawn', { sessionId: uuid(6) })])
      put(at(7), [claude.user(71, 'Feed the fish', { sessionId: uuid(7) })])
      expect(collected()).toContain('Delivered 2 messages')
      put(at(6), [
        claude.user(62, 'Mow it again', { sessionId: uuid(6) }),
        claude.user(63, 'And rake', { sessionId: uuid(6) }),
      ])
      collected()
      expect(own()).toEqual(['And rake', 'Feed the fish', 'Mow it again'])
      expect(ask('forget', uuid(7), '--yes').code).toBe(0)
      collected()
      expect(own()).toEqual(['And rake', 'Mow it again'])
      collected('--redeliver')
      expect(own()).toEqual(['And rake', 'Mow it again'])
      for (const table of ['artifact', 'item', 'project', 'usage', 'vocabulary'])
        expect(answerTo(connection, `SELECT * FROM ${table}`)).not.toMatch(/bob|elm|Plant|hemlock|fern/)
      for (const statement of [
        'DELETE FROM item WHERE 1',
        'ALTER TABLE artifact DELETE WHERE 1',
        'TRUNCATE TABLE item',
        'OPTIMIZE TABLE item FINAL',
        "INSERT INTO share (platform, session, version) VALUES ('claude-code', 'x', 1)",
        "INSERT INTO forgotten (platform, session, version) VALUES ('claude-code', 'x', 1)",
      ])
        expect(() => connection.run(statement)).toThrow('does not allow')
      for (const name of [
        "mergeTreeIndex('team', 'vocabulary')",
        "mergeTreeTextIndex('team', 'item', 'item_tokens')",
      ])
        expect(answerTo(connection, `SELECT * FROM ${name}`)).toMatch(/not allow/)
    } finally {
      connection.close()
      await server.stop()
    }
  }, 600_000)
})

describe.runIf(hasServer && hasLibrary)('a store whose tables are not complete', () => {
  it('says that an administrator has to change them', async () => {
    const folder = join(mkdtempSync(join(top, 'older-')), 'data')
    const whole = await startOn(folder)
    const connection = connect(whole.address)
    connection.run('CREATE DATABASE team ENGINE = Atomic')
    connection.close()
    const team = connect({ ...whole.address, database: 'team' })
    team.run(MIGRATION_TABLE)
    team.close()
    await whole.stop()
    const server = await startOn(folder, {
      kind: 'device',
      name: 'device_oak',
      device: 'oak',
      persons: ['ann'],
    })
    expect(() => openClickHouseStore({ ...server.address, device: 'oak' })).toThrow('may not change them')
    await server.stop()
  }, 600_000)
})

describe.runIf(hasServer && hasLibrary)('sharing a session', () => {
  const titlesOf = async (data: string, account: Account, ...commands: string[][]) => {
    const server = await startOn(data, account)
    const ask = (...words: string[]) =>
      runSources([...words, '--store', server.store], temporaryHome(), {
        SCROLLBACK_STORE_PASSWORD: 'secret-of-tester',
      })
    try {
      const answers = commands.map((words) => ask(...words))
      const { sessions } = JSON.parse(ask('sessions', '--all', '--kind', 'all', '--json').stdout) as {
        sessions: { title: string }[]
      }
      return { answers, titles: sessions.map(({ title }) => title).sort() }
    } finally {
      await server.stop()
    }
  }
  // The user of the engine is called that, and so is the person of the machine yew.
  const owner: Account = { kind: 'reader', name: 'default', persons: ['bob'] }
  const eve: Account = { kind: 'reader', name: 'eve', persons: [] }
  const ann: Account = { kind: 'reader', name: 'ann', persons: [] }

  it('shows it with its subagents to whom its owner names, until that is taken back', async () => {
    const data = await filledFolder(join(mkdtempSync(join(top, 'share-')), 'data'))
    expect((await titlesOf(data, eve)).titles).toEqual(['Rake the gravel'])
    const { answers } = await titlesOf(
      ...[data, owner],
      ['store', 'share', uuid(3), '--with', 'eve'],
      ['store', 'share', uuid(2)],
      ['store', 'share', 'ffffffff'],
      ['store', 'share', '--list'],
    )
    expect(answers[0]).toMatchObject({ code: 0, stdout: expect.stringContaining('Shared with eve:\n') })
    expect(answers[1]).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a session of bob, and you are default'),
    })
    expect(answers[2]).toMatchObject({ code: 1 })
    expect(answers[3]!.stdout).toMatch(/default shares it with eve/)
    expect((await titlesOf(data, eve)).titles).toEqual(['Fetch a broom', 'Rake the gravel', 'Sweep the path'])
    await titlesOf(data, owner, ['store', 'unshare', uuid(3), '--with', 'eve'], ['store', 'unshare', uuid(4)])
    expect((await titlesOf(data, eve)).titles).toEqual([])
  }, 600_000)

  it('shares only what is its own if another person has a session of the same id', async () => {
    const data = await filledFolder(join(mkdtempSync(join(top, 'alike-')), 'data'))
    const ash = mkdtempSync(join(top, 'ash-'))
    put(join(ash, 'projects/-home-bob-garden', `${uuid(3)}.jsonl`), [
      claude.user(21, 'Sweep the yard', { sessionId: uuid(3) }),
    ])
    const server = await startOn(data)
    fill(server.address, 'ash', 'bob', ash)
    await server.stop()
    const { answers } = await titlesOf(data, owner, ['store', 'share', uuid(3), '--with', 'eve'])
    expect(answers[0]).toMatchObject({ code: 0, stderr: '' })
    expect((await titlesOf(data, eve)).titles).toEqual(['Fetch a broom', 'Rake the gravel', 'Sweep the path'])
  }, 600_000)

  it('ends when the machine of its owner forgets the session', async () => {
    const data = await filledFolder(join(mkdtempSync(join(top, 'gone-')), 'data'))
    expect((await titlesOf(data, ann)).titles).toContain('Fetch a broom')
    const server = await startOn(data, {
      kind: 'device',
      name: 'device_yew',
      device: 'yew',
      persons: ['default'],
    })
    const store = openClickHouseStore({ ...server.address, device: 'yew', person: 'default' })
    const ids = [...store.known().values()].map(({ id }) => id)
    expect(store.erase(ids).messages).toBeGreaterThan(3)
    store.close()
    await server.stop()
    expect((await titlesOf(data, ann)).titles).toEqual(['Water the fern'])
    const reading = await startOn(data, ann)
    const connection = connect(reading.address)
    expect(connection.select('SELECT text FROM item ORDER BY line')).toEqual([
      ['Water the fern'],
      ['Watered.'],
    ])
    connection.close()
    await reading.stop()
  }, 600_000)
})
