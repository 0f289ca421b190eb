import { describe, expect, it } from 'vitest'
import { openclawSession, ranIn, session } from '../../test/sessions.ts'
import type { Session } from '../model/session.ts'
import { groupByProject } from './group.ts'

/** Projects as in a listing, with the ids of their sessions. */
const listed = (sessions: readonly Session[]) =>
  groupByProject(sessions).map(
    ({ name, by, sessions: own }) =>
      `${name} (${by}): ${own
        .map(({ id }) => id)
        .sort()
        .join(' ')}`,
  )

describe('grouping sessions by project', () => {
  it('joins sessions of one directory, of both platforms', () => {
    expect(
      listed([
        ranIn('/home/ann/garden', { id: 'c1' }),
        ranIn('/home/ann/garden', { id: 'c2' }),
        openclawSession({ id: 'o1', touched: [['/home/ann/garden/pond.ts', 2]] }),
        ranIn('/home/ann/shed', { id: 's1' }),
      ]),
    ).toEqual(['garden (cwd): c1 c2 o1', 'shed (cwd): s1'])
  })

  it('includes a session that names no directory but has the same slug', () => {
    expect(
      listed([
        ranIn('/home/ann/my_garden', { id: 'c1' }),
        session({ id: 'bare', slug: '-home-ann-my-garden' }),
      ]),
    ).toEqual(['my_garden (cwd): bare c1'])
  })

  it('names a project by its slug if no session knows the directory', () => {
    expect(listed([session({ id: 'bare', slug: '-home-ann-my-garden' })])).toEqual([
      '-home-ann-my-garden (slug): bare',
    ])
  })

  it('includes worktrees', () => {
    expect(
      listed([
        ranIn('/home/ann/garden', { id: 'c1' }),
        ranIn('/home/ann/garden/.claude/worktrees/fern', { id: 'w1' }),
        ranIn('/tmp/elsewhere', { id: 'w2', origins: ['/home/ann/garden'] }),
      ]),
    ).toEqual(['garden (cwd): c1 w1 w2'])
  })

  it('includes subagents, wherever they worked', () => {
    expect(
      listed([
        openclawSession({ id: 'boss', touched: [['/home/ann/garden/pond.ts', 2]] }),
        openclawSession({ id: 'agent-1', kind: 'subagent', parentSessionId: 'boss' }),
        openclawSession({ id: 'agent-2', kind: 'subagent', parentSessionId: 'gone' }),
      ]),
    ).toEqual(['garden (touched): agent-1 boss', 'openclaw:main (none): agent-2'])
  })

  it('names projects by as much of their paths as makes them unique', () => {
    const names = groupByProject([
      ranIn('/home/ann/a/api'),
      ranIn('/home/ann/b/api'),
      ranIn('/home/ben/b/api'),
      ranIn('/home/ann/web'),
    ]).map(({ name }) => name)
    expect(names.sort()).toEqual(['a/api', 'ann/b/api', 'ben/b/api', 'web'])
    expect(new Set(names).size).toBe(names.length)
  })

  it('lists sessions without a directory per agent', () => {
    expect(
      listed([
        openclawSession({ id: '1' }),
        openclawSession({ id: '2', agent: 'ops' }),
        session({ id: '3' }),
      ]),
    ).toEqual(['openclaw:main (none): 1', 'openclaw:ops (none): 2', 'claude-code:claude (none): 3'])
  })

  it('orders projects by their last activity, with their time range', () => {
    const at = (day: number) => Date.UTC(2026, 10, day)
    const projects = groupByProject([
      ranIn('/home/ann/shed', { startedMs: at(1), lastActivityMs: at(2) }),
      ranIn('/home/ann/garden', { startedMs: at(3), lastActivityMs: at(4) }),
      ranIn('/home/ann/shed', { startedMs: at(1), lastActivityMs: at(9) }),
    ])
    expect(projects.map(({ name, startedMs, lastActivityMs }) => [name, startedMs, lastActivityMs])).toEqual([
      ['shed', at(1), at(9)],
      ['garden', at(3), at(4)],
    ])
  })

  it('puts every session into exactly one project', () => {
    const loop = session({ id: 'loop', parentSessionId: 'loop' })
    const all = [
      loop,
      ranIn('/home/ann/a'),
      session({ id: 'x', parentSessionId: 'y' }),
      session({ id: 'y', parentSessionId: 'x' }),
    ]
    const grouped = groupByProject(all).flatMap((project) => project.sessions)
    expect(new Set(grouped)).toEqual(new Set(all))
    expect(grouped.length).toBe(all.length)
  })
})
