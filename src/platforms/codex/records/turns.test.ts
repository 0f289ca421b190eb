import { expect, it } from 'vitest'
import { codexThread, type ThreadRecord } from '../../../../test/codex-threads.ts'

const started = (turn_trigger: string | null, parent_turn_id: string | null = null): ThreadRecord => [
  'event_msg',
  { type: 'task_started', turn_id: 't1', turn_attribution: { turn_trigger, parent_turn_id } },
]
const aborted: ThreadRecord = ['event_msg', { type: 'turn_aborted', turn_id: 't1', reason: 'interrupted' }]

it('an aborted turn is an interruption by a person, unless a program started it or what it goes on from', () => {
  const goal = started('goal', 't0')
  expect(codexThread({ source: 'cli' }, started('user'), goal, aborted).told).toEqual([
    'marker: · interruption',
  ])
  const { told, session } = codexThread({ source: 'exec' }, started('exec'), goal, aborted)
  expect(told).toEqual(['marker: · note the turn was aborted'])
  expect(session.kind).not.toBe('human')
})

it('what the client tells the model in the form of a result is none', () => {
  const result = { type: 'function_call_output', name: 'goal_objective', output: 'Make the tea perfect' }
  const metadata = { additional_context_tool_output: true }
  const { told } = codexThread(
    { source: 'exec' },
    ['response_item', { type: 'function_call', name: 'create_goal', call_id: 'c1', arguments: '{}' }],
    ['response_item', { ...result, call_id: 'c1', output: 'Created.' }, { metadata }],
    ['response_item', result, { metadata }],
  )
  expect(told).toEqual(['tool: create_goal', 'tool (output): create_goal'])
})

const header = (kind: string, name: string, sender: string): string =>
  `Message Type: ${kind}\nTask name: ${name}\nSender: ${sender}\nPayload:\n`

it.each([
  ['Count the cups.', 'Count the cups.'],
  ['gAAAAABcupscups', '/root/cups'],
])('a task is shown without its header, or by its name if it is encrypted: %s', (task, shown) => {
  const { told, session } = codexThread(
    { source: { subagent: { thread_spawn: { agent_path: '/root/cups' } } }, thread_source: 'subagent' },
    [
      'response_item',
      {
        ...{ type: 'agent_message', author: '/root', recipient: '/root/cups' },
        content: [
          { type: 'input_text', text: header('NEW_TASK', '/root/cups', '/root') },
          { type: 'encrypted_content', encrypted_content: task },
        ],
      },
    ],
    [
      'response_item',
      {
        ...{ type: 'agent_message', author: '/root/cups/lids', recipient: '/root' },
        content: [
          { type: 'input_text', text: `${header('FINAL_ANSWER', '/root', '/root/cups/lids')}Two lids.` },
        ],
      },
    ],
  )
  expect(told).toEqual([`program (parent agent): ${shown}`, 'program (subagent): Two lids.'])
  expect(session).toMatchObject({ firstProgram: shown, subagent: { description: 'cups' } })
})

it('an event is known by its whole name, and not by how it ends', () => {
  const happened = (type: string): ThreadRecord => ['event_msg', { type }]
  const names = ['exec_command_begin', 'plan_delta', 'tea_begin', 'pot_delta', 'pot_end', 'plan']
  const { accounting } = codexThread({ source: 'cli' }, ...names.map(happened)).session
  expect(accounting.unknown).toEqual({ tea_begin: 1, pot_delta: 1, pot_end: 1, plan: 1 })
})
