import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { DEVICE_TABLES, FILE_TABLES } from '../../src/store/clickhouse/schema.ts'
import { refresh } from '../../src/sync/refresh.ts'
import { runSources } from '../program.ts'
import { claude, put, temporaryHome, text, uuid } from '../records.ts'
import { claudeAt } from '../store-audit.ts'
import { emptyServer, hasServer } from './engines.ts'

const WORD = 'hemlock'

/** A team store that two machines fill with `collect`. */
function team() {
  const { url, user, password, database } = emptyServer()
  const store = `clickhouse://${user}@${new URL(url).host}/${database}?tls=off`
  const homes = { oak: temporaryHome(), elm: temporaryHome() }
  const at = (home: string, ...path: string[]): string =>
    join(home, '.claude/projects/-home-ann-garden', ...path)
  const file = (device: keyof typeof homes, id: number): string => at(homes[device], `${uuid(id)}.jsonl`)
  const run = (device: keyof typeof homes, ...words: string[]) =>
    runSources(words, homes[device], { SCROLLBACK_STORE_PASSWORD: password })
  const collect = (device: keyof typeof homes, ...words: string[]): string => {
    const { stdout, stderr, code } = run(device, 'collect', store, '--device', device, ...words)
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    return stdout
  }
  const ask = (...words: string[]) => run('elm', ...words, '--store', store)
  const copy = (from: string, ...words: string[]) => run('elm', 'store', 'copy', from, store, ...words)
  const titles = (): string[] =>
    JSON.parse(ask('sessions', '--all', '--kind', 'all', '--json').stdout)
      .sessions.map(({ title }: { title: string }) => title)
      .sort()
  const connection = connect({ url, user, password, database })
  put(file('oak', 1), [claude.user(1, 'Water the fern'), claude.reply(2, [text('Watered.')])])
  put(file('oak', 2), [claude.user(11, `Plant the ${WORD}`, { sessionId: uuid(2) })])
  put(at(homes.oak, uuid(2), 'subagents/agent-a1.jsonl'), [
    claude.user(21, `Fetch the ${WORD} seeds`, { sessionId: uuid(2), isSidechain: true, agentId: 'a1' }),
  ])
  put(file('elm', 3), [claude.user(31, 'Sweep the path', { sessionId: uuid(3) })])
  collect('oak')
  collect('elm')
  const address = { url, user, password, database }
  return { collect, ask, run, copy, titles, connection, file, address, homes }
}

const DAY = 86_400_000

/** A prompt and its file, as old as that. */
function putOld(path: string, number: number, words: string, daysAgo: number, extra: object = {}): void {
  const at = new Date(Date.now() - daysAgo * DAY)
  put(path, [claude.user(number, words, { timestamp: at.toISOString(), ...extra })])
  utimesSync(path, at, at)
}

describe.runIf(hasServer)('retention in a team store', () => {
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
    expect(titles()).toContain('Old moss')
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
    expect(ask('store', 'retain', '365d', '--yes').stdout).toMatch(/^No session ended before/)
    // It goes on, so that it is new.
    put(file('elm', 6), [
      claude.user(61, 'Old moss', { sessionId: uuid(6) }),
      claude.user(62, 'New moss', { sessionId: uuid(6) }),
    ])
    collect('elm')
    expect(titles()).toContain('Old moss')
    connection.close()
  }, 600_000)

  it('takes the subagents of a session along, and leaves those of one that goes on', () => {
    const { ask, titles, collect, copy, file, homes, run } = team()
    const subagent = (id: number, number: number, words: string, daysAgo: number): void =>
      putOld(
        join(homes.oak, '.claude/projects/-home-ann-garden', uuid(id), `subagents/agent-a${number}.jsonl`),
        ...([number, words, daysAgo] as const),
        { sessionId: uuid(id), isSidechain: true, agentId: `a${number}` },
      )
    putOld(file('oak', 4), 41, `Old ${WORD}`, 400, { sessionId: uuid(4) })
    subagent(4, 42, 'Old seeds', 400)
    putOld(file('oak', 5), 51, 'Not so old', 100, { sessionId: uuid(5) })
    subagent(5, 52, 'Still needed', 400)
    // A client that copies a transcript gives it the time of the copy.
    const now = new Date()
    utimesSync(file('oak', 4), now, now)
    const archive = join(homes.oak, 'archive')
    expect(run('oak', 'collect', `file:${archive}`, '--history', 'all', '--device', 'oak').code).toBe(0)
    ask('store', 'retain', '365d', '--yes')
    const collected = (): string[] => {
      collect('oak')
      return titles().filter((title) => /Old|old|needed/.test(title))
    }
    // The subagent may have come before its session, and follows then.
    collected()
    expect(collected()).toEqual(['Not so old', 'Still needed'])
    expect(ask('store', 'retain', '365d', '--dry-run').stdout).toMatch(/^No session ended before/)
    expect(copy(archive)).toMatchObject({ code: 0, stdout: expect.stringContaining('2 files: of sessions') })
    expect(collected()).toEqual(['Not so old', 'Not so old', 'Still needed', 'Still needed'])
  }, 600_000)
})

describe.runIf(hasServer)('forgetting in a team store', () => {
  it('removes every row of a session and its subagents, although another machine has written it', () => {
    const { ask, titles, connection, collect } = team()
    const dry = JSON.parse(ask('forget', uuid(2), '--dry-run', '--json').stdout)
    expect(dry).toMatchObject({ done: 'dry-run', store: { files: 2, messages: 2 } })
    expect(dry.transcripts[0]).toMatch(/^oak:\//)
    expect(titles()).toContain(`Plant the ${WORD}`)
    const done = JSON.parse(ask('forget', uuid(2), '--yes', '--json').stdout)
    expect(done).toMatchObject({ done: 'forgotten', store: { files: 2, messages: 2 } })
    expect(done.store.words).toBeGreaterThan(2)
    expect(titles()).toEqual(['Sweep the path', 'Water the fern'])
    for (const table of ['artifact', ...FILE_TABLES, ...DEVICE_TABLES])
      expect(JSON.stringify(connection.select(`SELECT * FROM ${table}`))).not.toMatch(
        new RegExp(`${WORD}|${uuid(2)}`),
      )
    expect(
      JSON.stringify(
        connection.select(
          `SELECT token FROM mergeTreeTextIndex('${connection.database}', 'item', 'item_tokens')`,
        ),
      ),
    ).not.toContain(WORD)
    for (const words of [[], ['--redeliver']]) {
      expect(collect('oak', ...words)).toContain(words.length > 0 ? 'Delivered 2 messages' : 'Nothing new')
      expect(titles()).toEqual(['Sweep the path', 'Water the fern'])
    }
    const check = ask('forget', uuid(2), '--dry-run')
    expect(check.stdout).toMatch(/^Nothing is stored\. 1 session was forgotten before:/)
    connection.close()
  }, 600_000)

  it('lists what was forgotten, and takes it back with its subagents', () => {
    const { ask, titles, collect } = team()
    const before = titles()
    ask('forget', uuid(2), '--yes')
    expect(ask('forget', '--list').stdout).toContain(`${uuid(2)}  claude-code`)
    expect(ask('forget', '--undo', uuid(2)).stdout).toContain('and 1 session that it started are read again')
    expect(ask('forget', '--list').stdout).toBe('Nothing was forgotten here.\n')
    collect('oak')
    expect(titles()).toEqual(before)
    // Also one without subagents, of which nothing else has changed.
    ask('forget', uuid(1), '--yes')
    expect(ask('forget', '--undo', uuid(1)).stdout).toContain('is read again')
    collect('oak')
    expect(titles()).toEqual(before)
  }, 600_000)

  it.each([
    ['device:oak', ['Sweep the path']],
    [`project:${'garden'}`, []],
    ['person:nobody', undefined],
  ])(
    'knows %s',
    (target, left) => {
      const { ask, titles } = team()
      const { code, stderr } = ask('forget', target, '--yes')
      expect({ code, stderr }).toMatchObject({ code: left ? 0 : 1 })
      if (left) expect(titles()).toEqual(left)
      else expect(stderr).toContain('Nothing of person:nobody is stored in')
    },
    600_000,
  )

  it('removes the memory of a device and of a person, with all versions, for good', () => {
    const { ask, collect, connection, homes } = team()
    const note = (words: string): string =>
      put(join(homes.oak, '.claude/projects/-home-ann-garden/memory/MEMORY.md'), words)
    note(`The ${WORD} is poisonous.\n`)
    collect('oak')
    note(`The ${WORD} is poisonous. So is the yew.\n`)
    collect('oak')
    expect(ask('search', 'yew').stdout).toContain('poisonous')
    const dry = JSON.parse(ask('forget', 'device:oak', '--dry-run', '--json').stdout)
    expect(dry.sessions.map(({ id }: { id: string }) => id)).toContainEqual(
      expect.stringMatching(/^memory of .+ on oak$/),
    )
    expect(ask('forget', 'device:oak', '--yes').code).toBe(0)
    for (const words of [[], ['--redeliver']]) {
      for (const table of ['artifact', ...FILE_TABLES, ...DEVICE_TABLES])
        expect(JSON.stringify(connection.select(`SELECT * FROM ${table}`))).not.toMatch(
          new RegExp(`${WORD}|yew`),
        )
      note(`The ${WORD} is poisonous. So is the yew, and the laburnum.\n`)
      collect('oak', ...words)
    }
    expect(ask('search', 'laburnum').stdout).toContain('Nothing matches')
    expect(ask('forget', 'device:oak', '--dry-run')).toEqual({
      code: 0,
      stderr: '',
      stdout: 'Nothing of this is stored.\n',
    })
    expect(ask('forget', '--undo', 'memory of').code).toBe(0)
    collect('oak')
    expect(ask('search', 'laburnum').stdout).toContain('laburnum')
    connection.close()
  }, 600_000)

  it('leaves no note that keeps away what belongs to no session', () => {
    const { ask, collect, homes } = team()
    put(join(homes.oak, '.claude/history.jsonl'), [
      {
        display: `Buy ${WORD}`,
        timestamp: Date.UTC(2026, 0, 2),
        project: '/home/ann/garden',
        sessionId: uuid(9),
      },
    ])
    collect('oak')
    const { sessions } = JSON.parse(ask('forget', 'device:oak', '--yes', '--json').stdout)
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining([uuid(1), uuid(2), 'agent-a1', uuid(9)]),
    )
    expect(sessions.map(({ id }: { id: string }) => id)).not.toContain('')
    put(join(homes.elm, '.claude/projects/-home-ann-garden/memory/MEMORY.md'), 'The yew is old.\n')
    collect('elm')
    expect(ask('search', 'yew').stdout).toContain('The yew is old.')
  }, 600_000)

  it('does not get memory back with a copy', () => {
    const { ask, copy, homes, run } = team()
    put(join(homes.oak, '.claude/projects/-home-ann-garden/memory/MEMORY.md'), `The ${WORD} grows.\n`)
    const archive = join(homes.oak, 'archive')
    expect(run('oak', 'collect', `file:${archive}`, '--history', 'all', '--device', 'oak').code).toBe(0)
    expect(copy(archive).code).toBe(0)
    expect(ask('search', 'grows').stdout).toContain(WORD)
    expect(ask('forget', 'device:oak', '--dry-run').stdout).toContain('  memory on oak\n')
    expect(ask('forget', 'device:oak', '--yes').code).toBe(0)
    for (const words of [[], ['--person', 'ann']]) {
      expect(copy(archive, ...words)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Copied 0 files'),
      })
      expect(ask('search', 'grows').stdout).toContain('Nothing matches')
    }
  }, 600_000)

  it('asks first, and refuses an archive', () => {
    const { ask } = team()
    expect(ask('forget', uuid(2))).toMatchObject({ code: 2, stdout: '' })
    expect(ask('forget', uuid(2), '--archive', 'x').stderr).toContain('--archive: not together with --store')
  }, 600_000)

  it('takes nothing from a machine that does not ask what was forgotten', () => {
    const { address, ask, titles, homes } = team()
    ask('forget', uuid(2), '--yes')
    ask('store', 'retain', '1d', '--yes')
    putOld(join(homes.oak, '.claude/projects/-home-ann-garden', `${uuid(8)}.jsonl`), 81, 'Old moss', 9, {
      sessionId: uuid(8),
    })
    const before = titles()
    const store = openClickHouseStore({ ...address, device: 'oak' })
    const environment = claudeAt(join(homes.oak, '.claude'))
    refresh(store, { environment, now: Date.now(), threads: () => 1, faultOf: String })
    store.close()
    expect(titles()).toEqual(before)
    expect(before).not.toContain(`Plant the ${WORD}`)
  }, 600_000)
})
