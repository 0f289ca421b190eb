import { expect, it } from 'vitest'
import { spawns } from './spawns.ts'

const result = (toolUseResult: unknown, content: unknown = 'Twelve.', more: object = {}) => ({
  type: 'user',
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content, ...more }],
  },
  ...(toolUseResult !== undefined && { toolUseResult }),
})
const ended = (status: string) => [{ callId: 'toolu_1', status }]

it('a call in the foreground says that its subagent has ended', () => {
  const started = { callId: 'toolu_1', child: 'a1' }
  expect(spawns(result({ status: 'completed', agentId: 'a1' }))).toEqual([started, ...ended('ok')])
  expect(spawns(result({ status: 'async_launched', agentId: 'a1' }))).toEqual([started])
})

it('so does one of a version that named no subagent, or no state', () => {
  expect(spawns(result({ status: 'completed', content: [] }))).toEqual(ended('ok'))
  expect(spawns(result({ content: [], totalToolUseCount: 2 }))).toEqual(ended('ok'))
})

it('in a subagent, only the words of a report say that another one has ended', () => {
  const text = (words: string) => [{ type: 'text', text: words }]
  expect(spawns(result(undefined, text('[Subagent hand-back] The report follows:')))).toEqual(ended('ok'))
  expect(spawns(result(undefined, text('Fork started.')))).toEqual([])
})

it('a call that failed ended its subagent', () => {
  expect(spawns(result('Error: no such agent', 'no such agent', { is_error: true }))).toEqual(ended('error'))
})
