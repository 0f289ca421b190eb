import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startFollowing } from '../follow/following.ts'
import { json, run } from '../program.ts'
import { append, claude, put, putClaude, temporaryHome, uuid } from '../records.ts'

/** No system assigns such a high process id. */
const NOBODY = 2 ** 31 - 2

function homeWithClients(): { home: string; path: string } {
  const home = temporaryHome()
  const path = putClaude(home, uuid(1), [claude.user(1, 'Water the moss')])
  putClaude(home, uuid(2), [claude.user(2, 'Cut the moss')])
  putClaude(home, uuid(3), [claude.user(3, 'Sell the moss')])
  const client = (name: string | number, held: object | string) =>
    put(
      join(home, '.claude/sessions', `${name}.json`),
      typeof held === 'string' ? held : JSON.stringify({ cwd: '/home/ann/garden', startedAt: 1, ...held }),
    )
  client(process.pid, { pid: process.pid, sessionId: uuid(1) })
  client(NOBODY, { pid: NOBODY, sessionId: uuid(2) })
  client(process.ppid, 'no JSON')
  client('notes', { pid: process.pid, sessionId: uuid(3) })
  put(join(home, '.claude/sessions', `${process.pid}.0a1b.key`), 'never read')
  return { home, path }
}

describe('a session that a running client has open', () => {
  it('is marked in sessions, as text and JSON, and no other is', () => {
    const { home } = homeWithClients()
    const rows: object[] = json(home, 'sessions', '--all').sessions
    expect(rows.flatMap((row) => ('open' in row ? [row] : []))).toMatchObject([{ id: uuid(1), open: true }])
    const { stdout } = run(['sessions', '--all'], home)
    expect(stdout).toMatch(/NOW/)
    expect(stdout.match(/ open /g)).toHaveLength(1)
  })

  it('is in the overview', () => {
    const { home } = homeWithClients()
    expect(run([], home).stdout).toContain('Open now     0a1b2c3d garden: Water the moss\n')
    expect(json(home).open).toEqual([{ id: uuid(1), title: 'Water the moss', project: 'garden' }])
  })

  it('is marked as open by follow', async () => {
    const { home, path } = homeWithClients()
    const screen = await startFollowing(home, [])
    append(path, claude.user(4, 'And the fern'))
    await screen.until(() => screen.stdout().includes('And the fern'))
    expect(screen.stdout()).toContain('━━ garden · Claude Code · 0a1b2c3d · open · Water the moss\n')
    await screen.stop()
  })
})
