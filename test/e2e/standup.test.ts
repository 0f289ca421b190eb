import { join } from 'node:path'
import { expect, it } from 'vitest'
import { json, run } from '../program.ts'
import { claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'

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

it('costs what the statistics say, also where a copy of a session has everything that it says', () => {
  const home = temporaryHome()
  const spoken = [
    claude.user(1, 'Plant the moss', { cwd: '/srv/garden' }),
    claude.reply(2, [text('It is planted.')]),
  ]
  putClaude(home, uuid(1), spoken)
  putClaude(home, uuid(2), [...spoken, claude.user(3, 'And the fern?', { cwd: '/srv/garden' })])
  const { projects } = json(home, 'standup', '--since', '2026-10-01', '--until', '2026-12-31')
  const { totals } = json(home, 'stats')
  expect(totals.cost).toBeGreaterThan(0)
  expect(projects.map(({ cost }: { cost: number }) => cost)).toEqual([totals.cost])
})

it('of a day leaves out what a fork that began on it has copied from the day before', () => {
  const home = temporaryHome()
  const message = (id: string, parentId: string | null, timestamp: string, words: string) => ({
    ...{ type: 'message', id, parentId, timestamp },
    message: { role: 'user', content: [{ type: 'text', text: words }], timestamp: Date.parse(timestamp) },
  })
  const session = (id: string, timestamp: string, more: object = {}) => ({
    ...{ type: 'session', version: 3, id, timestamp, cwd: '/srv/garden' },
    ...more,
  })
  const folder = join(home, '.pi/agent/sessions/--srv-garden--')
  const older = message('a1', null, '2026-11-02T10:00:00.000Z', 'Plant the moss in the garden')
  const original = put(join(folder, `2026-11-02T10-00-00-000Z_${uuid(1)}.jsonl`), [
    session(uuid(1), '2026-11-02T10:00:00.000Z'),
    older,
  ])
  put(join(folder, `2026-11-03T10-00-00-000Z_${uuid(2)}.jsonl`), [
    session(uuid(2), '2026-11-03T10:00:00.000Z', { parentSession: original }),
    older,
    message('b1', 'a1', '2026-11-03T10:01:00.000Z', 'Water the fern in the garden'),
  ])
  const { projects } = json(home, 'standup', '--since', '2026-11-03', '--until', '2026-11-03')
  expect(projects.flatMap(({ wanted }: { wanted: string[] }) => wanted)).toEqual([
    'Water the fern in the garden',
  ])
})
