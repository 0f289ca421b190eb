import { expect, it } from 'vitest'
import { json, run } from '../program.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'

const WHOLE_DAY = ['--since', '2026-11-20', '--until', '2026-11-20']

/** A prompt before midnight, and its reply after it, by a model. */
function home(model: string): string {
  const folder = temporaryHome()
  const reply = claude.reply(2, [text('The fence is green.')], { timestamp: '2026-11-21T00:00:05.000Z' })
  const usage = { input_tokens: 119_980, output_tokens: 0 }
  putClaude(folder, uuid(1), [
    claude.user(1, 'Paint the fence in green', { timestamp: '2026-11-20T23:59:50.000Z' }),
    { ...reply, message: { ...reply.message, model, usage } },
  ])
  return folder
}

it('the standup of a time in which nothing was used yet costs nothing, whatever the price of the model is', () => {
  const { projects } = json(home('claude-sonnet-4-5'), 'standup', ...WHOLE_DAY)
  expect(projects).toMatchObject([{ wanted: ['Paint the fence in green'], cost: 0 }])
  expect(run(['standup', ...WHOLE_DAY], home('claude-sonnet-4-5')).stdout).toContain('Cost: $0.00, 1 session')
})

it('the standup states costs to a millionth of a dollar, and says if a model that was used has no price', () => {
  const both = ['--since', '2026-11-20', '--until', '2026-11-21']
  expect(json(home('claude-sonnet-4-5'), 'standup', ...both).projects).toMatchObject([{ cost: 0.35994 }])
  expect(json(home('moss-1'), 'standup', ...both).projects).toMatchObject([{ cost: null }])
})
