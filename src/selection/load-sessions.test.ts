import { describe, expect, it } from 'vitest'
import type { Session } from '../model/session.ts'
import { identities } from '../platforms/identities.ts'
import { withoutCopies } from './load-sessions.ts'

const session = (path: string, more: Partial<Session> = {}): Session =>
  ({
    ...{ platform: 'openclaw', root: '/a', agent: 'main', id: 's1', startedMs: 1, state: 'live', path },
    ...{ human: 2, agentMessages: 3, toolCalls: 1, otherIds: [], modifiedMs: 1 },
    ...more,
  }) as Session
const pathsOf = (...sessions: Session[]) => withoutCopies(sessions).map(({ path }) => path)

describe('a session that was found several times', () => {
  it('is listed where it is in use, not where it was archived', () => {
    expect(pathsOf(session('file', { state: 'archived' }), session('database'))).toEqual(['database'])
    expect(pathsOf(session('database'), session('file', { state: 'archived' }))).toEqual(['database'])
  })

  it('is listed where most of its messages are', () => {
    expect(pathsOf(session('file', { state: 'archived', human: 5 }), session('database'))).toEqual(['file'])
  })

  it('is listed once if a rename left a part of it in another state directory', () => {
    expect(pathsOf(session('left', { root: '/b', human: 1 }), session('here'))).toEqual(['here'])
  })

  it('is listed once on every platform, where it is newest if all of it is in several places', () => {
    // An agent of OpenClaw has several sessions of one id.
    for (const { id: platform } of identities.filter(({ manyAgents }) => !manyAgents)) {
      const one = (path: string, more: Partial<Session> = {}) =>
        session(path, { platform, agent: platform, ...more })
      expect(pathsOf(one('old'), one('new', { modifiedMs: 2 }))).toEqual(['new'])
      expect(pathsOf(one('late', { lastActivityMs: 9 }), one('touched', { modifiedMs: 2 }))).toEqual(['late'])
      expect(pathsOf(one('live'), one('old', { state: 'archived', modifiedMs: 2 }))).toEqual(['live'])
      expect(pathsOf(one('here'), one('gone', { goneMs: 5, modifiedMs: 2 }))).toEqual(['here'])
      expect(pathsOf(one('part', { modifiedMs: 2 }), one('whole', { human: 3 }))).toEqual(['whole'])
      expect(
        pathsOf(one('short', { otherIds: ['s1-long'] }), one('other', { otherIds: ['s1-else'] })),
      ).toHaveLength(2)
      expect(pathsOf(one('mine', { device: 'a' }), one('yours', { device: 'b' }))).toHaveLength(2)
      const nested = { kind: 'subagent' as const }
      const siblings = ['p1', 'p2', 'p1'].map((parentSessionId, index) =>
        one(String(index), { ...nested, parentSessionId }),
      )
      expect(pathsOf(...siblings)).toHaveLength(2)
    }
  })

  it('is not confused with another one of the same name', () => {
    const others = [
      session('b', { startedMs: 2 }),
      session('d', { agent: 'ops' }),
      session('e', { platform: 'claude-code' }),
      session('f', { startedMs: undefined }),
    ]
    expect(pathsOf(session('a'), ...others)).toHaveLength(5)
  })
})
