import { describe, expect, it } from 'vitest'
import type { Session } from '../../model/session.ts'
import { withoutCopies } from './load-sessions.ts'

const session = (path: string, more: Partial<Session> = {}): Session =>
  ({
    ...{ platform: 'openclaw', root: '/a', agent: 'main', id: 's1', startedMs: 1, state: 'live', path },
    ...{ human: 2, agentMessages: 3, toolCalls: 1 },
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
