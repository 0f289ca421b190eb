import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { runSources, sourceProgram, variablesOf } from '../program.ts'
import { append, claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
import { emptyServer, hasServer } from './engines.ts'
import { addressOf, CHOSEN } from './team.ts'

/** A space, and machines that send to it. */
function space() {
  const server = emptyServer()
  const at = addressOf(server)
  const env = { SCROLLBACK_STORE_PASSWORD: server.password ?? '' }
  const machine = () => {
    const home = temporaryHome()
    return {
      home,
      ask: (...words: string[]) => runSources(words, home, env),
      session: (number: number, folder: string, word: string): string =>
        putClaude(
          home,
          uuid(number),
          [claude.user(number, word, { sessionId: uuid(number), cwd: folder })],
          folder.replaceAll(/\W/g, '-'),
        ),
    }
  }
  return { server, at, env, machine }
}

describe.runIf(hasServer)('the projects of a space', () => {
  it('gets the memory of a project that is chosen by its folder or with the one above it', () => {
    const { server, at, machine } = space()
    const { home, ask, session } = machine()
    session(1, '/home/ann/web/diary', 'fern')
    put(join(home, '.claude/projects/-home-ann-web-diary/memory/MEMORY.md'), '# Memory\n\n- The moss.\n')
    const connection = connect(server)
    for (const pattern of ['web/diary', '/home/ann/web/diary', '/home/ann/*', 'other', 'diary']) {
      expect(ask('collect', at, '--device', 'oak', '--person', 'ann', '--projects', pattern).code).toBe(0)
      const [paths] = connection.select<[number, number]>(
        `SELECT countIf(path LIKE '%MEMORY.md'), count() FROM artifact FINAL`,
      )
      expect([pattern, paths]).toEqual([pattern, pattern === 'other' ? [0, 0] : [1, 2]])
    }
    expect(machine().ask('memory', '--store', at).stdout).toMatch(/^OF\tMACHINE\t.*\n.*diary\toak\t/m)
    connection.close()
  }, 300_000)

  it('have one name in every command, and a name of several is refused', () => {
    const { at, machine } = space()
    const [oak, elm] = [machine(), machine()]
    oak.session(1, '/home/ann/b/shop', 'apple')
    elm.session(2, '/home/ann/b/shop', 'apple')
    elm.session(3, '/home/ann/a/shop', 'apple')
    expect(oak.ask('collect', at, '--device', 'oak', ...CHOSEN).code).toBe(0)
    expect(elm.ask('collect', at, '--device', 'elm', ...CHOSEN).code).toBe(0)
    const ask = (...words: string[]) => machine().ask(...words, '--store', at)
    const projectsOf = (...words: string[]): string[] =>
      [...ask('search', ...words, '--json').stdout.matchAll(/"project": ?"([^"]*)"/g)]
        .map(([, name]) => name!)
        .sort()
    expect(projectsOf('apple')).toEqual(['a/shop', 'b/shop', 'b/shop'])
    expect(projectsOf('project:b/shop apple')).toEqual(['b/shop', 'b/shop'])
    expect(ask('session', uuid(1)).stdout).toMatch(/Project +b\/shop$/m)
    expect(ask('search', 'apple', '--raw').stderr).toMatch(/1 transcript is on oak.*run the command there/)
    for (const answer of [
      ask('forget', 'project:shop', '--dry-run'),
      elm.ask('forget', 'project:shop', '--dry-run'),
    ])
      expect(answer).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('project:a/shop\n  project:b/shop'),
      })
    expect(ask('forget', 'project:b/shop', '--yes').stdout).toContain('Forgot 2 sessions')
    expect(projectsOf('apple')).toEqual(['shop'])
    const { machines } = JSON.parse(ask('store', 'status', '--json').stdout)
    expect(machines.map(({ device, files }: { device: string; files: number }) => [device, files])).toEqual([
      ['elm', 1],
      ['oak', 0],
    ])
  }, 300_000)

  it('gets with --watch what transcripts grow by', async () => {
    const { server, at, env, machine } = space()
    const { home, ask, session } = machine()
    const path = session(1, '/home/ann/shop', 'apple')
    expect(ask('collect', at, '--device', 'oak', ...CHOSEN).code).toBe(0)
    const child = spawn(process.execPath, [sourceProgram, 'collect', at, '--watch'], {
      env: variablesOf(home, env),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines = createInterface(child.stderr)[Symbol.asyncIterator]()
    const until = async (part: string): Promise<void> => {
      for (;;) {
        const { done, value } = await lines.next()
        if (done) throw new Error(`it ended before it printed "${part}"`)
        if (value.includes(part)) return
      }
    }
    await until('as transcripts grow')
    append(path, claude.user(2, 'pear', { sessionId: uuid(1), cwd: '/home/ann/shop' }))
    await until('1 message sent')
    const connection = connect(server)
    expect(connection.select('SELECT toFloat64(count()) FROM item FINAL')).toEqual([[2]])
    connection.close()
  }, 300_000)
})
