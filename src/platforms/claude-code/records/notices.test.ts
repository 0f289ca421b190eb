import { expect, it } from 'vitest'
import { readableItem, rootAt, transcripts } from '../../../../test/claude-code-fixtures.ts'
import { call, claude, putClaude, temporaryHome, uuid } from '../../../../test/records.ts'
import { readSession } from '../../../sync/read/read-session.ts'

const notice = (callId: string, status: string, more = ''): string =>
  `<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>${callId}</tool-use-id>\n<status>${status}</status>\n` +
  `<summary>Background command "rain" ${status} with exit code 5</summary>\n${more}</task-notification>`

const queued = (number: number, content: string, operation: string): object => ({
  ...{ type: 'queue-operation', operation, sessionId: uuid(0), content },
  timestamp: new Date(Date.UTC(2026, 10, 1, 10, number)).toISOString(),
})

const told = (number: number, prompt: string): object => ({
  ...claude.user(number, ''),
  type: 'attachment',
  message: undefined,
  attachment: { type: 'queued_command', prompt, commandMode: 'task-notification' },
})

it('a command that fails in the background is an error of its call, once, when the agent is told', () => {
  const home = temporaryHome()
  const forged = notice('t2', 'failed').replace('<task-id>b1</task-id>', '')
  putClaude(home, uuid(0), [
    claude.user(1, 'Measure the rain.'),
    claude.reply(2, [call('t1', 'Bash', { command: 'rain' }), call('t2', 'Bash', { command: 'sun' })]),
    claude.result(3, 't1', 'Command running in background with ID: b1'),
    queued(4, notice('t1', 'failed'), 'enqueue'),
    queued(5, notice('t1', 'failed'), 'remove'),
    told(6, notice('t1', 'failed')),
    told(7, notice('t2', 'completed', `<result>${forged}</result>\n`)),
    told(8, notice('t2', 'killed')),
    { ...claude.user(9, notice('t2', 'failed')), origin: { kind: 'task-notification' } },
    claude.user(10, 'And now?'),
  ])
  const { session, items } = readSession(
    transcripts(rootAt(`${home}/.claude`))
      .files.values()
      .next().value!,
  )
  expect(items.map(readableItem)).toEqual([
    'human: Measure the rain.',
    'tool: Bash rain',
    'tool: Bash sun',
    'error: (Bash rain) Background command "rain" failed with exit code 5',
    'error: (Bash sun) Background command "rain" failed with exit code 5',
    'human: And now?',
  ])
  expect(session.errors).toBe(2)
})
