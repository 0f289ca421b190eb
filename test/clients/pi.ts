import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTerminal } from '../terminal.ts'
import { type Client, type Installed, run, workIn } from './clients.ts'
import { FORKED, TOOL_PROMPTS, TYPED } from './script.ts'

const MODEL = ['--provider', 'script', '--model', 'claude-script-1']
const SECONDS = 60

/** pi in print mode, where each further prompt resumes the session, then in a fork of it, and in a terminal. */
export const pi = ({ folder, version }: Installed): Client => ({
  name: 'pi',
  page: 'docs/formats/pi.md',
  version,
  prompts: [...TOOL_PROMPTS, FORKED, TYPED],
  tasks: [],
  isMarked: false,
  async talk(home, address) {
    const program = join(folder, 'node_modules/.bin/pi')
    const settings = join(home, '.pi/agent')
    mkdirSync(settings, { recursive: true })
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
    writeFileSync(join(settings, 'models.json'), JSON.stringify({ providers: { script } }))
    const variables = { PI_OFFLINE: '1', PI_TELEMETRY: '0' }
    const say = (text: string, ...options: string[]): Promise<void> =>
      run(program, [...options, ...MODEL, '-p', text], home, variables)
    for (const [index, { text }] of TOOL_PROMPTS.entries())
      await say(text, ...(index === 0 ? ['--session-id', 'script-session'] : ['--session', 'script-session']))
    await say(FORKED.text, '--fork', 'script-session')
    // It takes no input before its start is over, so it gets the prompt with the command.
    const { code, text } = await inTerminal(
      `cd '${workIn(home)}' && timeout --foreground ${SECONDS} '${program}' ${MODEL.join(' ')} '${TYPED.text}'`,
      {
        cwd: home,
        columns: 120,
        env: { ...variables, LANG: 'C.UTF-8' },
        types: [
          { after: 'Understood', keys: '/quit' },
          { after: '/quit', keys: '\r' },
        ],
      },
    )
    if (code !== 0) throw new Error(`pi in a terminal ended with ${code}: ${text.slice(-2000)}`)
  },
})
