import { statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readableItem } from '../../test/claude-code-fixtures.ts'
import { codexThread } from '../../test/codex-threads.ts'
import { append } from '../../test/records.ts'
import { createFollower } from './follow.ts'

it('shows a call once, although a later record says what it did', () => {
  const call = { type: 'function_call', name: 'exec_command', call_id: 'c1', arguments: '{"cmd":"./rake"}' }
  const { artifact } = codexThread({ cwd: '/home/ann/shed' }, ['response_item', call])
  const follower = createFollower({ baseOf: () => undefined, isStored: () => false })
  const shown = () =>
    follower.read({ ...artifact, bytes: statSync(artifact.path).size }).items.map(readableItem)
  expect(shown()).toEqual(['tool: exec_command ./rake'])
  const changes = { '/home/ann/shed/a.txt': { type: 'add', content: 'rake\n' } }
  const item = { type: 'FileChange', id: 'c1', status: 'completed', changes }
  append(
    artifact.path,
    { timestamp: '2026-11-01T10:00:01.000Z', type: 'event_msg', payload: { type: 'item_completed', item } },
    {
      timestamp: '2026-11-01T10:00:02.000Z',
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
    },
  )
  expect(shown()).toEqual(['agent: Done.'])
})
