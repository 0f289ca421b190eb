import { type Client, type Installed, inOrder, programIn, run, runInTerminal, settle } from './clients.ts'
import { FORKED, TOOL_PROMPTS, TYPED } from './script.ts'

const MODEL = ['--provider', 'script', '--model', 'claude-script-1']
const VARIABLES = { PI_OFFLINE: '1', PI_TELEMETRY: '0' }

/**
 * pi in print mode, where each further prompt resumes the session, then in a fork of it, and in a terminal,
 * where it is compacted. It has no MCP servers.
 */
export const pi = ({ folder, version }: Installed): Client => ({
  name: 'pi',
  page: 'docs/formats/pi.md',
  version,
  prompts: [...TOOL_PROMPTS, FORKED, TYPED],
  tasks: [],
  isMarked: false,
  staysInFolder: true,
  async proceed(home, address, session, prompt) {
    configure(home, address)
    await run(programIn(folder, 'pi'), ['--session', session!, ...MODEL, '-p', prompt], home, VARIABLES)
  },
  begins: () => ({
    to: 'pi',
    name: 'pi',
    words: [programIn(folder, 'pi'), ...MODEL],
    variables: VARIABLES,
    types: [
      { after: 'Understood', keys: '/quit' },
      { after: '/quit', keys: '\r' },
    ],
  }),
  async talk(home, address) {
    const program = programIn(folder, 'pi')
    configure(home, address)
    const say = (text: string, which: readonly string[]): Promise<void> =>
      run(program, [...which, ...MODEL, '-p', text], home, VARIABLES)
    await inOrder(TOOL_PROMPTS, say, ['--session-id', 'script-session'], ['--session', 'script-session'])
    await say(FORKED.text, ['--fork', 'script-session'])
    // It takes no input before its start is over, so it gets the prompt with the command.
    await runInTerminal([program, ...MODEL, TYPED.text], home, VARIABLES, [
      { after: 'Understood', keys: '/compact' },
      { after: '/compact', keys: '\r' },
      { after: /Compacted from/, keys: '/quit' },
      { after: '/quit', keys: '\r' },
    ])
  },
})

function configure(home: string, address: string): void {
  const model = {
    id: 'claude-script-1',
    name: 'Script',
    reasoning: false,
    input: ['text'],
    contextWindow: 200_000,
    maxTokens: 8192,
    cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
  }
  const script = { baseUrl: address, apiKey: 'no-key-at-all', api: 'anthropic-messages', models: [model] }
  settle(home, '.pi/agent/models.json', { providers: { script } })
  // It keeps what was said last, and there is little.
  settle(home, '.pi/agent/settings.json', { compaction: { keepRecentTokens: 1 } })
}
