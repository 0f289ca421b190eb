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
import { FORKED, PROMPTS, SUMMARY, TYPED } from './script.ts'

const MODEL = 'script/claude-script-1'
const VARIABLES = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }

/**
 * OpenCode without a terminal, where each further prompt resumes the session, then in a fork of it, and in a
 * terminal, where it is compacted.
 */
export const opencode = ({ folder, version }: Installed): Client => ({
  name: 'OpenCode',
  page: 'docs/formats/opencode.md',
  version,
  prompts: [...PROMPTS, FORKED, TYPED],
  tasks: [],
  isMarked: false,
  begins: () => ({
    to: 'opencode',
    name: 'opencode',
    words: [programIn(folder, 'opencode'), '-m', MODEL],
    variables: VARIABLES,
    types: [
      { after: 'Understood', keys: '/exit' },
      { after: '/exit', keys: '\r' },
    ],
  }),
  async talk(home, address) {
    const program = programIn(folder, 'opencode')
    const model = {
      name: 'Script',
      tool_call: true,
      limit: { context: 200_000, output: 8000 },
      cost: { input: 1, output: 1, cache_read: 1, cache_write: 1 },
    }
    const script = {
      npm: '@ai-sdk/anthropic',
      options: { baseURL: `${address}/v1`, apiKey: 'no-key-at-all' },
      models: { 'claude-script-1': model },
    }
    const { command, args, env: environment } = serverOf(home)
    const scrollback = { type: 'local', command: [command, ...args], environment }
    settle(home, '.config/opencode/opencode.json', {
      ...{ autoupdate: false, share: 'disabled', model: MODEL, small_model: MODEL, lsp: false },
      ...{ provider: { script }, mcp: { scrollback } },
    })
    const say = (text: string, which: readonly string[]): Promise<void> =>
      run(program, ['run', '--auto', '-m', MODEL, ...which, text], home, VARIABLES)
    await inOrder(PROMPTS, say, [], ['--continue'])
    await say(FORKED.text, ['--continue', '--fork'])
    await runInTerminal([program, '-m', MODEL, '--prompt', TYPED.text], home, VARIABLES, [
      { after: 'Understood', keys: '/compact' },
      { after: '/compact', keys: '\r' },
      { after: SUMMARY, keys: '/exit' },
      { after: '/exit', keys: '\r' },
    ])
  },
})
