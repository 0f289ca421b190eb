import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { program } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { scriptedServer } from '../scripted-server.ts'

const traced = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0

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

describe.skipIf(!traced)('the network (skipped where strace cannot run)', () => {
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
