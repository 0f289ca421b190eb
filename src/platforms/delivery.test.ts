import { expect, it } from 'vitest'
import { platformOf } from './index.ts'

const facts = (platform: string, entry: object, kind: 'transcript' | 'cron-runs' | 'session-index') =>
  platformOf(platform).delivery.record(entry as Record<string, unknown>, { kind })

it('a record of Claude Code is identified by its uuid, and a request by its id', () => {
  const request = { type: 'api-request', id: 'r1', timestamp: '2026-11-01T10:00:00.000Z' }
  expect(facts('claude-code', { type: 'user', uuid: 'u1', id: 'other' }, 'transcript').id).toBe('u1')
  expect(facts('claude-code', request, 'transcript')).toEqual({
    id: 'api-request r1 2026-11-01T10:00:00.000Z',
    at: Date.parse('2026-11-01T10:00:00.000Z'),
    type: 'api-request',
  })
  expect(facts('claude-code', { type: 'mode', id: 'm1' }, 'transcript').id).toBeUndefined()
})

it('the run of a subagent of OpenClaw is of its own session, or of the one that started it', () => {
  const sessions = { 'agent:main:direct:ann': 's1', 'agent:main:subagent:helper': 's2' }
  const sessionOf = (entry: object): string | undefined =>
    platformOf('openclaw').delivery.record(entry as Record<string, unknown>, {
      kind: 'subagent-runs',
      sessions,
    }).session
  const run = (child: string) => ({
    childSessionKey: `agent:main:subagent:${child}`,
    requesterSessionKey: 'agent:main:direct:ann',
  })
  expect(sessionOf(run('helper'))).toBe('s2')
  expect(sessionOf(run('gone'))).toBe('s1')
  expect(sessionOf({ ...run('gone'), completionRequesterSessionId: 's3' })).toBe('s3')
  expect(sessionOf({ table: 'subagent_runs', id: 'r1', payload: run('gone') })).toBe('s1')
  const task = { table: 'task_runs', id: 'r1', child: 'agent:main:subagent:gone', task: 'Water the ferns' }
  expect(sessionOf({ ...task, parent: 'agent:main:direct:ann' })).toBe('s1')
  expect(sessionOf(task)).toBeUndefined()
})

it('a record of OpenClaw is identified by its id in transcripts only', () => {
  const entry = {
    type: 'message',
    id: 'a1',
    message: { timestamp: 1_790_000_000_000 },
    sessionKey: 'x:run:s1',
  }
  expect(facts('openclaw', entry, 'transcript')).toEqual({
    id: 'message a1 undefined',
    at: 1_790_000_000_000,
    session: 's1',
    type: 'message',
  })
  expect(facts('openclaw', entry, 'cron-runs').id).toBeUndefined()
  expect(facts('openclaw', entry, 'session-index').id).toBeUndefined()
})
