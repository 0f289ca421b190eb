import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAdministration, upgradeSpace } from '../../src/store/clickhouse/administration.ts'
import { type Connection, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import type { SpaceAddress } from '../../src/store/team.ts'
import { DATABASE, hasLibrary, type OwnServer, startOn } from '../clickhouse/restricted.ts'
import { runSources } from '../program.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { hasServer } from './engines.ts'
import { answersOf } from './store-answers.ts'
import { CHOSEN } from './team.ts'

/** A server of its own with an empty space, and a machine that sends to it, also after it was started again. */
async function spaceOn(settings = '') {
  const data = join(temporaryHome(), 'data')
  const home = temporaryHome()
  let server: OwnServer
  const start = async (with_ = settings): Promise<void> => {
    server = await startOn(data, undefined, with_)
  }
  await start()
  onTestFinished(() => server.stop())
  const space = (): SpaceAddress => ({ ...server.address, database: DATABASE })
  run('CREATE DATABASE team ENGINE = Atomic', server!.address)
  upgradeSpace(space(), false)

  function run(statement: string, address = space()): void {
    const connection = connect(address)
    connection.run(statement)
    connection.close()
  }

  return {
    home,
    space,
    run,
    async restart(with_?: string) {
      await server.stop()
      await start(with_)
    },
    say(session: number, ...words: string[]) {
      putClaude(
        home,
        uuid(session),
        words.flatMap((said, index) => [
          claude.user(session * 100 + index * 2, said, { sessionId: uuid(session) }),
          claude.reply(session * 100 + index * 2 + 1, [text(`About: ${said}`)], { sessionId: uuid(session) }),
        ]),
      )
    },
    collect: (...words: string[]) =>
      runSources(['collect', server.store, ...CHOSEN, ...words], home, {
        SCROLLBACK_STORE_PASSWORD: server.address.password,
      }),
    search: (word: string) =>
      runSources(['search', word, '--store', server.store], home, {
        SCROLLBACK_STORE_PASSWORD: server.address.password,
      }),
    answers() {
      const store = openClickHouseStore({ ...space(), device: 'nobody' })
      const found = answersOf(store)
      store.close()
      return found
    },
  }
}

const columnsOf = (connection: Connection): string[] =>
  connection
    .select<[string]>(
      "SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'item' ORDER BY position",
    )
    .map(([name]) => name)

describe.runIf(hasServer && hasLibrary)('whoever operates a space', () => {
  it('restores it from a backup, after which machines send what is missing and forgetting goes on', async () => {
    const backups = join(temporaryHome(), 'backups')
    mkdirSync(backups)
    const disk = `<storage_configuration><disks><backups><type>local</type><path>${backups}/</path></backups></disks></storage_configuration>
      <backups><allowed_disk>backups</allowed_disk></backups>`
    const { say, collect, answers, run, space, search } = await spaceOn(disk)
    say(1, 'Water the fern', 'Cut the hedge')
    say(2, 'Count the stones')
    expect(collect()).toMatchObject({ code: 0 })
    const before = answers()
    run("BACKUP DATABASE team TO Disk('backups', 'team-1')")
    expect(existsSync(join(backups, 'team-1'))).toBe(true)
    say(3, 'Sweep the path')
    expect(collect()).toMatchObject({ code: 0 })
    const after = answers()
    const server = { ...space(), database: 'default' }
    run('DROP DATABASE team SYNC', server)
    run("RESTORE DATABASE team FROM Disk('backups', 'team-1')", server)
    expect(answers()).toEqual(before)
    // The machine was told that all of it is there.
    expect(collect().stdout).toContain('Nothing new')
    expect(answers()).toEqual(before)
    expect(collect('--redeliver')).toMatchObject({ code: 0 })
    expect(answers()).toEqual(after)
    const administration = openAdministration(space())
    administration.forget([{ platform: 'claude-code', session: uuid(1) }])
    administration.close()
    say(1, 'Water the fern', 'Cut the hedge', 'Plant a tree')
    expect(collect().stdout + collect().stderr).toMatch(/refuse/)
    expect(search('tree')).toMatchObject({ code: 1 })
    expect(search('sweep').stdout).toContain('Sweep the path')
  }, 600_000)

  it('is told that the disk is full, and nothing is lost once there is room', async () => {
    const { say, collect, answers, restart, search } = await spaceOn()
    say(1, 'Water the fern')
    expect(collect()).toMatchObject({ code: 0 })
    const before = answers()
    await restart(
      '<storage_configuration><disks><default><keep_free_space_bytes>1000000000000000</keep_free_space_bytes></default></disks></storage_configuration>',
    )
    say(2, 'Count the stones')
    const { code, stderr } = collect()
    expect([code, stderr]).toEqual([1, expect.stringContaining('has no room left')])
    expect(stderr).toContain('free space')
    // What is there can still be read.
    expect(answers()).toEqual(before)
    await restart('')
    expect(collect()).toMatchObject({ code: 0 })
    expect(search('stones').stdout).toContain('Count the stones')
    expect(answers().sessions.length).toBe(2)
  }, 600_000)

  it('is told of tables that are older than the program, and they go on once they are complete', async () => {
    const { say, collect, run, space, search, answers } = await spaceOn()
    say(1, 'Water the fern')
    expect(collect()).toMatchObject({ code: 0 })
    const before = answers()
    const connection = connect(space())
    const columns = columnsOf(connection)
    run('ALTER TABLE item DROP COLUMN moment')
    say(2, 'Count the stones')
    for (const { code, stderr } of [collect(), search('fern')])
      expect([code, stderr]).toEqual([1, expect.stringContaining('has an older format')])
    run('ALTER TABLE item ADD COLUMN moment Int64 CODEC(Delta, LZ4) AFTER digest')
    expect(columnsOf(connection)).toEqual(columns)
    connection.close()
    expect(answers()).toEqual(before)
    expect(collect()).toMatchObject({ code: 0 })
    expect(search('stones').stdout).toContain('Count the stones')
  }, 600_000)
})
