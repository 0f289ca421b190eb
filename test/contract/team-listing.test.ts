import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import type { StorePart } from '../../src/store/team.ts'
import { claude, put, temporaryHome, uuid } from '../records.ts'
import { emptyServer, hasServer } from './engines.ts'
import { sendAs, team } from './team.ts'

const DAY = 86_400_000

describe.runIf(hasServer)('a list of some sessions of a team store', () => {
  it('is read for a machine, a person, some ids or a time, without the others', () => {
    const server = emptyServer()
    const folder = join(temporaryHome(), 'claude')
    const file = (...path: string[]) => join(folder, 'projects/-home-ann-garden', ...path)
    const at = (days: number) => ({ timestamp: new Date(Date.UTC(2026, 0, 1) + days * DAY).toISOString() })
    const fill = (device: string, person: string): void => sendAs(device, person, folder, server)
    put(file(`${uuid(1)}.jsonl`), [claude.user(1, 'Water the fern', at(0))])
    put(file(uuid(1), 'subagents/agent-a1.jsonl'), [
      claude.user(2, 'Fetch water', { ...at(0), sessionId: uuid(1), isSidechain: true, agentId: 'a1' }),
    ])
    fill('oak', 'ann')
    put(file(`${uuid(3)}.jsonl`), [claude.user(31, 'Sweep the path', { ...at(30), sessionId: uuid(3) })])
    fill('oak-2', 'joanna')
    const store = openClickHouseStore({ ...server, device: 'pine' })
    const listed = (part: StorePart): string[] => {
      const { known, sessions } = store.listing(part)
      const files = sessions().map(({ session }) => `${session.device} ${session.title}`)
      expect([...known().keys()].filter((path) => path.endsWith('.jsonl'))).toHaveLength(files.length)
      return files.sort()
    }
    const oak = ['oak Fetch water', 'oak Water the fern']
    const other = ['oak-2 Fetch water', 'oak-2 Sweep the path', 'oak-2 Water the fern']
    expect(listed({})).toEqual([...oak, ...other].sort())
    expect(listed({ device: 'OAK' })).toEqual(oak)
    expect(listed({ device: 'ak' })).toEqual([...oak, ...other].sort())
    expect(listed({ person: 'ann' })).toEqual(oak)
    expect(listed({ person: 'joan' })).toEqual(other)
    expect(listed({ ids: [uuid(1).slice(0, 18)] })).toHaveLength(5)
    expect(listed({ ids: [uuid(3)] })).toEqual(['oak-2 Sweep the path'])
    expect(listed({ ids: ['a1'] })).toEqual(['oak Fetch water', 'oak-2 Fetch water'])
    expect(listed({ ids: [uuid(9)] })).toEqual([])
    expect(listed({ sinceMs: Date.UTC(2026, 0, 30) })).toEqual(['oak-2 Sweep the path'])
    expect(listed({ person: 'ann', sinceMs: Date.UTC(2026, 0, 30) })).toEqual([])
    store.close()
  }, 600_000)

  it('is enough for commands that name a machine, a person or a session', () => {
    const { ask } = team()
    const scanned = (...words: string[]): string[] =>
      JSON.parse(ask(...words, '--json').stdout)
        .scanned.map(({ root }: { root: string }) => root.slice(0, 4))
        .sort()
    expect(scanned('sessions', '--all')).toEqual(['elm:', 'oak:'])
    expect(scanned('sessions', 'person:bob')).toEqual(['elm:'])
    expect(scanned('sessions', '--all', '--since', '2000-01-01')).toEqual(['elm:', 'oak:'])
    // What there is instead is said of the whole store.
    expect(ask('sessions', 'person:eve').stderr).toMatch(
      /Searched 5 sessions in:\n {2}. (?:oak|elm):.*\n {2}. (?:oak|elm):/,
    )
    expect(ask('session', 'abcdef0123').stderr).toContain('Searched 5 sessions in:')
    expect(ask('session', uuid(3)).stdout).toContain('Sweep the path')
    expect(ask('read', uuid(3)).stdout).toContain('Sweep the path')
    expect(ask('read', `${uuid(3)}:1`).stdout).toContain('Sweep the path')
    expect(ask('read', 'person:bob:latest').stdout).not.toContain('Water the fern')
  }, 600_000)
})
