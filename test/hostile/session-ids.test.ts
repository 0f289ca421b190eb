import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import {
  claude,
  openclaw,
  put,
  putClaude,
  putOpenclaw,
  putProgram,
  putSessionIndex,
  temporaryHome,
  uuid,
} from '../records.ts'

/** Ids that no client gives: options, several words, several lines, paths, and hidden characters. */
const IDS = ['--help', '-p', 'a b', 'a\nb', '..', 'a%2fb', 'a\u202eb', 'a\u2028b', '--undo', 'a=b', 'é;ls']

/** Puts a session with this id where the client keeps it. False if the system has no such name. */
type Put = (home: string, id: string) => void

const at = '2026-11-20T10:00:00.000Z'

const PLATFORMS: readonly [name: string, program: string, put: Put][] = [
  ['the name of a file of Claude Code', 'claude', (home, id) => putClaude(home, id, [claude.user(1, 'x')])],
  [
    'a key of OpenClaw',
    'openclaw',
    (home, id) => {
      putOpenclaw(home, 'moss.jsonl', [openclaw.header('moss'), openclaw.user(1, 'x')])
      putSessionIndex(home, { [id]: { sessionId: 'moss' } })
    },
  ],
  [
    'the name of a folder of Copilot CLI',
    'copilot',
    (home, id) =>
      put(join(home, '.copilot/session-state', id, 'events.jsonl'), [
        {
          type: 'session.start',
          data: { sessionId: id, startTime: at },
          id: uuid(1),
          timestamp: at,
          parentId: null,
        },
        { type: 'user.message', data: { content: 'x' }, id: uuid(2), timestamp: at, parentId: uuid(1) },
      ]),
  ],
  [
    'a record of Gemini CLI',
    'gemini',
    (home, id) =>
      put(join(home, '.gemini/tmp/shop/chats/session-2026-11-20T10-00-feed0000.jsonl'), [
        { sessionId: `feed0000${id}`, projectHash: 'shop', startTime: at, lastUpdated: at, kind: 'main' },
        { id: uuid(1), timestamp: at, type: 'user', content: [{ text: 'x' }] },
      ]),
  ],
  [
    'the name of a file of pi',
    'pi',
    (home, id) =>
      put(join(home, `.pi/agent/sessions/--srv-shop--/2026-11-20T10-00-00-000Z_${id}.jsonl`), [
        { type: 'session', version: 3, id, timestamp: at, cwd: '/srv/shop' },
        { type: 'message', id: 'a1', parentId: null, timestamp: at, message: { role: 'user', content: 'x' } },
      ]),
  ],
  [
    'the id of a document of OpenCode',
    'opencode',
    (home, id) => {
      const root = join(home, '.local/share/opencode/storage')
      put(join(root, `session/shop/${id}.json`), [{ id, title: 'x', time: { created: 1, updated: 1 } }])
      put(join(root, `message/${id}/msg_1.json`), [
        { id: 'msg_1', sessionID: id, role: 'user', time: { created: 1 } },
      ])
      put(join(root, 'part/msg_1/prt_1.json'), [
        { id: 'prt_1', messageID: 'msg_1', sessionID: id, type: 'text', text: 'x' },
      ])
    },
  ],
]

describe.each(PLATFORMS)('%s that is no id', (_, program, putSession) => {
  it.each(IDS)('never reaches the client: %j', (id) => {
    const home = temporaryHome()
    try {
      putSession(home, id)
    } catch {
      // No file has this name.
      return
    }
    putProgram(home, program, 'echo "STARTED $*"')
    const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}` }
    const { stdout, code } = run(['resume', 'latest', '--run'], home, { env })
    // What is left of it is one word that is no option of its own.
    if (stdout.includes('STARTED'))
      expect(stdout).toMatch(/^STARTED [^\n]*--(?:session|resume)=[\p{L}\d][^\s\p{C}]*\n$/u)
    else expect(code).not.toBe(0)
  })
})

describe('the id of a session of Claude Code that is no id', () => {
  it.each(IDS.filter((id) => !id.includes('/')))('is neither packed nor handed over: %j', (id) => {
    const home = temporaryHome()
    if (/^\.+$/.test(id)) return
    putClaude(home, id, [claude.user(1, 'Water the moss'), claude.user(2, 'x')])
    const handed = run(['handoff', 'latest'], home)
    expect(handed.stdout).toBe('')
    expect(handed.code).not.toBe(0)
    const packed = run(['pack', '-home-ann-garden', '--out', 'x.pack'], home)
    const other = temporaryHome()
    if (packed.code === 0) {
      const unpacked = run(['unpack', join(home, 'x.pack'), '--yes'], other)
      expect(unpacked.code).not.toBe(0)
      expect(unpacked.stdout).not.toContain('Resume it')
      expect(readdirSync(other)).not.toContain('.claude')
    }
  })

  it('is an argument of every command that is printed, and no flag', () => {
    const home = temporaryHome()
    putClaude(home, '--undo', [claude.user(1, 'Water the moss')])
    const { stdout } = run(['sessions', '--all'], home)
    expect(stdout).toContain('Read one: scrollback read -- --undo')
    expect(run(['read', '--', '--undo'], home).stdout).toContain('Water the moss')
    const { stderr } = run(['resume', 'latest'], home)
    expect(stderr).toContain('Claude Code gives no session such an id')
    expect(stderr).toContain('scrollback read -- --undo')
  })

  it('is shown in one line', () => {
    const home = temporaryHome()
    putClaude(home, 'a\nb', [claude.user(1, 'Water the moss', { cwd: '/srv/a\nFORGED' })])
    for (const args of [['projects'], ['sessions', '--all'], ['resume', 'latest'], []]) {
      const { stdout, stderr } = run(args, home)
      expect(`${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('FORGED'))).toEqual([])
    }
  })
})
