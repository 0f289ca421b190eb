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

/** OpenCode, or a program that is OpenCode under another name: its command and its folder of settings. */
interface Build {
  name: string
  page: string
  command: string
  settings: string
  variables: Record<string, string>
  /** Whether it is also compacted in a terminal. */
  inTerminal: boolean
}

/**
 * Such a program without a terminal, where each further prompt resumes the session, then in a fork of it, and in
 * a terminal, where it is compacted.
 */
const clientOf =
  ({ name, page, command, settings, variables, inTerminal }: Build) =>
  ({ folder, version }: Installed): Client => ({
    name,
    page,
    version,
    prompts: [...PROMPTS, FORKED, ...(inTerminal ? [TYPED] : [])],
    tasks: [],
    isMarked: false,
    ...(inTerminal && {
      begins: () => ({
        to: command,
        name: command,
        words: [programIn(folder, command), '-m', MODEL],
        variables,
        types: [
          { after: 'Understood', keys: '/exit' },
          { after: '/exit', keys: '\r' },
        ],
      }),
    }),
    async talk(home, address) {
      const program = programIn(folder, command)
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
      const { command: node, args, env: environment } = serverOf(home)
      const scrollback = { type: 'local', command: [node, ...args], environment }
      settle(home, settings, {
        ...{ autoupdate: false, share: 'disabled', model: MODEL, small_model: MODEL, lsp: false },
        ...{ provider: { script }, mcp: { scrollback } },
      })
      const say = (text: string, which: readonly string[]): Promise<void> =>
        run(program, ['run', '--auto', '-m', MODEL, ...which, text], home, variables)
      await inOrder(PROMPTS, say, [], ['--continue'])
      await say(FORKED.text, ['--continue', '--fork'])
      if (!inTerminal) return
      await runInTerminal([program, '-m', MODEL, '--prompt', TYPED.text], home, variables, [
        { after: 'Understood', keys: '/compact' },
        { after: '/compact', keys: '\r' },
        { after: SUMMARY, keys: '/exit' },
        { after: '/exit', keys: '\r' },
      ])
    },
  })

export const opencode = clientOf({
  name: 'OpenCode',
  page: 'docs/formats/opencode.md',
  command: 'opencode',
  settings: '.config/opencode/opencode.json',
  variables: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
  inTerminal: true,
})

export const kiloCode = clientOf({
  name: 'Kilo Code',
  page: 'docs/formats/kilo-code.md',
  command: 'kilo',
  settings: '.config/kilo/kilo.json',
  variables: { KILO_DISABLE_MODELS_FETCH: '1', KILO_DISABLE_AUTOUPDATE: '1' },
  inTerminal: false,
})
