import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type Client, type Installed, programIn, run, serverOf, settle } from './clients.ts'
import { PROMPTS } from './script.ts'

/** OpenClaw without its gateway, one agent turn after another, and with it where a brief is handed over. */
export const openclaw = ({ folder, version }: Installed): Client => ({
  name: 'OpenClaw',
  page: 'docs/formats/openclaw.md',
  version,
  prompts: PROMPTS,
  tasks: [],
  isMarked: false,
  readsCondensed: true,
  async begins(home, address) {
    configure(home, address, await freePort())
    return {
      to: 'openclaw',
      name: 'openclaw',
      words: [programIn(folder, 'openclaw')],
      variables: {},
      types: [
        { after: 'Understood', keys: '/exit' },
        { after: '/exit', keys: '\r' },
      ],
      beside: { words: [programIn(folder, 'openclaw'), 'gateway', 'run'], ready: '[gateway] ready' },
    }
  },
  async proceed(home, address, session, prompt) {
    configure(home, address)
    // It imports files of older versions into its database.
    const doctor = ['doctor', '--fix', '--non-interactive', '--yes']
    await run(programIn(folder, 'openclaw'), doctor, home, {})
    await prompted(folder, home, prompt, session)
  },
  async talk(home, address) {
    configure(home, address)
    for (const { text } of PROMPTS) await prompted(folder, home, text)
  },
})

const prompted = (folder: string, home: string, text: string, session = 'script-session'): Promise<void> =>
  run(
    programIn(folder, 'openclaw'),
    ['agent', '--local', '--agent', 'main', '--session-id', session, '--message', text, '--json'],
    home,
    {},
  )

function configure(home: string, address: string, port?: number): void {
  const model = {
    id: 'claude-script-1',
    name: 'Script',
    reasoning: false,
    input: ['text'],
    contextWindow: 200_000,
    maxTokens: 8192,
    cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
  }
  const workspace = join(home, '.openclaw/workspace')
  const config = {
    agents: { defaults: { model: { primary: 'script/claude-script-1' }, workspace } },
    models: {
      providers: {
        script: { baseUrl: address, apiKey: 'no-key-at-all', api: 'anthropic-messages', models: [model] },
      },
    },
    mcp: { servers: { scrollback: serverOf(home) } },
    ...(port === undefined
      ? {}
      : {
          gateway: {
            mode: 'local',
            bind: 'loopback',
            port,
            auth: { mode: 'token', token: 'no-token-at-all' },
          },
        }),
  }
  mkdirSync(workspace, { recursive: true })
  settle(home, '.openclaw/openclaw.json', config)
}

/** A port that nothing listens on now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
