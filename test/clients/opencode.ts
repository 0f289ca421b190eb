import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTerminal } from '../terminal.ts'
import { type Client, type Installed, run, workIn } from './clients.ts'
import { FORKED, SUMMARY, TOOL_PROMPTS, TYPED } from './script.ts'

const MODEL = 'script/claude-script-1'
const SECONDS = 60

/**
 * OpenCode without a terminal, where each further prompt resumes the session, then in a fork of it, and in a
 * terminal, where it is compacted.
 */
export const opencode = ({ folder, version }: Installed): Client => ({
  name: 'OpenCode',
  page: 'docs/formats/opencode.md',
  version,
  prompts: [...TOOL_PROMPTS, FORKED, TYPED],
  tasks: [],
  isMarked: false,
  async talk(home, address) {
    const program = join(folder, 'node_modules/.bin/opencode')
    const settings = join(home, '.config/opencode')
    mkdirSync(settings, { recursive: true })
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
    const config = { autoupdate: false, share: 'disabled', model: MODEL, small_model: MODEL, lsp: false }
    writeFileSync(join(settings, 'opencode.json'), JSON.stringify({ ...config, provider: { script } }))
    const variables = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }
    const say = (text: string, ...options: string[]): Promise<void> =>
      run(program, ['run', '--auto', '-m', MODEL, ...options, text], home, variables)
    for (const [index, { text }] of TOOL_PROMPTS.entries())
      await say(text, ...(index === 0 ? [] : ['--continue']))
    await say(FORKED.text, '--continue', '--fork')
    const { code, text } = await inTerminal(
      `cd '${workIn(home)}' && timeout --foreground ${SECONDS} '${program}' -m ${MODEL} --prompt '${TYPED.text}'`,
      {
        cwd: home,
        columns: 120,
        env: { ...variables, LANG: 'C.UTF-8' },
        types: [
          { after: 'Understood', keys: '/compact' },
          { after: '/compact', keys: '\r' },
          { after: SUMMARY, keys: '/exit' },
          { after: '/exit', keys: '\r' },
        ],
      },
    )
    if (code !== 0) throw new Error(`OpenCode in a terminal ended with ${code}: ${text.slice(-2000)}`)
  },
})
