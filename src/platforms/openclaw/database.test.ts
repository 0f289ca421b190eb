import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { databaseNotice } from './database.ts'
import { discover } from './discover.ts'

const CANARY = 'sk-canary-in-the-auth-table'

/** A database with the tables that matter, as an agent's folder holds it. */
function agentFolder(
  table: string,
  rows: number,
  keepOpen = false,
): { folder: string; path: string; close: () => void } {
  const folder = join(mkdtempSync(join(tmpdir(), 'openclaw-database-')), '.openclaw/agents/main/agent')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'openclaw-agent.sqlite')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('CREATE TABLE auth_profile_store (id TEXT, secret TEXT)')
  database.prepare('INSERT INTO auth_profile_store VALUES (?, ?)').run('a', CANARY)
  database.exec(`CREATE TABLE ${table} (session_id TEXT PRIMARY KEY)`)
  for (let row = 0; row < rows; row++) database.prepare(`INSERT INTO ${table} VALUES (?)`).run(`s${row}`)
  if (!keepOpen) database.close()
  return { folder, path, close: () => keepOpen && database.close() }
}

describe('a database of sessions', () => {
  it.each(['session_windows', 'sessions'])('is told with how many stand in %s', (table) => {
    const { folder, path } = agentFolder(table, 3)
    expect(databaseNotice(path)).toEqual({
      platform: 'openclaw',
      path,
      message: '3 sessions are in a database that this version does not read yet',
      sessions: 3,
    })
    expect(readdirSync(folder)).toEqual(['openclaw-agent.sqlite'])
  })

  it('counts rows that only its write-ahead log holds, while the agent runs', () => {
    const { folder, path, close } = agentFolder('session_windows', 1, true)
    expect(databaseNotice(path)).toMatchObject({
      message: '1 session is in a database that this version does not read yet',
      sessions: 1,
    })
    expect(readdirSync(folder).sort()).toEqual([
      'openclaw-agent.sqlite',
      'openclaw-agent.sqlite-shm',
      'openclaw-agent.sqlite-wal',
    ])
    close()
  })

  it('is no news without sessions', () => {
    expect(databaseNotice(agentFolder('session_windows', 0).path)).toBeUndefined()
  })

  it('is told without a number when it cannot be read', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'openclaw-corrupt-')), 'openclaw-agent.sqlite')
    writeFileSync(path, 'this is no database at all, though long enough to look like one\n'.repeat(100))
    const notice = databaseNotice(path)!
    expect(notice.sessions).toBeUndefined()
    expect(notice.message).toContain('cannot be read')
    expect(databaseNotice(agentFolder('other_table', 2).path)).toMatchObject({
      message: expect.stringContaining('no table'),
    })
  })

  it('is found beside the transcripts; what lies about it is not', () => {
    const { folder } = agentFolder('session_windows', 2)
    for (const name of [
      'openclaw-agent.sqlite.memory-reindex-7f',
      'openclaw-agent.sqlite.generation-1',
      'openclaw-agent.sqlite.reindex-lock.sqlite',
    ])
      writeFileSync(join(folder, name), 'no')
    const path = join(folder, '../../..')
    const { artifacts, notices } = discover(
      { platform: 'openclaw', path, reason: 'default', found: true },
      { home: '/', variables: {} },
    )
    expect(artifacts).toEqual([])
    expect(notices.map((notice) => notice.sessions)).toEqual([2])
    expect(JSON.stringify(notices)).not.toContain(CANARY)
  })
})
