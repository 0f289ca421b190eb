import { expect, it } from 'vitest'
import { codexThread } from '../../../../test/codex-threads.ts'

it('shows what a person typed to an option of a question without the words of Codex before it', () => {
  const answers = {
    leaf: { answers: ['None of the above', 'user_note: white tea'] },
    cup: { answers: ['Blue'] },
  }
  const { told } = codexThread(
    { source: 'cli' },
    [
      'response_item',
      {
        type: 'function_call',
        name: 'request_user_input',
        arguments: '{"questions":[{"id":"leaf","question":"Which leaf?"}]}',
        call_id: 'c1',
      },
    ],
    ['retained_context', { type: 'verified_answer', call_id: 'c1' }],
    ['response_item', { type: 'function_call_output', call_id: 'c1', output: JSON.stringify({ answers }) }],
  )
  expect(told.filter((line) => /^(?:human|tool:)/.test(line))).toEqual([
    'tool: request_user_input Which leaf?',
    'human (answer): None of the above / white tea / Blue',
  ])
})
