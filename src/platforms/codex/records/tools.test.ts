import { expect, it } from 'vitest'
import { codex } from '../index.ts'

it.each([
  [
    'by an event',
    { item: { type: 'SubAgentActivity', kind: 'completed', agent_thread_id: 't1' } },
    { t1: 'ok' },
  ],
  [
    'by the result of waiting',
    {
      type: 'function_call_output',
      call_id: 'w',
      output:
        '{"status":{"t1":{"completed":"Six."},"t2":{"errored":"rain"},"t3":"running"},"timed_out":false}',
    },
    { t1: 'ok', t2: 'error', t3: 'running' },
  ],
  [
    'by a notice',
    {
      type: 'message',
      role: 'user',
      content: [
        {
          type: 'input_text',
          text: '<subagent_notification>\n{"agent_path":"t1","status":{"completed":"Six."}}\n</subagent_notification>',
        },
      ],
    },
    { t1: 'ok' },
  ],
])('a session is told how its subagents ended %s', (_, payload, ends) => {
  const { spawns, spawnWords } = codex.subagents!
  expect(spawnWords.some((word) => JSON.stringify({ payload }).includes(word))).toBe(true)
  expect(spawns({ payload })).toEqual(Object.entries(ends).map(([child, status]) => ({ child, status })))
})
