import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text as wholeText } from 'node:stream/consumers'
import { setTimeout as pass } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { archiveOf, collect, deliveredTo, keyed } from '../deliveries.ts'
import { type Answer, type Json, json, program, run, variablesOf } from '../program.ts'
import { createRandom } from '../random.ts'
import { claude, put, putClaude, sharedHome, temporaryHome, text, uuid } from '../records.ts'
import { scriptedServer } from '../scripted-server.ts'

const SESSIONS = 8
const LINES = 300
const KILLS = 6
/** A kill comes after at most this many more bytes are stored. */
const MORE_BYTES = 10_000

const home = sharedHome()
const data = join(home, '.local/share/scrollback')
const received = join(data, 'received')
const token = join(data, 'receive-token')

for (let session = 1; session <= SESSIONS; session++)
  putClaude(
    home,
    uuid(session),
    Array.from({ length: LINES }, (_, index) =>
      claude.reply(session * 10_000 + index, [text(`Line ${index} of ${'many '.repeat(40)}`)]),
    ),
  )

const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: variablesOf(home),
    stdio: ['ignore', 'ignore', 'pipe'],
  })

/** Starts a receiver, and returns its address. */
async function receiver(port = 0): Promise<{ child: ChildProcess; address: string; port: number }> {
  const child = start('receive', '--port', String(port))
  for await (const line of createInterface(child.stderr!)) {
    const found = /collect (http:\/\/127\.0\.0\.1:(\d+)\/v1\/records) --token-file/.exec(line)
    if (found) return { child, address: found[1]!, port: Number(found[2]) }
  }
  throw new Error('it did not begin')
}

const storedBytes = (): number =>
  readdirSync(received).reduce((sum, name) => sum + statSync(join(received, name)).size, 0)

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/** Waits until this many more bytes are stored, while the collector runs. */
async function grown(bytes: number, child: ChildProcess): Promise<void> {
  const enough = storedBytes() + bytes
  while (storedBytes() < enough && isAlive(child)) await pass(2)
}

async function ended(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (!isAlive(child)) return child.exitCode
  const closed = once(child, 'exit')
  child.kill(signal)
  return ((await closed) as [number | null])[0]
}

/** The same as `run`, for servers of this process, which could not answer during a synchronous call. */
async function runAsync(
  args: readonly string[],
  home: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<Answer> {
  const child = spawn(process.execPath, [program, ...args], { cwd: home, env: variablesOf(home, variables) })
  const [stdout, stderr, [code]] = await Promise.all([
    wholeText(child.stdout),
    wholeText(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ])
  return { stdout, stderr, code }
}

describe('collect to receive', () => {
  it('delivers every record once, whichever of the two is killed in between', async () => {
    const random = createRandom(20261121)
    let { child, address, port } = await receiver()
    expect(statSync(token).mode & 0o777).toBe(0o600)
    const flags = ['collect', address, '--history', 'all', '--token-file', token, '--max-records', '20']
    const delivered: number[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      const collector = start(...flags)
      await grown(random(MORE_BYTES), collector)
      if (kill % 2 === 0) await ended(collector, 'SIGKILL')
      await ended(child, 'SIGKILL')
      ;({ child } = await receiver(port))
      await grown(random(MORE_BYTES), collector)
      await ended(collector, 'SIGKILL')
      delivered.push(deliveredTo(received).length)
    }
    expect(Math.max(...delivered), 'killed before the end').toBeLessThan(SESSIONS * LINES)
    expect(delivered[0]).toBeGreaterThan(0)
    const last = run(flags, home)
    expect([last.code, last.stderr]).toEqual([0, ''])
    expect(await ended(child, 'SIGTERM')).toBe(0)

    expect(collect(home, `file:${join(home, 'directly')}`).code).toBe(0)
    const wanted = keyed(deliveredTo(join(home, 'directly')))
    const found = deliveredTo(received)
    expect([...keyed(found).keys()].sort()).toEqual([...wanted.keys()].sort())
    expect(found).toHaveLength(wanted.size)
    expect(wanted.size).toBe(SESSIONS * LINES)
    for (const [id, record] of keyed(found)) expect(record).toEqual(wanted.get(id))
    expect(run(['sessions', '--all', '--json', '--from', received], home).code).toBe(0)
  })

  it('leaves the token out of all output and stored files', async () => {
    const secret = 'k3Zq9XbT1vLw8RmC5yNd2HsJ'
    await using server = await scriptedServer((_, response) => response.writeHead(403).end())
    const variables = { SHOP_TOKEN: secret }
    const flags = ['--state', join(home, 'other.sqlite'), '--token-env', 'SHOP_TOKEN']
    const { code, stdout, stderr } = await runAsync(
      ['collect', server.address, '--history', 'all', ...flags],
      home,
      variables,
    )
    expect(code).toBe(3)
    expect(stderr).toContain('403')
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${secret}`)
    const status = await runAsync(['collect', '--status', ...flags], home, variables)
    expect(status.stdout).toContain('403')
    const state = readdirSync(home).filter((name) => name.startsWith('other.sqlite'))
    const stored = state.map((name) => readFileSync(join(home, name), 'latin1'))
    for (const piece of [stdout, stderr, status.stdout, ...stored]) expect(piece).not.toContain(secret)
  })

  it('shows the records that a server rejects, and delivers the others', async () => {
    const lonely = temporaryHome()
    putClaude(
      lonely,
      uuid(1),
      [1, 2, 3, 4, 5].map((number) => claude.user(number, `Number ${number}`)),
    )
    await using server = await scriptedServer(({ body }, response) => {
      const lines = String(body).trim().split('\n')
      const rejected = lines.flatMap((line, index) =>
        line.includes('Number 3') ? [{ index, reason: 'odd' }] : [],
      )
      response.writeHead(207).end(JSON.stringify({ accepted: lines.length - rejected.length, rejected }))
    })
    const { stdout } = await runAsync(['collect', server.address, '--history', 'all', '--json'], lonely)
    expect(JSON.parse(stdout).destinations[0]).toMatchObject({ records: 4, quarantined: 1, error: null })
    expect(run(['collect', '--status'], lonely).stdout).toMatch(/refused +1 record:\n.*:3 .*rejected it: odd/)
    expect((await runAsync(['collect', server.address], lonely)).stdout).toContain('Nothing new')
  })

  it('reports why a receiver cannot start', () => {
    writeFileSync(join(home, 'open'), 'word\n', { mode: 0o644 })

    for (const [args, code, reason] of [
      [['https://host/'], 2, 'go into a directory'],
      [['--max-body', 'much'], 2, 'invalid size'],
      [['--token-file', 'open'], 2, 'chmod 600'],
      [['--token-env', 'NONE'], 2, 'NONE'],
      [['--host', '192.0.2.1'], 1, '192.0.2.1'],
    ] as const)
      expect(run(['receive', ...args], home)).toMatchObject({ code, stderr: expect.stringContaining(reason) })
  })
})

const recordsIn = (home: string) => deliveredTo(archiveOf(home))

describe('the state of another collector', () => {
  const stateOf = (home: string, state: unknown) => {
    const other = put(join(home, 'other.json'), JSON.stringify(state))
    const [summary] = json(home, 'collect', '--import-state', other).imported
    run(['collect'], home)
    return { ...summary, lines: recordsIn(home).map(({ line }) => line) }
  }
  const lines = [1, 2, 3].map((number) => claude.user(number, 'x'))

  it.each([
    ['objects', (path: string, offset: number) => ({ files: { [path]: { offset } } })],
    [
      'bare numbers',
      (path: string, offset: number) => ({ version: 1, sources: { a: { files: { [path]: offset } } } }),
    ],
    [
      'offsets',
      (path: string, offset: number) => ({ version: 2, sources: { a: { offsets: { [path]: offset } } } }),
    ],
    ['a flat map', (path: string, offset: number) => ({ version: 1, [path]: offset, lastRun: 'x' })],
    ['an unchanged time', (path: string) => ({ [path]: { mtime: Date.now() / 1000 + 60 } })],
  ])('may be %s', (name, stateFor) => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), lines)
    const summary = stateOf(home, stateFor(path, Math.ceil(statSync(path).size / 2)))
    expect(summary).toMatchObject({ files: 1, refused: [] })
    expect(summary.lines).toEqual(name === 'an unchanged time' ? [] : [2, 3])
  })

  it('is reported where it cannot be imported, with the reason, and the source is delivered', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), lines)
    const summary = stateOf(home, { files: { [path]: { mtime: 5 }, '/b.jsonl': 'all', '/c.jsonl': -3 } })
    expect(summary.files).toBe(0)
    const { stdout } = run(['collect', '--import-state', join(home, 'other.json')], home)
    expect(stdout).toContain('resumes after the other collector in 0 files.')
    expect(stdout).toContain('/c.jsonl')
    expect(run(['collect', '--import-state', path], home).code).toBe(2)

    expect(summary.refused.map(({ reason }: Json) => reason).sort()).toEqual([
      '-3 is no offset',
      'it is delivered line by line and has changed since, but the state only has a time',
      'it names neither an offset nor a time',
    ])
    expect(summary.lines).toEqual([1, 2, 3])
  })

  it('applies to a file that is delivered whole until that changes', () => {
    for (const [older, wanted] of [
      [0, { files: 1, lines: [] }],
      [60_000, { files: 0, lines: [1] }],
    ] as const) {
      const home = temporaryHome()
      const jobs = put(join(home, '.openclaw/cron/jobs.json'), '{"version":1,"jobs":[{"id":"a"}]}')
      expect(stateOf(home, { [jobs]: { mtime: statSync(jobs).mtimeMs - older } })).toMatchObject(wanted)
    }
  })
})

describe('a single run', () => {
  it('says which records a server refused, and is not successful', async () => {
    const own = temporaryHome()
    putClaude(own, uuid(1), [claude.user(1, 'Water the fern'), claude.user(2, 'Prune it')])
    await using server = await scriptedServer((_, response) => response.writeHead(413).end())
    const { code, stdout, stderr } = await runAsync(['collect', server.address, '--history', 'all'], own)
    expect({ code, stdout }).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('Nothing delivered for'),
    })
    expect(stderr).toContain('refused 2 records. To see which: scrollback collect status')
    expect(stdout).not.toContain('stub')
  })

  it('that is stopped says that it delivered not all, and is not successful', async () => {
    const own = temporaryHome()
    putClaude(own, uuid(1), [claude.user(1, 'Water the fern')])
    for (let session = 2; session <= 40; session++)
      putClaude(own, uuid(session), [claude.user(session, 'Prune it')])
    let asked = 0
    await using server = await scriptedServer((_, response) => {
      asked++
      if (asked === 1) running?.kill('SIGTERM')
      setTimeout(() => response.writeHead(200).end(), asked < 20 ? 300 : 0)
    })
    const running = spawn(
      process.execPath,
      [program, 'collect', server.address, '--history', 'all', '--max-records', '1'],
      { cwd: own, env: variablesOf(own), stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const [stdout, stderr, [code]] = await Promise.all([
      wholeText(running.stdout),
      wholeText(running.stderr),
      once(running, 'exit'),
    ])
    expect(code).toBe(3)
    expect(stderr).toContain('stopped. The next run delivers the rest.')
    expect(stdout).toContain('but not all')
    expect((await runAsync(['collect', server.address], own)).code).toBe(0)
    const lines = server.seen.flatMap(({ body }) => String(body).trim().split('\n'))
    expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(40)
  })
})
