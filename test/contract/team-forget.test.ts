import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { TABLES } from '../../src/store/clickhouse/schema.ts'
import { runSources } from '../program.ts'
import { claude, put, temporaryHome, text, uuid } from '../records.ts'
import { emptyServer, hasServer } from './engines.ts'
import { addressOf } from './team.ts'

const WORD = 'hemlock'
const DAY = 86_400_000

/** A space that two machines fill with `collect`. */
function team() {
  const server = emptyServer()
  const store = addressOf(server)
  const homes = { oak: temporaryHome(), elm: temporaryHome() }
  const persons = { oak: 'ann', elm: 'bob' }
  const at = (home: string, ...path: string[]): string =>
    join(home, '.claude/projects/-home-ann-garden', ...path)
  const file = (device: keyof typeof homes, id: number): string => at(homes[device], `${uuid(id)}.jsonl`)
  /** Hours by which the clocks of the machines are ahead. */
  const clocks = { oak: 0, elm: 0 }
  const run = (device: keyof typeof homes, ...words: string[]) =>
    runSources(words, homes[device], {
      SCROLLBACK_STORE_PASSWORD: server.password,
      ...(clocks[device] !== 0 && { NODE_OPTIONS: clockAhead(clocks[device]) }),
    })
  const collect = (device: keyof typeof homes, ...words: string[]): string => {
    const given = ['--device', device, '--projects', '*', '--person', persons[device], ...words]
    const { stdout, stderr, code } = run(device, 'collect', store, ...given)
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    return stdout
  }
  const ask = (...words: string[]) => run('elm', ...words, '--store', store)
  const titles = (): string[] =>
    JSON.parse(ask('sessions', '--all', '--kind', 'all', '--json').stdout)
      .sessions.map(({ title }: { title: string }) => title)
      .sort()
  const connection = connect(server)
  /** Every row of every table as text, also those that were replaced. */
  const everything = (): string =>
    TABLES.map((table) => JSON.stringify(connection.select(`SELECT * FROM ${table}`))).join()
  put(file('oak', 1), [claude.user(1, 'Water the fern'), claude.reply(2, [text('Watered.')])])
  put(file('oak', 2), [claude.user(11, `Plant the ${WORD}`, { sessionId: uuid(2) })])
  put(at(homes.oak, uuid(2), 'subagents/agent-a1.jsonl'), [
    claude.user(21, `Fetch the ${WORD} seeds`, { sessionId: uuid(2), isSidechain: true, agentId: 'a1' }),
  ])
  put(file('elm', 3), [claude.user(31, 'Sweep the path', { sessionId: uuid(3) })])
  collect('oak')
  collect('elm')
  return { collect, ask, run, titles, connection, everything, file, at, homes, clocks, server }
}

/** An option for Node with which a program sees another time. */
function clockAhead(hours: number): string {
  const script = `const RealDate = Date, ahead = ${hours} * 3600000
    globalThis.Date = class extends RealDate {
      constructor(...given) { given.length === 0 ? super(RealDate.now() + ahead) : super(...given) }
      static now() { return RealDate.now() + ahead }
    }`
  return `--import=data:text/javascript,${encodeURIComponent(script)}`
}

/** A prompt and its file, as old as that. */
function putOld(path: string, number: number, words: string, daysAgo: number, extra: object = {}): void {
  const at = new Date(Date.now() - daysAgo * DAY)
  put(path, [claude.user(number, words, { timestamp: at.toISOString(), ...extra })])
  utimesSync(path, at, at)
}

describe.runIf(hasServer)('what an administrator forgets in a space', () => {
  it('is in no row of no table, and comes back with no run of any machine', () => {
    const { ask, titles, collect, everything, connection, file } = team()
    expect(everything()).toContain(WORD)
    expect(ask('forget', uuid(2), '--dry-run').stdout).toContain('Would forget 2 sessions')
    const { stdout, code } = ask('forget', uuid(2), '--yes')
    expect(code).toBe(0)
    expect(stdout).toContain('Rows that are left of it, in all tables and parts of the space: 0.')
    expect(stdout).toContain('TRUNCATE TABLE system.query_log')
    expect(everything()).not.toContain(WORD)
    expect(collect('oak')).toContain('Nothing new')
    expect(collect('oak', '--redeliver')).toContain('2 files refused')
    // The session goes on, and is refused again.
    put(file('oak', 2), [
      claude.user(11, `Plant the ${WORD}`, { sessionId: uuid(2) }),
      claude.user(12, `More ${WORD}`, { sessionId: uuid(2) }),
    ])
    collect('oak')
    expect(everything()).not.toContain(WORD)
    expect(titles()).toEqual(['Sweep the path', 'Water the fern'])
    expect(ask('forget', uuid(2), '--dry-run').stdout).toContain('forgotten before')
    connection.close()
  }, 600_000)

  it('takes with it what machines have removed themselves, whether or not it finds something', () => {
    const { ask, collect, everything, connection, run, titles } = team()
    expect(run('oak', 'forget', uuid(2), '--yes').code).toBe(0)
    collect('oak')
    expect(titles()).not.toContain(`Plant the ${WORD}`)
    expect(ask('forget', uuid(2), '--yes').stderr).toContain('Nothing of')
    expect(everything()).not.toContain(WORD)
    // A machine that has it sends it again, and is not taken for one that removed it.
    expect(run('oak', 'forget', '--undo', uuid(2), '--yes').code).toBe(0)
    collect('oak', '--redeliver')
    expect(titles()).toContain(`Plant the ${WORD}`)
    ask('store', 'retain', '3650d', '--yes')
    expect(titles()).toContain(`Plant the ${WORD}`)
    connection.close()
  }, 600_000)

  it('is named by no statement: neither its words nor its id are in the log of mutations', () => {
    const { ask, connection, server } = team()
    ask('forget', uuid(2), '--yes')
    const mutations = JSON.stringify(
      connection.select(`SELECT command FROM system.mutations WHERE database = '${server.database}'`),
    )
    expect(mutations).toContain('DELETE')
    for (const word of [WORD, 'plant', 'seeds', uuid(2)]) expect(mutations).not.toContain(word)
    connection.close()
  }, 600_000)

  it('is forgotten and accepted again whatever the clocks of the machines say', () => {
    const { ask, titles, collect, run, clocks } = team()
    // The administrator's clock is behind that of the machine, which delivers later times, and then ahead.
    clocks.oak = 1
    collect('oak', '--redeliver')
    clocks.elm = -1
    ask('forget', uuid(2), '--yes')
    collect('oak', '--redeliver')
    expect(titles()).not.toContain(`Plant the ${WORD}`)
    clocks.elm = 1
    expect(ask('forget', '--undo', uuid(2), '--yes').code).toBe(0)
    collect('oak', '--redeliver')
    expect(titles()).toContain(`Plant the ${WORD}`)
    clocks.elm = -1
    clocks.oak = -1
    expect(ask('forget', uuid(2), '--yes').stdout).toContain('space: 0.')
    collect('oak', '--redeliver')
    expect(titles()).not.toContain(`Plant the ${WORD}`)
    expect(JSON.parse(ask('store', 'status', '--json').stdout).forgotten).toHaveLength(2)
    expect(run('elm', 'forget', '--list').stdout).toContain('Nothing was forgotten here')
  }, 600_000)

  it('may be a person, of whom no row is left', () => {
    const { ask, titles, connection, homes } = team()
    put(join(homes.elm, '.claude/projects/-home-ann-garden/memory/MEMORY.md'), `# Of the ${WORD}\n`)
    put(join(homes.elm, '.claude/history.jsonl'), [{ display: 'Sweep', timestamp: 1, project: '/home/bob' }])
    ask('forget', 'person:bob', '--yes')
    expect(titles()).not.toContain('Sweep the path')
    for (const table of ['artifact', 'arrival', 'item'])
      expect(
        connection.select(
          `SELECT count() FROM ${table} WHERE ${table === 'item' ? 'artifact NOT IN (SELECT id FROM artifact)' : "device = 'elm'"}`,
        ),
      ).toEqual([[0]])
    connection.close()
  }, 600_000)
})

describe.runIf(hasServer)('retention in a space', () => {
  it('removes what ended earlier, and no machine brings it back', () => {
    const { ask, titles, collect, file, connection } = team()
    putOld(file('oak', 4), 41, `Old ${WORD}`, 400, { sessionId: uuid(4) })
    putOld(file('oak', 5), 51, 'Not so old', 100, { sessionId: uuid(5) })
    putOld(file('elm', 6), 61, 'Old moss', 500, { sessionId: uuid(6) })
    collect('oak')
    collect('elm')
    expect(titles()).toContain('Old moss')
    const dry = JSON.parse(ask('store', 'retain', '365d', '--dry-run', '--json').stdout)
    expect(dry).toMatchObject({
      action: 'retain',
      done: false,
      devices: [
        { device: 'elm', sessions: 1, messages: 1 },
        { device: 'oak', sessions: 1, messages: 1 },
      ],
    })
    expect(ask('store', 'retain', '365d').code).toBe(2)
    const { stdout, code } = ask('store', 'retain', '365d', '--yes')
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Removed what ended before .*: 2 sessions with 2 messages/),
    })
    const kept = titles()
    expect(kept).toContain('Not so old')
    expect(kept.filter((title) => title.startsWith('Old'))).toEqual([])
    for (const words of [[], ['--redeliver']]) {
      for (const device of ['oak', 'elm'] as const) collect(device, ...words)
      expect(titles()).toEqual(kept)
    }
    // It goes on, so that it is new.
    put(file('elm', 6), [
      claude.user(61, 'Old moss', { sessionId: uuid(6) }),
      claude.user(62, 'New moss', { sessionId: uuid(6) }),
    ])
    collect('elm')
    expect(titles()).toContain('Old moss')
    expect(ask('read', uuid(6)).stdout).toMatch(/Old moss[\s\S]*New moss/)
    // A longer span takes the earlier one back.
    ask('store', 'retain', '3650d', '--yes')
    collect('oak', '--redeliver')
    expect(titles()).toContain(`Old ${WORD}`)
    connection.close()
  }, 600_000)
})
