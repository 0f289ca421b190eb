import { expect, it } from 'vitest'
import { type Json, json, run } from '../program.ts'
import { temporaryHome } from '../records.ts'

it('a session is of the same project in the list and where it is read', () => {
  const home = temporaryHome()
  const { sessions } = json(home, 'sessions', '--all', '--demo')
  const named = sessions.filter(({ project, empty }: Json) => project !== null && !empty)
  expect(new Set(named.map(({ project }: Json) => project)).size).toBeGreaterThan(3)
  for (const { id, project } of named) {
    const { stdout } = run(['read', id, '--demo', '--last', '1'], home)
    expect([id, stdout.split('\n')[1]!.trim().split(' · ')[0]]).toEqual([id, project])
  }
})
