import { expect, it } from 'vitest'
import { commands } from '../../src/commands/index.ts'
import { endpoints } from '../../src/surfaces/http/page/protocol.ts'

/** Commands that start something, write files, or change the machine, or show what the page has elsewhere. */
const WITHOUT_ENDPOINT = {
  statusline: 'one line of another program, from its standard input',
  follow: 'the page has events',
  forget: 'deletes',
  collect: 'delivers; the page shows the state of destinations',
  receive: 'a server',
  store: 'writes stores',
  serve: 'the page itself',
  mcp: 'a server',
  setup: 'changes the settings of other programs',
  index: 'every answer indexes what is new first',
}

it('every command has an endpoint, or a reason to have none', () => {
  const missing = Object.keys(commands).filter((name) => !endpoints.has(name))
  expect(missing.sort()).toEqual(Object.keys(WITHOUT_ENDPOINT).sort())
})
