import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Typed } from '../terminal.ts'
import {
  type Client,
  type Installed,
  inOrder,
  programIn,
  run,
  runInTerminal,
  serverOf,
  settle,
} from './clients.ts'
import { FORKED, PROMPTS, TYPED } from './script.ts'

const SESSION = '5c819700-0000-4000-8000-000000000001'

/**
 * Copilot CLI in print mode, where each further prompt resumes the session, then in a terminal: the session is
 * forked, and another one compacted.
 */
export const copilot = ({ folder, version }: Installed): Client => ({
  name: 'Copilot CLI',
  page: 'docs/formats/copilot.md',
  version,
  prompts: [...PROMPTS, FORKED, TYPED],
  tasks: [],
  isMarked: false,
  proceed: (home, address, session, prompt) =>
    run(
      programIn(folder, 'copilot'),
      [...OPTIONS, `--resume=${session}`, '-p', prompt],
      home,
      variablesFor(address),
    ),
  begins: (_home, address) => ({
    to: 'copilot',
    name: 'copilot',
    words: [programIn(folder, 'copilot'), ...OPTIONS],
    variables: variablesFor(address),
    types: [TRUSTED, { after: /Understood/, keys: '/exit' }, { after: '/exit', keys: '\r' }],
  }),
  async talk(home, address) {
    const program = programIn(folder, 'copilot')
    const variables = variablesFor(address)
    const scrollback = { type: 'local', tools: ['*'], ...serverOf(home) }
    settle(home, '.copilot/mcp-config.json', { mcpServers: { scrollback } })
    const say = (text: string, which: readonly string[]): Promise<void> =>
      run(program, [...OPTIONS, ...which, '-p', text], home, variables)
    await inOrder(PROMPTS, say, ['--session-id', SESSION], [`--resume=${SESSION}`])
    // After a fork it does not end when it is told to.
    await runInTerminal(
      [program, ...OPTIONS, `--resume=${SESSION}`],
      home,
      variables,
      [TRUSTED, { after: CONNECTED, keys: '/fork' }, { after: '/fork', keys: '\r' }],
      30,
    )
    const fork = readdirSync(join(home, '.copilot/session-state')).find(
      (id) => /^\w{8}-/.test(id) && id !== SESSION,
    )
    await say(FORKED.text, [`--resume=${fork}`])
    await runInTerminal([program, ...OPTIONS, '-i', TYPED.text], home, variables, [
      TRUSTED,
      { after: CONNECTED, keys: '/compact' },
      { after: '/compact', keys: '\r' },
      { after: /ompact(?:ed|ion)/, keys: '/exit' },
      { after: '/exit', keys: '\r' },
    ])
  },
})

const CONNECTED = /servers? connected/
// It paints over its lines while it works, so texts arrive in pieces.
const TRUSTED: Typed = { after: 'to navigate', keys: '\r' }
const OPTIONS = ['--allow-all-tools', '--no-auto-update', '--disable-builtin-mcps', '--no-color']

const variablesFor = (address: string) => ({
  COPILOT_OFFLINE: 'true',
  COPILOT_PROVIDER_BASE_URL: address,
  COPILOT_PROVIDER_TYPE: 'anthropic',
  COPILOT_PROVIDER_API_KEY: 'no-key-at-all',
  COPILOT_MODEL: 'claude-sonnet-4.5',
})
