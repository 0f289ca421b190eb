import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { program, runProcess, variablesOf } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'

const usesCaches = process.platform === 'linux'

/** A home, the directory for cached code, and a temporary directory that others write to. */
function machine() {
  const home = temporaryHome()
  const shared = temporaryHome()
  chmodSync(shared, 0o1777)
  const folder = join(home, '.cache/scrollback/compiled')
  const start = (env: NodeJS.ProcessEnv = {}) => {
    const { code } = runProcess(['--demo'], home, {
      env: { TMPDIR: shared, NODE_COMPILE_CACHE: undefined, ...env },
    })
    expect(code).toBe(0)
    expect(readdirSync(shared)).toEqual([])
  }
  const cached = (path = folder): number =>
    existsSync(path)
      ? readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
      : 0
  return { home, shared, folder, start, cached }
}

describe.runIf(usesCaches)('compiled code', () => {
  it('is cached where only its user can write, and never in the temporary directory', () => {
    const { folder, start, cached } = machine()
    start()
    expect(cached()).toBeGreaterThan(0)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('is cached in SCROLLBACK_HOME if that is set', () => {
    const { home, start, cached } = machine()
    start({ SCROLLBACK_HOME: 'own' })
    expect(cached(join(home, 'own/compiled'))).toBeGreaterThan(0)
    expect(existsSync(join(home, '.cache'))).toBe(false)
  })

  it('is not cached in a directory that others may write to', () => {
    for (const mode of [0o777, 0o770, 0o1777]) {
      const { folder, start, cached } = machine()
      mkdirSync(folder, { recursive: true })
      chmodSync(folder, mode)
      start()
      expect(cached()).toBe(0)
    }
  })

  it('is not cached in a directory whose parent others may write to', () => {
    const { home, folder, start, cached } = machine()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(join(home, '.cache/scrollback'), 0o777)
    start()
    expect(cached()).toBe(0)
  })

  it('is not cached behind a symbolic link', () => {
    const { home, shared, folder, start } = machine()
    mkdirSync(join(home, '.cache/scrollback'), { recursive: true, mode: 0o700 })
    symlinkSync(shared, folder)
    start()
  })

  it('is not cached in a relative path', () => {
    const { home, start, cached } = machine()
    start({ XDG_CACHE_HOME: 'caches' })
    expect(existsSync(join(home, 'caches'))).toBe(false)
    expect(cached()).toBeGreaterThan(0)
  })

  it('is not cached if no directory can be created, and the program runs anyway', () => {
    const { home, start } = machine()
    start({ XDG_CACHE_HOME: join(home, 'no/such'), HOME: '/proc/none' })
  })

  it.runIf(process.getuid?.() === 0)('is not cached in a directory of another user', () => {
    const { folder, start, cached } = machine()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chownSync(folder, 65_534, 65_534)
    start()
    expect(cached()).toBe(0)
  })
})

const PLANTED = '.claude'
/** Node creates what is in this folder, which only its owner may enter. */
const COMPILED = '.cache/scrollback/compiled/'

/** What other users may read or write, below a folder, without the transcripts. */
function openIn(home: string): string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith(PLANTED) && !name.startsWith(COMPILED))
    .filter((name) => !lstatSync(join(home, name)).isSymbolicLink())
    .flatMap((name) => {
      const mode = lstatSync(join(home, name)).mode & 0o777
      return (mode & 0o077) === 0 ? [] : `${name} ${mode.toString(8)}`
    })
}

describe.runIf(process.platform !== 'win32')('with umask 000', () => {
  const environmentIn = (home: string) => variablesOf(home)
  /** Starts the program as a shell with this mask does. */
  const shell = (...words: string[]) => [
    '-c',
    'umask 000; exec "$@"',
    'sh',
    process.execPath,
    program,
    ...words,
  ]

  it('nobody else can read or write the compiled code', () => {
    const home = temporaryHome()
    const env = { ...environmentIn(home), SCROLLBACK_HOME: join(home, 'own'), NODE_COMPILE_CACHE: undefined }
    spawnSync('sh', shell('sessions', '--all'), { cwd: home, env })
    expect(readdirSync(join(home, 'own')).includes('compiled')).toBe(true)
    expect(openIn(home)).toEqual([])
  })

  it.runIf(usesCaches)('nobody else can enter what the threads of the page compile', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Water the fern')])
    const page = spawn('sh', shell('serve', '--no-open', '--port', '0'), {
      cwd: home,
      env: { ...environmentIn(home), NODE_COMPILE_CACHE: undefined },
      stdio: 'ignore',
    })
    try {
      const modes = () =>
        readdirSync(join(home, COMPILED))
          .map((name) => (lstatSync(join(home, COMPILED, name)).mode & 0o777).toString(8))
          .sort()
      await expect.poll(modes, { timeout: 20_000 }).toEqual(['700', '700'])
    } finally {
      page.kill()
      await once(page, 'exit')
    }
  })

  it.each([
    ['index'],
    ['sessions', '--all'],
    ['search', 'fern'],
    ['tag', uuid(1), 'garden'],
    ['collect', 'file:archive/deep', '--history', 'all'],
    ['export', '--all', '--format', 'md', '--out', 'notes/of/mine'],
    ['export', uuid(1), '--out', 'pages/of/mine/page.html'],
    ['export', uuid(1), '--format', 'jsonl', '--out', 'lines/deep/one.jsonl'],
    ['store', 'grant', '--reader', 'ann', '--database', 'team', '--passwords', 'keys/deep'],
    ['forget', uuid(2), '--yes'],
  ])('nobody else can read or write what this creates: %s %s %s %s %s %s', (...words) => {
    const home = temporaryHome()
    for (const id of [1, 2]) putClaude(home, uuid(id), [claude.user(id, 'Water the fern')])
    const { status, stderr } = spawnSync('sh', shell(...words), {
      cwd: home,
      env: environmentIn(home),
      encoding: 'utf8',
    })
    expect({ status, stderr }).toMatchObject({ status: 0 })
    expect(readdirSync(home).length).toBeGreaterThan(1)
    expect(openIn(home)).toEqual([])
  })

  it.each([
    ['receive', '--port', '0'],
    ['serve', '--port', '0', '--no-open'],
  ])('nobody else can read or write what this creates until it listens: %s', async (...words) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Water the fern')])
    const child = spawn('sh', shell(...words), { cwd: home, env: environmentIn(home), stdio: 'pipe' })
    const lines = [child.stdout, child.stderr].map((input) => createInterface(input))
    await Promise.race(lines.map((each) => once(each, 'line')))
    expect(openIn(home)).toEqual([])
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(openIn(home)).toEqual([])
  })
})
