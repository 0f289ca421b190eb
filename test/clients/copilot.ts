import { join } from 'node:path'
import { inTerminal } from '../terminal.ts'
import { type Client, type Installed, run, workIn } from './clients.ts'
import { TOOL_PROMPTS, TYPED } from './script.ts'

const SESSION = '5c819700-0000-4000-8000-000000000001'
const SECONDS = 60

/** Copilot CLI in print mode, where each further prompt resumes the session, then in a terminal. */
export const copilot = ({ folder, version }: Installed): Client => ({
  name: 'Copilot CLI',
  page: 'docs/formats/copilot.md',
  version,
  prompts: [...TOOL_PROMPTS, TYPED],
  tasks: [],
  isMarked: false,
  async talk(home, address) {
    const program = join(folder, 'node_modules/.bin/copilot')
    const variables = {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: address,
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_PROVIDER_API_KEY: 'no-key-at-all',
      COPILOT_MODEL: 'claude-sonnet-4.5',
    }
    const options = ['--allow-all-tools', '--no-auto-update', '--disable-builtin-mcps', '--no-color']
    for (const [index, { text }] of TOOL_PROMPTS.entries())
      await run(
        program,
        [...options, ...(index === 0 ? ['--session-id', SESSION] : [`--resume=${SESSION}`]), '-p', text],
        home,
        variables,
      )
    const { code, text } = await inTerminal(
      `cd '${workIn(home)}' && timeout --foreground ${SECONDS} '${program}' ${options.join(' ')} -i '${TYPED.text}'`,
      {
        cwd: home,
        columns: 120,
        env: { ...variables, LANG: 'C.UTF-8' },
        types: [
          // It paints over its lines while it works, so replies arrive in pieces.
          { after: 'to navigate', keys: '\r' },
          { after: 'servers connected', keys: '/exit' },
          { after: '/exit', keys: '\r' },
        ],
      },
    )
    if (code !== 0) throw new Error(`Copilot CLI in a terminal ended with ${code}: ${text.slice(-2000)}`)
  },
})
