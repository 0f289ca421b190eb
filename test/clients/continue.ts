import { type Client, type Installed, inOrder, programIn, run, settle } from './clients.ts'
import { newestIn } from './newest.ts'
import { FORKED, TOOL_PROMPTS } from './script.ts'

const OPTIONS = ['--auto', '-p']

/** Continue in print mode, where each further prompt resumes the session, then in a fork of it. */
export const continueCli = ({ folder, version }: Installed): Client => ({
  name: 'Continue CLI',
  page: 'docs/formats/continue.md',
  version,
  prompts: [...TOOL_PROMPTS, FORKED],
  tasks: [],
  isMarked: false,
  failsSilently: true,
  async talk(home, address) {
    const program = programIn(folder, 'cn')
    settle(
      home,
      '.continue/config.yaml',
      `name: Script
version: 1.0.0
schema: v1
models:
  - name: Script
    provider: anthropic
    model: claude-script-1
    apiBase: ${address}/v1/
    apiKey: no-key-at-all
    roles: [chat]
    defaultCompletionOptions: { contextLength: 200000, maxTokens: 8000 }
`,
    )
    const variables = { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0' }
    const say = (text: string, which: readonly string[]): Promise<void> =>
      run(program, [...OPTIONS, ...which, text], home, variables)
    await inOrder(TOOL_PROMPTS, say, [], ['--resume'])
    const session = newestIn(home, '.continue/sessions', /^[\da-f-]{36}\.json$/).slice(0, -'.json'.length)
    await say(FORKED.text, ['--fork', session])
  },
})
