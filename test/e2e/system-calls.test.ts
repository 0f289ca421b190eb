import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { archiveOf, collect, deliveredTo } from '../deliveries.ts'
import { type Answer, program, variablesOf } from '../program.ts'
import { append, claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, uuid } from '../records.ts'
import { scriptedServer } from '../scripted-server.ts'

const STATE = '.local/share/scrollback/collect.sqlite'
const FILES = ['', '-wal', '-shm', '-journal'].map((ending) => `${STATE}${ending}`)
/** The errors that the system may return for each call of the engine on the state. */
const FAULTS: Record<string, string[]> = {
  openat: ['EMFILE', 'EACCES', 'ENOSPC', 'EIO'],
  pread64: ['EIO'],
  pwrite64: ['EIO', 'ENOSPC'],
  fsync: ['EIO', 'ENOSPC'],
  ftruncate: ['EIO', 'ENOSPC'],
  mmap: ['ENOMEM'],
  fcntl: ['EIO'],
  unlink: ['EACCES', 'EIO'],
}
/**
 * The number of calls of one name that fail, each in a separate run, spread evenly; with
 * SCROLLBACK_EVERY_CALL=1 all.
 */
const MOST = process.env.SCROLLBACK_EVERY_CALL ? Number.POSITIVE_INFINITY : 1
const RUN_MS = 120_000

/** Runs `collect` under a tracer that records the calls on the state, and may let one of them fail. */
function traced(home: string, call: string, inject?: string): Answer & { calls: number } {
  const log = join(home, 'trace')
  const only = FILES.flatMap((name) => ['-P', join(home, name)])
  const options = ['-f', '-qq', '-o', log, ...only, '-e', `trace=${call}`, ...(inject ? ['-e', inject] : [])]
  const { stdout, stderr, status } = spawnSync('strace', [...options, process.execPath, program, 'collect'], {
    ...{ encoding: 'utf8', cwd: home, env: variablesOf(home) },
    timeout: RUN_MS,
  })
  return { stdout, stderr, code: status, calls: readFileSync(log, 'utf8').split('\n').length - 1 }
}

/** Some of it was delivered before; then more was added. */
function begin(): string {
  const home = temporaryHome()
  const path = putClaude(home, uuid(1), [claude.user(1, 'one'), claude.user(2, 'two')])
  putOpenclaw(home, 'a.jsonl', [openclaw.header('a'), openclaw.user(1, 'Good morning')])
  expect(collect(home).code).toBe(0)
  append(path, claude.user(3, 'three'))
  put(join(home, '.openclaw/workspace/SOUL.md'), 'Calm.\n')
  return home
}

/** The records in the archive, each once. */
const deliveredRecords = (home: string): string[] =>
  [...new Set(deliveredTo(archiveOf(home)).map(({ id, raw }) => JSON.stringify([id, raw])))].sort()

/** Numbers from 1 up to a count, at most some of them. */
function spread(count: number): number[] {
  const step = Math.max(1, count / MOST)
  return Array.from({ length: Math.min(count, MOST) }, (_, index) => Math.ceil(step * (index + 0.5)))
}

const works = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0

describe.skipIf(!works)('a system call that fails once (skipped where strace cannot run)', () => {
  it.each(Object.entries(FAULTS).flatMap(([call, codes]) => codes.map((code) => [call, code] as const)))(
    '%s on the state of deliveries, with %s: nothing is lost, and the error has no stack trace',
    { timeout: 600_000 },
    (call, code) => {
      const home = begin()
      const begun = temporaryHome()
      cpSync(home, begun, { recursive: true, preserveTimestamps: true })
      const { calls } = traced(home, call)
      const whole = deliveredRecords(home)
      for (const at of spread(calls)) {
        rmSync(home, { recursive: true })
        cpSync(begun, home, { recursive: true, preserveTimestamps: true })
        const { stderr, code: ended } = traced(home, call, `inject=${call}:error=${code}:when=${at}`)
        const where = `${call} ${at} of ${calls}`
        expect([0, 1, 3], `${where}: ${stderr}`).toContain(ended)
        expect(stderr, where).not.toMatch(/^ {4}at /m)
        const after = collect(home)
        expect([after.code, after.stderr], where).toEqual([0, ''])
        expect(deliveredRecords(home), where).toEqual(whole)
      }
    },
  )
})

const tracedOfNoNetwork = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0

/** The system calls with which a process uses the network. */
async function networkCalls(args: readonly string[], home: string): Promise<string[]> {
  const log = join(home, 'trace')
  const tracing = ['-f', '-e', 'trace=socket,connect,bind', '-o', log]
  const child = spawn('strace', [...tracing, process.execPath, program, ...args], {
    ...{ cwd: home, stdio: 'ignore', env: { HOME: home, PATH: process.env.PATH } },
  })
  expect(await once(child, 'exit')).toEqual([0, null])
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /AF_INET/.test(line))
}

describe.skipIf(!tracedOfNoNetwork)('the network (skipped where strace cannot run)', () => {
  it.each([
    [['collect', '--history', 'all']],
    [['collect', 'stdout:', '--history', 'all']],
    [['collect', '--status']],
    [['sessions', '--all']],
    [['search', 'hello']],
  ])('is not used by: scrollback %j', async (args) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'hello')])
    expect(await networkCalls(args, home)).toEqual([])
  })

  it('is only used for the named destination', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'hello')])
    await using server = await scriptedServer((_, response) => response.end())
    const calls = await networkCalls(['collect', server.address, '--history', 'all'], home)
    const connected = calls.flatMap(
      (line) => /connect\(.*htons\((\d+)\).*"([\d.]+)"/.exec(line)?.slice(1) ?? [],
    )
    expect(connected).toEqual([String(server.port), '127.0.0.1'])
  })
})
