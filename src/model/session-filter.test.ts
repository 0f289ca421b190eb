import { expect, it } from 'vitest'
import { type SessionFacts, selecting } from './session-filter.ts'

const session = (facts: Partial<SessionFacts>): SessionFacts =>
  ({ session: 'a1', agent: 'main', platform: 'openclaw', ...facts }) as SessionFacts

it('a platform is known by the beginning of its name, and not by any part of it', () => {
  const all = ['pi', 'copilot', 'claude-code'].map((platform) =>
    session({ platform: platform as SessionFacts['platform'] }),
  )
  const found = (platform: string): string[] =>
    all.filter(selecting({ platform: [platform] }, all)).map((each) => each.platform)
  expect([found('pi'), found('Claude'), found('code')]).toEqual([['pi'], ['claude-code'], []])
})

it.each(['project', 'model', 'device', 'person'] as const)(
  'a whole name of a %s narrows to itself, and a part finds all that contain it',
  (name) => {
    const all = ['ann', 'joanne', 'hannah'].map((value) => session({ [name]: value }))
    const found = (wanted: string): unknown[] =>
      all.filter(selecting({ [name]: [wanted] }, all)).map((each) => each[name])
    expect([found('Ann'), found('an')]).toEqual([['ann'], ['ann', 'joanne', 'hannah']])
  },
)
