import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout } from '../program.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
import { connectTo } from '../tool-client.ts'

interface Packed {
  filename: string
  size: number
  files: { path: string }[]
}

/** npm adds these by itself. */
const DOCUMENT = /^(?:README|LICEN[CS]E)/i

/** As from the sources: the build leaves out of the protocol what a server does not need. */
async function offersTools(program: string, home: string): Promise<void> {
  await using server = await connectTo(program, home, '--demo')
  const { tools } = await server.client.listTools()
  await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot('output/mcp-tools.txt')
  expect((await server.ask('projects', { limit: 1 })).text).toContain('shop-notes')
  expect((await server.ask('search', { query: 'zzqnothingqzz' })).body.nothing).toBe('found')
  expect((await server.ask('search', { query: '' })).body.error).toContain('what for?')
  await expect(server.client.callTool({ name: 'forget' })).rejects.toMatchObject({ code: -32602 })
  await expect(server.client.listPrompts()).rejects.toMatchObject({ code: -32601 })
  await server.client.ping()
  expect(server.stderr()).toBe('')
}

/** What a command line prints in a terminal of its own, where Escape answers the question that it asks. */
async function inTerminal(line: string, cwd: string, home: string): Promise<string> {
  const env = { HOME: home, TZ: 'UTC', TERM: 'xterm', PATH: process.env.PATH }
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd, env, stdio: 'pipe' })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    shown += piece
    // The cursor is hidden while a choice waits for its answer.
    if (piece.includes('\x1b[?25l')) child.stdin.write('\x1b')
  })
  await once(child, 'close')
  expect(shown).toContain('\x1b[?25l')
  return shown
}

describe('the package', () => {
  it('installs without a network and runs without its sources', { timeout: 120_000 }, async () => {
    const home = temporaryHome()
    const npm = (args: readonly string[], cwd: string): string => {
      const { stdout, stderr, status } = spawnSync('npm', args, {
        cwd,
        encoding: 'utf8',
        env: {
          HOME: home,
          PATH: process.env.PATH,
          npm_config_cache: join(home, '.npm'),
          npm_config_update_notifier: 'false',
        },
      })
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
      return stdout
    }
    // Packed from a copy, so that nothing in the checkout is built over.
    const copy = join(home, 'copy')
    mkdirSync(copy)
    for (const name of [
      'package.json',
      'tsconfig.json',
      'tsconfig.types.json',
      'bin',
      'src',
      'demo',
      'skills',
      'scripts',
    ])
      cpSync(join(checkout, name), join(copy, name), { recursive: true })
    symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'))
    npm(['run', '--silent', 'build'], copy)
    const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts'], copy)) as [Packed]

    const paths = packed.files.map((file) => file.path)
    expect(
      paths.filter((path) => path.startsWith('src/') || path.startsWith('test/') || path.includes('.test.')),
    ).toEqual([])
    expect(
      [...new Set(paths.flatMap((path) => (DOCUMENT.test(path) ? [] : path.split('/')[0])))].sort(),
    ).toEqual(['bin', 'demo', 'dist', 'package.json', 'skills'])
    expect(paths.filter((path) => path.startsWith('dist/') && path.endsWith('.d.ts'))).toContain(
      'dist/index.d.ts',
    )
    const tarball = join(copy, packed.filename)
    expect(statSync(tarball).size).toBeLessThan(750_000)

    const user = join(home, 'user')
    put(join(user, 'package.json'), '{"private":true,"type":"module"}')
    npm(['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball], user)
    const run = (...args: string[]): string => {
      const { stdout, stderr } = spawnSync(process.execPath, args, {
        cwd: user,
        encoding: 'utf8',
        env: { HOME: home, TZ: 'UTC' },
      })
      expect(stderr).toBe('')
      return stdout
    }
    const program = join(user, 'node_modules/.bin/scrollback')
    expect(run(program, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
    const { sessions } = JSON.parse(run(program, 'sessions', '--all', '--demo', '--json')) as {
      sessions: unknown[]
    }
    expect(sessions.length).toBe(19)
    expect(run(program, 'read', '640ab4c7', '--demo')).toContain(
      'Once per order. The bookkeeper was clear about that.',
    )
    expect(run(program, 'projects', 'eastore', '--demo')).toContain('eastore')
    put(
      join(user, 'library.js'),
      "import * as library from 'agent-scrollback'\nconsole.log(Object.keys(library).sort().join())\n",
    )
    expect(run(join(user, 'library.js'))).toBe(
      'ScrollbackError,createRedactor,findSecrets,findSessions,openStore,readSession,redact\n',
    )
    put(
      join(user, 'parts.js'),
      `import { openStore } from 'agent-scrollback'
import { parseTranscript } from 'agent-scrollback/parse'
using store = await openStore({ demo: true })
const { totals } = await store.stats()
const { lines } = await parseTranscript(['{}', '{}'], { platform: 'openclaw' }).session()
console.log(totals.sessions, totals.cost > 0, lines)
`,
    )
    expect(run(join(user, 'parts.js'))).toBe('19 true 2\n')
    await offersTools(program, home)
    for (const args of ['search postgres --demo', 'sessions eastore --demo'])
      expect(await inTerminal(`${process.execPath} ${program} ${args}`, user, home)).not.toContain(
        'a fault of',
      )

    // So much that other threads take part in it.
    const line = JSON.stringify(claude.user(1, 'x'.repeat(100_000)))
    put(putClaude(home, uuid(1), []), `${line}\n`.repeat(300))
    const archive = join(home, 'archive')
    expect(
      run(program, 'collect', archive, '--history', 'all', '--claude-dir', join(home, '.claude')),
    ).toMatch(/^Delivered \d+ records? \(/)
  })
})
