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
