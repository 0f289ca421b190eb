import { expect, it } from 'vitest'
import { teamStore } from './team-store.ts'

it.each([
  ['cron', 'only their sessions', 'scrollback sessions --all --kind cron --store …'],
  ['changes', 'only the names of the files', 'scrollback read <session>'],
  ['doctor', 'only works on this machine', 'With --store: overview'],
])('says why %s does not answer from a team store, and what does', async (command, because, instead) => {
  await expect(teamStore(command, { store: 'clickhouse://ann@localhost/web' }, {})).rejects.toMatchObject({
    code: 'bad-option',
    message: expect.stringContaining(because),
    wayOut: expect.stringContaining(instead),
  })
})
