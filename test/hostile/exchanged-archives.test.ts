import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { collect, deliveredTo } from '../deliveries.ts'
import { program, run, variablesOf } from '../program.ts'
import { append, claude, putClaude, temporaryHome, uuid } from '../records.ts'

/** A home with three records, delivered to `backup`. */
function delivered(): { home: string; backup: string; more(): void } {
  const home = temporaryHome()
  const path = putClaude(home, uuid(1), [
    claude.user(1, 'one'),
    claude.user(2, 'two'),
    claude.user(3, 'three'),
  ])
  expect(collect(home, 'file:backup')).toMatchObject({ code: 0, stderr: '' })
  let number = 3
  const more = (): void => {
    number++
    append(path, claude.user(number, 'later'))
  }
  return { home, backup: join(home, 'backup'), more }
}

const statusOf = (home: string) => {
  const { code, stdout } = run(['collect', '--status', '--json'], home)
  const { status } = JSON.parse(stdout) as { status: { archive: { id: string; problem: string | null } }[] }
  return { code, ...status[0]!.archive }
}

describe('an archive that is not the one of earlier deliveries', () => {
  it.each<[string, (backup: string, home: string, more: () => void) => void, RegExp]>([
    ['deleted', (backup) => rmSync(backup, { recursive: true }), /does not exist, although records/],
    [
      'on a disk that is not mounted',
      (backup) => {
        rmSync(backup, { recursive: true })
        mkdirSync(backup)
      },
      /is empty, although records/,
    ],
    [
      'replaced by another one',
      (backup, home) => {
        renameSync(backup, join(home, 'away'))
        collect(home, 'file:other', '--state', 'other.sqlite')
        renameSync(join(home, 'other'), backup)
      },
      /contains a different archive than before/,
    ],
    [
      'an older copy',
      (backup, home, more) => {
        cpSync(backup, join(home, 'copy'), { recursive: true })
        more()
        collect(home, 'file:backup')
        rmSync(backup, { recursive: true })
        renameSync(join(home, 'copy'), backup)
      },
      /lacks records that were delivered before/,
    ],
    [
      'an older copy with other deliveries since',
      (backup, home, more) => {
        cpSync(backup, join(home, 'copy'), { recursive: true })
        more()
        collect(home, 'file:backup')
        rmSync(backup, { recursive: true })
        renameSync(join(home, 'copy'), backup)
        for (const _ of [1, 2]) {
          more()
          collect(home, 'file:backup', '--state', 'other.sqlite')
        }
      },
      /lacks records that were delivered before/,
    ],
  ])('is never reported as up to date: %s', (_, exchange, message) => {
    const { home, backup, more } = delivered()
    exchange(backup, home, more)
    const before = run(['collect', '--status'], home)
    expect(before.code).toBe(3)
    expect(before.stdout).toMatch(message)
    const { code, stdout, stderr } = run(['collect', 'file:backup'], home)
    expect([code, stdout]).toEqual([3, expect.stringContaining('Nothing delivered')])
    expect(stderr).toMatch(message)
    expect(stderr).toContain('--redeliver')
    expect(statusOf(home)).toMatchObject({ code: 3, problem: expect.stringMatching(message) })

    expect(run(['collect', 'file:backup', '--redeliver'], home)).toMatchObject({ code: 0, stderr: '' })
    const lines = new Set(deliveredTo(backup).map(({ line }) => line))
    for (const line of [1, 2, 3]) expect(lines).toContain(line)
    expect(statusOf(home)).toMatchObject({ code: 0, problem: null })
    expect(run(['collect', 'file:backup'], home)).toMatchObject({ code: 0, stderr: '' })
  })

  it('gets new records once the right one is back', () => {
    const { home, backup, more } = delivered()
    renameSync(backup, join(home, 'away'))
    more()
    expect(run(['collect', 'file:backup'], home).code).toBe(3)
    expect(readdirSync(home)).not.toContain('backup')
    renameSync(join(home, 'away'), backup)
    expect(run(['collect', 'file:backup'], home)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Delivered 1 record'),
    })
    expect(deliveredTo(backup).map(({ line }) => line)).toEqual([1, 2, 3, 4])
  })

  it('is detected by a state from before archives had ids', () => {
    const { home, backup } = delivered()
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
    const state = new DatabaseSync(join(home, '.local/share/scrollback/collect.sqlite'))
    for (const column of ['archive', 'position', 'space'])
      state.exec(`ALTER TABLE destination DROP COLUMN ${column}`)
    state.exec('DROP TABLE announced')
    state.exec('PRAGMA user_version = 1')
    state.close()
    renameSync(backup, join(home, 'away'))
    expect(run(['collect', 'file:backup'], home)).toMatchObject({ code: 3 })
    renameSync(join(home, 'away'), backup)
    expect(run(['collect', 'file:backup'], home)).toMatchObject({ code: 0 })
    expect(statusOf(home).id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is not assumed after a repair', () => {
    const { home, backup, more } = delivered()
    const { readFileSync, writeFileSync } = process.getBuiltinModule('node:fs')
    const segment = join(backup, readdirSync(backup).find((name) => name.startsWith('records-'))!)
    const bytes = readFileSync(segment)
    bytes[90]! ^= 4
    writeFileSync(segment, bytes)
    more()
    const damaged = run(['collect', 'file:backup'], home)
    expect([damaged.code, damaged.stdout]).toEqual([3, expect.stringContaining('Delivered 1 record')])
    expect(readFileSync(segment)).toEqual(bytes)
    expect(statusOf(home)).toMatchObject({ code: 3, problem: expect.stringContaining('is damaged') })
    const repaired = run(['collect', '--repair', backup], home)
    expect([repaired.code, repaired.stdout]).toEqual([3, expect.stringContaining('3 lost')])
    expect(run(['collect', 'file:backup'], home)).toMatchObject({ code: 0, stderr: '' })
    expect(deliveredTo(backup).map(({ line }) => line)).toEqual([4])
    run(['collect', 'file:backup', '--redeliver'], home)
    expect(new Set(deliveredTo(backup).map(({ line }) => line))).toEqual(new Set([1, 2, 3, 4]))
    expect(run(['collect', '--verify', backup], home)).toMatchObject({ code: 0 })
  })
})

it('collect --watch reports that its archive was removed, and acknowledges nothing from then on', async () => {
  const { home, backup, more } = delivered()
  const child = spawn(process.execPath, [program, 'collect', 'file:backup', '--watch'], {
    cwd: home,
    env: variablesOf(home),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output: string[] = []
  const lines = createInterface(child.stderr!)[Symbol.asyncIterator]()
  const until = async (pattern: RegExp): Promise<void> => {
    for (let step = await lines.next(); ; step = await lines.next()) {
      if (step.done) throw new Error(`it ended: ${output.join('\n')}`)
      output.push(step.value)
      if (pattern.test(step.value)) return
    }
  }
  await until(/^Watching/)
  more()
  await until(/1 record/)
  renameSync(backup, join(home, 'away'))
  more()
  await until(/was removed while|does not exist, although/)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
  renameSync(join(home, 'away'), backup)
  expect(run(['collect', 'file:backup'], home).code).toBe(0)
  expect(new Set(deliveredTo(backup).map(({ line }) => line))).toEqual(new Set([1, 2, 3, 4, 5]))
})

describe('a receiver', () => {
  const start = async (home: string, folder: string, port: number) => {
    const child = spawn(process.execPath, [program, 'receive', `file:${folder}`, '--port', String(port)], {
      cwd: home,
      env: variablesOf(home),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    for await (const line of createInterface(child.stderr!)) {
      const [, address, found] = /collect (http:\S+:(\d+)\S*) --token-file/.exec(line) ?? []
      if (!address) continue
      const ended = new Promise((resolve) => child.once('exit', resolve))
      const stop = async (): Promise<void> => {
        child.kill('SIGTERM')
        await ended
      }
      return { address, port: Number(found), stop }
    }
    throw new Error('it did not begin')
  }

  it.each<[string, (received: string, home: string) => void, RegExp]>([
    [
      'of a deleted archive',
      (received) => rmSync(received, { recursive: true }),
      /writes to a different archive/,
    ],
    [
      'of an older copy',
      (received, home) => {
        rmSync(received, { recursive: true })
        renameSync(join(home, 'copy'), received)
      },
      /lacks records/,
    ],
  ])('is never reported as up to date: %s', async (_, exchange, message) => {
    const home = temporaryHome()
    const received = join(home, 'received')
    const path = putClaude(home, uuid(1), [claude.user(1, 'one'), claude.user(2, 'two')])
    const first = await start(home, received, 0)
    const flags = [first.address, '--token-file', join(home, '.local/share/scrollback/receive-token')]
    expect(collect(home, ...flags)).toMatchObject({ code: 0, stderr: '' })
    await first.stop()
    cpSync(received, join(home, 'copy'), { recursive: true })
    const second = await start(home, received, first.port)
    append(path, claude.user(3, 'three'))
    expect(collect(home, ...flags)).toMatchObject({ code: 0, stderr: '' })
    expect(collect(home, ...flags)).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing new') })
    await second.stop()
    exchange(received, home)
    const third = await start(home, received, first.port)
    const { code, stderr } = collect(home, ...flags)
    expect([code, stderr]).toEqual([3, expect.stringMatching(message)])
    expect(collect(home, ...flags, '--redeliver')).toMatchObject({ code: 0, stderr: '' })
    await third.stop()
    expect(new Set(deliveredTo(received).map(({ line }) => line))).toEqual(new Set([1, 2, 3]))
  })
})
