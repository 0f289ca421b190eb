import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentDatabase } from '../agent-databases.ts'
import { type Json, json, run } from '../program.ts'
import {
  call,
  claude,
  openclaw,
  putClaude,
  putOpenclaw,
  putSessionIndex,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'

const TWIN = uuid(70)
const WRAPPER = uuid(71)
const KEY = 'agent:main:telegram:direct:5550100'

const wrapper = [
  openclaw.header(WRAPPER),
  openclaw.user(1, 'Count the ferns'),
  openclaw.reply(4, [text('Twelve ferns.')]),
]

/** The same turn in the files of Claude Code. */
function putTwin(home: string): void {
  const common = { sessionId: TWIN, entrypoint: 'sdk-cli', cwd: '/home/ann/.openclaw/workspace' }
  putClaude(home, TWIN, [
    claude.user(1, 'Count the ferns', common),
    claude.reply(2, [call('t1', 'Bash', { command: 'wc -l ferns.csv' })], common),
    claude.reply(4, [text('Twelve ferns.')], common),
  ])
}

const rowsOf = (home: string, ...args: string[]): Json[] => json(home, 'sessions', '--all', ...args).sessions

const ENTRIES = [
  ['one name', { claudeCliSessionId: TWIN }],
  ['a map', { cliSessionIds: { 'claude-cli': TWIN, 'codex-cli': 'x' } }],
  ['bindings', { cliSessionBindings: { 'claude-cli': { sessionId: TWIN, authEpoch: 1 } } }],
] as const

describe('a session of OpenClaw that ran through Claude Code', () => {
  it.each(ENTRIES)('is one session in both roots, linked by %s of its session index', (_, entry) => {
    const home = temporaryHome()
    putTwin(home)
    putOpenclaw(home, `${WRAPPER}.jsonl`, wrapper)
    putSessionIndex(home, { [KEY]: { sessionId: WRAPPER, ...entry } })
    const [row, ...others] = rowsOf(home)
    expect(others).toEqual([])
    expect(row).toMatchObject({ id: WRAPPER, toolCalls: 1, usage: { input: 6 } })
    expect(row?.ranThrough).toMatchObject([{ session: TWIN }])
    expect(rowsOf(home, '--platform', 'claude-code').map(({ id }) => id)).toEqual([TWIN])
    const all = run(['read', '--all'], home).stdout
    expect(all.match(/Twelve ferns\./g)).toHaveLength(1)
    const read = run(['read', WRAPPER], home)
    expect(read.stderr).toContain(TWIN)
    expect(run(['read', TWIN], home).stdout).toContain('wc -l ferns.csv')
  })

  it.each([4, 14, 23] as const)(
    'is one session if the session index is a database of schema %i',
    (version) => {
      const home = temporaryHome()
      putTwin(home)
      const made = agentDatabase(join(home, '.openclaw'), version)
      made.session(WRAPPER, wrapper, { key: KEY })
      const entry = JSON.stringify({ cliSessionIds: { 'claude-cli': TWIN } })
      if (version > 4) made.database.prepare('UPDATE session_nodes SET entry_json = ?').run(entry)
      else made.database.prepare('INSERT INTO session_entries VALUES (?, ?, ?, 0)').run(KEY, WRAPPER, entry)
      made.close()
      expect(rowsOf(home)).toMatchObject([{ id: WRAPPER, toolCalls: 1, ranThrough: [{ session: TWIN }] }])
    },
  )

  it('is two sessions if the session index names a missing session', () => {
    const home = temporaryHome()
    putTwin(home)
    putOpenclaw(home, `${WRAPPER}.jsonl`, wrapper)
    putSessionIndex(home, { [KEY]: { sessionId: WRAPPER, claudeCliSessionId: uuid(99), cliSessionIds: [] } })
    expect(rowsOf(home)).toHaveLength(2)
  })
})
