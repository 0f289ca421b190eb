import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, utimesSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { program } from '../program.ts'
import { claude, putClaude, putProgram, temporaryHome, uuid } from '../records.ts'

/** Modules of Node that take a millisecond or more to load, and that a command over an indexed folder never uses. */
const HEAVY = [
  'fs/promises',
  'http',
  'https',
  'internal/deps/undici/undici',
  'perf_hooks',
  'worker_threads',
  'zlib',
]
/** Each further file takes half a millisecond. */
const MOST_FILES = 22
/** The parts of the server of the page. */
const MOST_SERVER_FILES = 5

/** Writes at the end which modules of Node were loaded, and how many files of the program were. */
const RECORDER = `data:text/javascript,${encodeURIComponent(`
  const { registerHooks } = process.getBuiltinModule('node:module')
  const files = new Set()
  registerHooks({ resolve(name, context, next) {
    if (name.startsWith('./')) files.add(name)
    return next(name, context)
  } })
  process.on('exit', () => process.getBuiltinModule('node:fs').writeFileSync(process.env.RECORDED,
    JSON.stringify({ modules: process.moduleLoadList, files: [...files] })))
`)}`

/** The folder of our own files and the home, with a value of HOME. */
function foldersWith(HOME: string, cwd: string): [data: string, home: string] {
  const sources = join(import.meta.dirname, '../../src/surfaces/environment.ts')
  const script = `import { dataFolder, environmentOf } from ${JSON.stringify(sources)}
    const host = { env: process.env, cwd: process.cwd }
    console.log(JSON.stringify([dataFolder(host), environmentOf({}, host).environment.home]))`
  const env = { HOME, PATH: process.env.PATH }
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, cwd })
  return JSON.parse(String(stdout)) as [string, string]
}

const WRITTEN = Date.parse('2026-11-02T10:00:00Z') / 1000

interface Loaded {
  modules: string[]
  files: string[]
}

describe.skipIf(process.env.SCROLLBACK_PROGRAM === 'sources')('a command over an indexed folder', () => {
  const loadedBy = (home: string, args: readonly string[]): Loaded => {
    const RECORDED = join(home, 'loaded.json')
    execFileSync(process.execPath, ['--import', RECORDER, program, ...args], {
      ...{ cwd: home, stdio: ['ignore', 'pipe', 'ignore'] },
      env: { HOME: home, TZ: 'UTC', PATH: process.env.PATH, RECORDED },
    })
    return JSON.parse(readFileSync(RECORDED, 'utf8')) as Loaded
  }

  it.each([['search', 'moss'], ['sessions', '--all'], ['projects']])(
    'loads only what it needs: %s',
    (...args) => {
      const home = temporaryHome()
      const path = putClaude(home, uuid(1), [claude.user(2, 'water the moss')])
      // A file that changed within the last seconds is read once more.
      utimesSync(path, WRITTEN, WRITTEN)
      loadedBy(home, args)
      const { modules, files } = loadedBy(home, args)
      expect(HEAVY.filter((each) => modules.includes(`NativeModule ${each}`))).toEqual([])
      expect(files.length).toBeGreaterThan(3)
      expect(files.length).toBeLessThanOrEqual(MOST_FILES)
    },
  )

  it.runIf(process.platform !== 'win32')(
    'takes an empty HOME for none, so that nothing is written to the current directory',
    () => {
      const own = userInfo().homedir
      expect(foldersWith('', temporaryHome())).toEqual([expect.stringContaining(`${own}/`), own])
    },
  )

  it.runIf(process.platform !== 'win32')('takes a relative HOME for one of the current directory', () => {
    const directory = temporaryHome()
    const own = join(directory, 'some', 'home')
    const [data, home] = foldersWith('some/home', directory)
    expect(home).toBe(own)
    expect(data).toMatch(/scrollback$/)
    expect(data.replace(own, '')).not.toContain('home')
  })

  it.runIf(process.platform !== 'win32')('shows the sessions of a current directory that was deleted', () => {
    const home = temporaryHome()
    const tree = join(home, 'tree')
    mkdirSync(tree)
    putClaude(home, uuid(900), [claude.user(1, 'Mend the fence', { cwd: tree })])
    const script = 'rmdir "$PWD" && exec "$0" "$@"'
    const args = [process.execPath, program, 'sessions', '--claude-dir', join(home, '.claude')]
    const env = { HOME: home, PATH: process.env.PATH }
    const { stdout, stderr } = spawnSync('sh', ['-c', script, ...args], { cwd: tree, env })
    expect([String(stdout), String(stderr)]).toEqual([expect.stringContaining('Mend the fence'), ''])
  })

  it.runIf(process.platform !== 'win32')(
    'starts other programs in a current directory that was deleted',
    () => {
      const home = temporaryHome()
      const tree = join(home, 'tree')
      mkdirSync(tree)
      putProgram(home, 'claude', '')
      const script = 'rmdir "$PWD" && exec "$0" "$@"'
      const args = [process.execPath, program, 'setup', 'claude', '--yes']
      const env = { HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}` }
      const { stdout, stderr } = spawnSync('sh', ['-c', script, ...args], { cwd: tree, env })
      expect([String(stdout), String(stderr)]).toEqual([expect.stringContaining('✓ run claude mcp add'), ''])
    },
  )

  it('serves the page without loading the program beside the server', async () => {
    const home = temporaryHome()
    const started = async (): Promise<string[]> => {
      const RECORDED = join(home, 'loaded.json')
      const args = ['--import', RECORDER, program, 'serve', '--no-open', '--port', '0']
      const child = spawn(process.execPath, args, {
        ...{ cwd: home, stdio: ['ignore', 'pipe', 'ignore'] },
        env: { HOME: home, TZ: 'UTC', PATH: process.env.PATH, RECORDED },
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const [address] = (await once(child.stdout!, 'data')) as [Buffer]
      const { origin, searchParams } = new URL(String(address).trim())
      const headers = { authorization: `Bearer ${searchParams.get('token')}` }
      expect((await fetch(`${origin}/api/overview`, { headers })).status).toBe(200)
      child.kill('SIGINT')
      await once(child, 'exit')
      return (JSON.parse(readFileSync(RECORDED, 'utf8')) as Loaded).files
    }
    // The first start also writes the token.
    expect((await started()).length).toBeLessThanOrEqual(MOST_SERVER_FILES)
    expect((await started()).length).toBeLessThanOrEqual(MOST_SERVER_FILES)
  })
})
