import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { installed } from '../installed.ts'
import { run, variablesOf } from '../program.ts'
import { claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'

const CLIENT = JSON.stringify({
  session_id: uuid(1),
  model: { display_name: 'Opus 4.5' },
  cost: { total_cost_usd: 1.25 },
})

function homeOfToday(): string {
  const home = temporaryHome()
  const now = { timestamp: new Date().toISOString(), cwd: '/srv/shop', sessionId: uuid(1) }
  const line = claude.reply(2, [text('Done.')], now)
  putClaude(home, uuid(1), [
    claude.user(1, 'Fix it', now),
    { ...line, message: { ...line.message, usage: { input_tokens: 1, output_tokens: 100_000 } } },
  ])
  return home
}

/** Records every started process, with its arguments. */
function counting(home: string): { env: NodeJS.ProcessEnv; started(): string[] } {
  const log = join(home, 'started')
  put(
    join(home, 'count.cjs'),
    `require('node:fs').appendFileSync(${JSON.stringify(log)}, process.argv.slice(2).join(' ') + '\\n')\n`,
  )
  return {
    env: variablesOf(home, { NODE_OPTIONS: `--require ${join(home, 'count.cjs')}` }),
    started: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
  }
}

/**
 * The output for a client that writes the content of a file, or that writes nothing and leaves its end open.
 */
async function lineOf(program: string, env: NodeJS.ProcessEnv, input?: string): Promise<string> {
  const from = input === undefined ? 'pipe' : openSync(input, 'r')
  const child = spawn(process.execPath, [program, 'statusline'], { env, stdio: [from, 'pipe', 'pipe'] })
  if (typeof from === 'number') closeSync(from)
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (piece) => (output += String(piece)))
  expect(await once(child, 'close')).toEqual([0, null])
  return output
}

/** Waits until the processes that were started in the background have ended. */
async function finished(home: string, ...flags: string[]): Promise<void> {
  while (!run(['statusline', '--json', ...flags], home).stdout.includes('"day"')) await pass(100)
  const turn = readFileSync(join(home, '.local/share/scrollback/statusline/refresh.json'), 'utf8')
  const { pid } = JSON.parse(turn) as { pid: number }
  while (runs(pid)) await pass(20)
}

function runs(pid: number): boolean {
  try {
    // A process that ended and was not waited for still has an entry.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe('the status line', () => {
  it('starts one background process for twenty clients at once, and none of them waits for it', async () => {
    const { program } = installed()
    const home = homeOfToday()
    const { env, started } = counting(home)
    const client = put(join(home, 'client.json'), CLIENT)
    const begun = Date.now()
    const lines = await Promise.all(Array.from({ length: 20 }, () => lineOf(program, env, client)))
    for (const line of lines) expect(line).toMatch(/^Opus 4\.5 \| \$1\.25 session \| /)
    await finished(home)
    const refreshing = started().filter((line) => line.includes('--refresh'))
    // One, unless this machine was so slow that another one was due.
    expect(refreshing.length).toBeLessThanOrEqual(1 + Math.floor((Date.now() - begun) / 15_000))
    expect(refreshing[0]).toBe('statusline --refresh')
    expect(started().filter((line) => line === 'statusline')).toHaveLength(20)
    const shown = await lineOf(program, env, client)
    expect(shown).toMatch(/^Opus 4\.5 \| \$1\.25 session \| \$\d\.\d\d today \| \$\d\.\d\d block, \d/)
    await finished(home)
  })

  it("answers a client that writes nothing and leaves its end open, and cleans the client's text", async () => {
    const { program } = installed()
    const home = homeOfToday()
    const { env } = counting(home)
    expect(await lineOf(program, env)).toMatch(/today|reading earlier/)
    const key = ['sk', 'ant', 'api03', 'A1b2C3d4E5f6G7h8J9k0'].join('-')
    const hostile = JSON.stringify({ model: { display_name: `\u001b[31mOpus\n${key}` } })
    const line = await lineOf(program, env, put(join(home, 'hostile.json'), hostile))
    expect(line).not.toContain('\u001b')
    expect(line.trim().split('\n')).toHaveLength(1)
    expect(line).not.toContain('A1b2C3d4E5f6')
    await finished(home)
  })

  it('loads little: no command, no reader of transcripts, no prices', async () => {
    const { program } = installed()
    const home = homeOfToday()
    const traced = spawnSync(
      process.execPath,
      [program, 'statusline', '--claude-dir', join(home, '.claude')],
      {
        env: { HOME: home, PATH: process.env.PATH, NODE_DEBUG: 'esm' },
        input: CLIENT,
        encoding: 'utf8',
      },
    )
    const loaded = new Set([...traced.stderr.matchAll(/dist\/[\w-]+\.js/g)].map(([path]) => path))
    expect(loaded.size).toBeLessThanOrEqual(3)
    expect([...loaded]).toContain('dist/statusline.js')
    expect([...loaded]).not.toContain('dist/cli.js')
    await finished(home, '--claude-dir', join(home, '.claude'))
  })

  it('passes other requests to the whole program', () => {
    const home = homeOfToday()
    expect(run(['statusline', '--help'], home).stdout).toContain('--refresh')
    const refreshed = run(['statusline', '--refresh', '--json'], home)
    expect(JSON.parse(refreshed.stdout)).toMatchObject({
      today: { tokens: 100_001 },
      block: { tokens: 100_001 },
      sessions: { [uuid(1)]: expect.any(Number) },
    })
    expect(run(['statusline', '--claude-dir', '/not/there'], home)).toMatchObject({ code: 2 })
  })

  it('takes the model and the cost of the session from the client, also when it updates the figures', () => {
    const { stdout } = run(['statusline', '--refresh'], homeOfToday(), { input: CLIENT })
    expect(stdout).toContain('Opus 4.5')
    expect(stdout).toContain('$1.25 session')
  })
})
