import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { compileCache, program, run, variablesOf } from '../program.ts'
import { append, claude, putClaude, temporaryHome, uuid } from '../records.ts'

const holder = resolve(import.meta.dirname, '../lock-holder.ts')
const folderOf = (home: string): string => join(home, '.local/share/scrollback')
const storeOf = (home: string): string => join(folderOf(home), 'store.sqlite')
const userLines = (from: number, words = 'fern') => [claude.user(from, `${words} ${from}`)]
const hasPipes = process.platform !== 'win32' && spawnSync('mkfifo', ['--version']).status === 0
/** A program that hangs is ended, and then has no exit code. */
const BOUND = { timeout: 300_000 }

/** A home with a transcript of one message, which is stored. */
function indexedHome(): string {
  const home = temporaryHome()
  putClaude(home, uuid(1), userLines(1))
  expect(run(['index'], home).code).toBe(0)
  return home
}

describe.runIf(hasPipes)('a pipe instead of a file', () => {
  it.each(['store.sqlite', 'store.sqlite-wal', 'store.sqlite.lock'])('is rejected at once: %s', (name) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), userLines(1))
    mkdirSync(folderOf(home), { recursive: true })
    spawnSync('mkfifo', [join(folderOf(home), name)])
    const { stdout, stderr, code } = run(['sessions', '--all'], home, BOUND)
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
    expect(stderr).toContain(`${name} is a pipe.`)
    expect(stderr).toContain('Set SCROLLBACK_HOME')
  })

  it.each([
    ['collect.sqlite', ['collect', 'file:x', '--history', 'all']],
    ['collect.sqlite', ['collect', '--status']],
    ['collect.sqlite-wal', ['collect', 'file:x', '--history', 'all']],
    ['annotations.sqlite', ['sessions', '--all']],
    ['annotations.sqlite', ['tag', uuid(1), 'garden']],
  ])('is rejected at once: %s, for %j', (name, words) => {
    const home = indexedHome()
    rmSync(join(folderOf(home), name), { force: true })
    spawnSync('mkfifo', [join(folderOf(home), name)])
    const { stderr, code } = run(words, home, BOUND)
    expect(stderr).toContain(`${name} is a pipe.`)
    expect(code).not.toBe(0)
  })

  it.each(['--claude-dir', '--openclaw-dir'])('is rejected at once: %s', (flag) => {
    const home = temporaryHome()
    spawnSync('mkfifo', [join(home, 'pipe')])
    const { stderr, code } = run([flag, join(home, 'pipe')], home, BOUND)
    expect(stderr).toContain(`${flag} ${join(home, 'pipe')}: not a directory`)
    expect(code).toBe(2)
  })
})

it.each(['--claude-dir', '--openclaw-dir'])(
  'a file instead of a directory is rejected with a way out: %s',
  (flag) => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), userLines(1))
    const { stdout, stderr, code } = run(['sessions', '--all', flag, path], home)
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toContain(`${flag} ${path}: not a directory`)
    expect(stderr).toContain('To read one transcript, give its path to read')
  },
)

describe.runIf(process.getuid?.() === 0)('the store of another user', () => {
  it('is not opened', () => {
    const home = indexedHome()
    // Everything except the store belongs to the user who reads.
    const [theirs, ours] = [65_534, 0]
    spawnSync('chown', ['-R', String(theirs), home])
    chownSync(storeOf(home), 12_345, ours)
    const asNobody = { uid: theirs, gid: theirs }
    const { status, stderr } = spawnSync(process.execPath, [program, 'sessions', '--all'], {
      ...asNobody,
      encoding: 'utf8',
      cwd: '/',
      env: { HOME: home, PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache },
    })
    // If the checkout itself is closed to other users, the program cannot even start.
    if (/EACCES|Cannot find module/.test(stderr)) return
    expect(stderr).toContain('store.sqlite belongs to another user')
    expect(status).toBe(1)
  })
})

describe.runIf(process.getuid?.() === 0)('an administrator', () => {
  const other = 12_345

  it.each(['store.sqlite', 'store.sqlite.lock', 'collect.sqlite'])(
    'does not use the file of another user: %s',
    (name) => {
      const home = indexedHome()
      run(['collect', 'file:x', '--history', 'all'], home)
      chownSync(join(folderOf(home), name), other, 0)
      const words =
        name === 'collect.sqlite' ? ['collect', 'file:x', '--history', 'all'] : ['sessions', '--all']
      const { stdout, stderr, code } = run(words, home)
      expect({ stdout, code: code === 0 }).toEqual({ stdout: '', code: false })
      expect(stderr).toContain(`${name} belongs to another user.`)
      expect(stderr).toContain('SCROLLBACK_HOME')
    },
  )

  it('does not use the folder of another user', () => {
    const home = indexedHome()
    chownSync(folderOf(home), other, 0)
    const { stdout, stderr, code } = run(['sessions', '--all'], home)
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
    expect(stderr).toContain('this folder belongs to another user')
  })
})

describe.runIf(process.getuid?.() === 0)('a token that another user has put there', () => {
  it('is not used by an administrator', () => {
    const home = temporaryHome()
    mkdirSync(folderOf(home), { recursive: true })
    const path = join(folderOf(home), 'receive-token')
    writeFileSync(path, 'a-token-of-somebody-else-that-is-long', { mode: 0o600 })
    chownSync(path, 12_345, 0)
    const { stderr, code } = run(['receive', '--port', '0'], home, { timeout: 20_000 })
    expect(code).toBe(2)
    expect(stderr).toContain('receive-token')
  })
})

describe.runIf(process.getuid !== undefined)('a folder to which other users may write', () => {
  it.each([0o777, 0o770, 0o702])('is used by no command, with a way out: mode %o', (mode) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), userLines(1))
    const folder = join(home, 'shared')
    mkdirSync(folder)
    chmodSync(folder, mode)
    const env = { SCROLLBACK_HOME: folder }
    for (const words of [
      ['sessions', '--all'],
      ['search', 'fern'],
      ['tag', uuid(1), 'garden'],
      ['collect', 'file:x', '--history', 'all'],
      ['collect', 'clickhouse://ann@127.0.0.1:1/team?tls=off'],
    ]) {
      const { stdout, stderr, code } = run(words, home, { env })
      expect({ words, stdout, code }).toEqual({ words, stdout: '', code: 1 })
      expect(stderr).toContain('shared is not used: other users may write to this folder.')
      expect(stderr).toContain('chmod go-w')
    }
    expect(readdirSync(folder)).toEqual([])
    chmodSync(folder, 0o755)
    expect(run(['sessions', '--all'], home, { env })).toMatchObject({ code: 0, stderr: '' })
  })
})

it('a stopped writer blocks no query, and the exit code shows that the answer may be incomplete', async () => {
  const home = indexedHome()
  putClaude(home, uuid(2), userLines(2, 'moss'))
  const child = spawn(process.execPath, [holder, `${storeOf(home)}.lock`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  try {
    for (const [args, expected] of [
      [['sessions', 'moss'], 3],
      [['sessions', '--all'], 3],
      [['search', 'moss'], 3],
      [['stats'], 3],
    ] as const) {
      const { stderr, code } = run(args, home, BOUND)
      expect({ args, code }).toEqual({ args, code: expected })
      expect(stderr).toContain('Another process is indexing')
    }
  } finally {
    child.kill('SIGKILL')
  }
})

it('index --watch creates a deleted store again, and continues', async () => {
  const home = indexedHome()
  const path = putClaude(home, uuid(1), userLines(1))
  const child = spawn(process.execPath, [program, 'index', '--watch'], {
    cwd: home,
    env: variablesOf(home),
  })
  const talk = listen(child)
  await talk.until('Watching')
  for (const name of readdirSync(folderOf(home))) rmSync(join(folderOf(home), name))
  append(path, claude.user(2, 'moss 2'))
  await talk.until('was deleted or replaced: rebuilding it')
  await talk.until(' read ')
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  expect(existsSync(storeOf(home))).toBe(true)
  const store = new DatabaseSync(storeOf(home), { readOnly: true })
  expect(store.prepare('SELECT count(*) AS count FROM message').get()).toEqual({ count: 2 })
  store.close()
})

it('a damaged page is detected in ordinary use within a day, even if no query reads it', () => {
  const home = temporaryHome()
  putClaude(
    home,
    uuid(1),
    Array.from({ length: 4000 }, (_, number) =>
      claude.user(number + 1, `fern ${number} ${'leaf '.repeat(40)}`),
    ),
  )
  expect(run(['index'], home).code).toBe(0)
  const whole = readFileSync(storeOf(home))
  const noise = Buffer.alloc(8192, 'no page of any database ')
  const pages = Math.floor(whole.length / 8192)
  // In the middle, which a listing of sessions does not read.
  const damaged = Buffer.from(whole)
  for (let page = Math.floor(pages / 2); page < Math.floor(pages / 2) + 4; page++)
    noise.copy(damaged, page * 8192)
  writeFileSync(storeOf(home), damaged)
  expect(run(['sessions', '--all'], home)).toMatchObject({ stderr: '', code: 0 })
  forgetLastCheck(storeOf(home))
  const { stdout, stderr } = run(['sessions', '--all'], home)
  expect(stderr).toContain('The store was damaged, or written by an early version. It was moved to ')
  expect(stdout).toContain('1 session')
  expect(run(['search', 'fern'], home).stderr).toBe('')
})

/** As if a day had passed. */
function forgetLastCheck(path: string): void {
  const store = new DatabaseSync(path)
  store.exec('UPDATE checked SET at = 0')
  store.close()
}

function listen(child: ChildProcess) {
  let text = ''
  let wake = (): void => {}
  child.stderr!.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    wake()
  })
  return {
    /** Resolves when these words were printed, after those that were awaited before. */
    async until(words: string): Promise<void> {
      while (!text.includes(words)) await new Promise<void>((settle) => (wake = settle))
      text = text.slice(text.indexOf(words) + words.length)
    },
  }
}
