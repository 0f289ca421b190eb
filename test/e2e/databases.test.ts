import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { type AgentDatabase, agentDatabase } from '../agent-databases.ts'
import { type Json, json, run } from '../program.ts'
import { openclaw, putOpenclaw, temporaryHome } from '../records.ts'
import { bringUpToDate, contentOfAll, faultsOf, freshIndex, secondConnection } from '../store-audit.ts'

const holder = resolve(import.meta.dirname, '../database-holder.ts')
const DATABASE = '~/.openclaw/agents/main/agent/openclaw-agent.sqlite'

const talk = (id: string, word: string, count = 3) => [
  openclaw.header(id),
  ...Array.from({ length: count }, (_, number) => openclaw.user(first(word) + number, `${word} ${number}`)),
]
/** Records of different sessions have different ids. */
const first = (word: string): number => 1 + 1000 * (word.charCodeAt(0) - 97)

const ask = (args: readonly string[], home: string, options = {}) => {
  const { stdout, stderr, code } = run(args, home, options)
  return { stdout, stderr: stderr.replaceAll(home, '~'), code }
}
const found = (word: string, home: string): number => json(home, 'search', word).total
const gone = (home: string): number => run(['sessions', '--all'], home).stdout.split('gone').length - 1

/** A home with a session in a database and another in a file next to it. */
function homeWith(change?: (made: AgentDatabase) => void): {
  home: string
  made: AgentDatabase
  folder: string
} {
  const home = temporaryHome()
  putOpenclaw(home, 'fern.jsonl', talk('fern', 'fern'))
  const made = agentDatabase(join(home, '.openclaw'), 23)
  made.session('moss', talk('moss', 'moss'))
  change?.(made)
  return { home, made, folder: dirname(made.path) }
}

/** The same, closed. */
function restingHome(): { home: string; path: string; folder: string } {
  const { home, made, folder } = homeWith()
  made.close()
  return { home, path: made.path, folder }
}

describe('a database that its agent has open', () => {
  it('is read including its write-ahead log, and no new file is left behind', () => {
    const { home, made, folder } = homeWith()
    expect(readFileSync(made.path, 'latin1')).not.toContain('moss 2')
    expect(ask(['index'], home)).toMatchObject({ stderr: '', code: 0 })
    expect(found('moss', home)).toBe(3)
    made.append('moss', [openclaw.user(4, 'moss 3')])
    expect(found('moss', home)).toBe(4)
    made.close()
    expect(readdirSync(folder)).toEqual(['openclaw-agent.sqlite'])
    for (const args of [
      ['index'],
      ['sessions', '--all'],
      ['read', '--all'],
      ['search', 'moss'],
      ['doctor', '--deep'],
    ])
      expect(ask(args, home)).toMatchObject({ stderr: '', code: 0 })
    expect(readdirSync(folder)).toEqual(['openclaw-agent.sqlite'])
  })

  it('is read including its write-ahead log after the agent was killed', () => {
    const { home, made } = homeWith()
    const other = temporaryHome()
    const copy = join(other, '.openclaw/agents/main/agent/openclaw-agent.sqlite')
    mkdirSync(dirname(copy), { recursive: true })
    for (const part of ['', '-wal']) copyFileSync(made.path + part, copy + part)
    made.close()
    expect(found('moss', other)).toBe(3)
    expect(found('moss', home)).toBe(3)
  })

  it('is read while another process writes to it', () => {
    const { home, made } = homeWith()
    made.database.exec('BEGIN EXCLUSIVE')
    made.append('moss', [openclaw.user(4, 'moss 3')])
    expect(ask(['index'], home)).toMatchObject({ stderr: '', code: 0 })
    expect(found('moss', home)).toBe(3)
    made.database.exec('COMMIT')
    expect(found('moss', home)).toBe(4)
    made.close()
  })
})

it('a session of a database is read by its id or by its listed path, and with all others by the path of the database', () => {
  const { home, made } = homeWith((each) => {
    each.session('basil', talk('basil', 'basil'), { key: 'agent:main:basil' })
  })
  made.close()
  const textsOf = (...names: string[]): string[] =>
    json(home, 'read', ...names).items.map(({ text }: Json) => text)
  const moss = ['moss 0', 'moss 1', 'moss 2']
  expect(textsOf('moss')).toEqual(moss)
  expect(textsOf(`${made.path}#moss`)).toEqual(moss)
  expect(textsOf(made.path)).toEqual(['basil 0', 'basil 1', 'basil 2', ...moss])
  expect(textsOf(made.path, 'fern')).toHaveLength(9)
})

it.each(['WAL', 'DELETE'])(
  'a database that is locked for a long time is reported with a way out; its stored content remains, and everything else is read: %s',
  async (mode) => {
    const { home, path, folder } = restingHome()
    const database = new DatabaseSync(path)
    database.exec(`PRAGMA journal_mode = ${mode}`)
    database.close()
    expect(ask(['index'], home)).toMatchObject({ stderr: '', code: 0 })
    const child = spawn(process.execPath, [holder, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await once(child.stdout!, 'data')
      putOpenclaw(home, 'basil.jsonl', talk('basil', 'basil'))
      const { stdout, stderr, code } = ask(['sessions', '--all'], home)
      expect({ stderr, code }).toEqual({
        stderr: `${DATABASE}: a database of sessions that cannot be read (another program has locked it for more than five seconds). Run the command again when that program has finished.\n`,
        code: 3,
      })
      expect(stdout).not.toContain('gone')
      expect(found('basil OR moss', home)).toBe(6)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    expect(ask(['index'], home)).toMatchObject({ stderr: '', code: 0 })
    expect(found('moss', home)).toBe(3)
    expect(readdirSync(folder)).toContain('openclaw-agent.sqlite')
  },
)

describe('an unreadable database', () => {
  const spoil: Record<string, [(path: string) => void, string]> = {
    'not a database': [
      (path) => writeFileSync(path, 'no database at all, though long enough to look like one\n'.repeat(200)),
      'cannot be read (it is not a database). Restore the file, or move it away.',
    ],
    'cut off': [
      (path) => truncateSync(path, 6000),
      'cannot be read (it is damaged). What was read before is still stored. The program it belongs to may be able to repair it.',
    ],
    empty: [
      (path) => truncateSync(path, 0),
      'without known session tables. If OpenClaw has not created them yet, start it once',
    ],
    foreign: [
      (path) => {
        truncateSync(path, 0)
        const database = new DatabaseSync(path)
        database.exec('CREATE TABLE sessions (id INTEGER); CREATE TABLE words (word TEXT)')
        database.close()
      },
      'without known session tables',
    ],
    'half migrated': [
      (path) => {
        const database = new DatabaseSync(path)
        database.exec('PRAGMA foreign_keys = OFF; DROP TABLE session_nodes')
        database.close()
      },
      'without known session tables',
    ],
    'without a column': [
      (path) => {
        const database = new DatabaseSync(path)
        database.exec('ALTER TABLE session_nodes DROP COLUMN label')
        database.close()
      },
      'cannot be read (no such column: n.label). What was read before is still stored.',
    ],
  }

  it.each(Object.entries(spoil))(
    'is reported with path, reason and a way out: %s',
    (_, [change, message]) => {
      const { home, path, folder } = restingHome()
      expect(ask(['index'], home)).toMatchObject({ stderr: '', code: 0 })
      change(path)
      putOpenclaw(home, 'basil.jsonl', talk('basil', 'basil'))
      for (const args of [
        ['sessions', '--all'],
        ['search', 'basil'],
        ['sessions', '--all', '--no-redact'],
      ]) {
        const { stderr, code } = ask(args, home)
        expect({ stderr, code }).toEqual({
          stderr: expect.stringContaining(`${DATABASE}: a database `),
          code: 3,
        })
        expect(stderr).toContain(message)
      }
      expect(ask(['doctor'], home)).toMatchObject({
        stdout: expect.stringContaining(message.slice(0, 20)),
        code: 3,
      })
      // Its stored content is still shown, and is not marked as gone.
      expect(found('moss', home)).toBe(3)
      expect(found('basil', home)).toBe(3)
      expect(gone(home)).toBe(0)
      expect(readdirSync(folder)).toEqual(['openclaw-agent.sqlite'])
    },
  )

  it('is reported if pages in the middle are damaged, and the other sessions are read', () => {
    const { home, made } = homeWith((each) => {
      each.session('long', talk('long', `thyme ${'and rosemary '.repeat(30)}`, 400), {
        key: 'agent:main:long',
      })
    })
    made.close()
    const bytes = readFileSync(made.path)
    const offset = bytes.indexOf('rosemary', bytes.length / 2) - 2000
    writeFileSync(made.path, bytes.fill(0xff, offset - (offset % 4096), offset - (offset % 4096) + 4096))
    const { stderr, code } = ask(['index'], home)
    expect({ stderr, code }).toEqual({
      stderr: `${DATABASE}#long cannot be read from its database: it is damaged. What was read before is still stored. The program it belongs to may be able to repair it.\n`,
      code: 3,
    })
    expect(found('moss', home)).toBe(3)
    expect(found('fern', home)).toBe(3)
  })

  it('is reported if a cold file is missing', () => {
    const { home, made } = homeWith((each) => each.freeze('moss', 'file'))
    made.close()
    const cold = join(home, '.openclaw/agents/main/sessions/cold')
    for (const name of readdirSync(cold)) truncateSync(join(cold, name), 0)
    expect(ask(['index'], home)).toMatchObject({
      stderr: expect.stringContaining(`${DATABASE}#moss `),
      code: 3,
    })
    for (const name of readdirSync(cold)) writeFileSync(join(cold, name), 'no frame')
    expect(ask(['index'], home)).toMatchObject({
      stderr: `${DATABASE}#moss cannot be unpacked: all or a part of it is not compressed\n`,
      code: 3,
    })
  })
})

/** A user for whom permissions matter even if root runs the tests. */
const NOBODY = 65_534
const asRoot = process.getuid?.() === 0
const user = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
const reachable = ask(['--version'], realpathSync(tmpdir()), user).code === 0

describe.skipIf(!reachable)(
  'a database without read permission (skipped where the checkout is closed to other users)',
  () => {
    it('is reported, and the files next to it are read', () => {
      const { home, path } = restingHome()
      if (asRoot)
        for (const each of ['', ...(readdirSync(home, { recursive: true }) as string[])])
          chownSync(join(home, each), NOBODY, NOBODY)
      chmodSync(path, 0o000)
      expect(ask(['sessions', '--all'], home, user)).toMatchObject({
        stdout: expect.stringContaining('fern'),
        stderr: `${DATABASE}: a database of sessions that cannot be read (it cannot be opened). Check that you may read the file and its folder.\n`,
        code: 3,
      })
    })
  },
)

it('a file next to a database is not treated as a database of sessions', () => {
  const { home, path, folder } = restingHome()
  for (const ending of [
    '.memory-reindex-0a1b2c3d',
    '.generation-7',
    '.reindex-lock.sqlite',
    '.bak',
    '.bak.1',
  ]) {
    copyFileSync(path, path + ending)
    const database = new DatabaseSync(path + ending)
    database.exec(`UPDATE transcript_events SET event_json = replace(event_json, 'moss', 'weed')`)
    database.close()
  }
  copyFileSync(path, join(folder, 'other.sqlite'))
  expect(ask(['index'], home)).toMatchObject({ stderr: '', code: 0 })
  expect(found('moss', home)).toBe(3)
  expect(found('weed', home)).toBe(0)
})

const writer = resolve(import.meta.dirname, '../database-writer.ts')
const ROUNDS = 400

it.each([1, 2])(
  'a database that another process writes to all the time loses and duplicates nothing, however often it is read meanwhile: %i',
  async (seed) => {
    const home = temporaryHome()
    const state = join(home, '.openclaw')
    const child = spawn(process.execPath, [writer, state, String(ROUNDS), String(seed)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout!.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    await once(child.stdout!, 'data')
    const environment: Environment = {
      home: '/nowhere',
      variables: {},
      dirs: { 'claude-code': [], openclaw: [state] },
    }
    const { store } = openSqliteStore(join(home, 'store.sqlite'), 0)
    let refreshes = 0
    const ended = once(child, 'close')
    while (child.exitCode === null) {
      bringUpToDate(store, environment)
      refreshes++
      // Lets the event arrive that the other has ended.
      await new Promise(setImmediate)
    }
    expect(await ended).toEqual([0, null])
    expect(refreshes).toBeGreaterThan(3)
    expect(bringUpToDate(store, environment)).toMatchObject({ faults: [], notices: [] })
    const counts: Record<string, number> = JSON.parse(output.slice('begun\n'.length))
    const messages = Object.fromEntries(
      store.sessions().map(({ session }) => [session.id, store.messages(session.path).length]),
    )
    expect(messages).toEqual(counts)
    const fresh = freshIndex(environment, join(home, 'fresh.sqlite'))
    expect(contentOfAll(store, fresh)).toEqual(contentOfAll(fresh))
    const database = secondConnection(store)
    expect(faultsOf(database)).toEqual({})
    for (const each of [database, store, fresh]) each.close()
  },
)
