import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTerminal } from '../terminal.ts'
import { type Client, type Installed, run, workIn } from './clients.ts'
import { TOOL_PROMPTS, TYPED } from './script.ts'

const SECONDS = 60

/** Gemini CLI in print mode, where each further prompt resumes the session, then in a terminal. */
export const geminiCli = ({ folder, version }: Installed): Client => ({
  name: 'Gemini CLI',
  page: 'docs/formats/gemini-cli.md',
  version,
  prompts: [...TOOL_PROMPTS, TYPED],
  tasks: [],
  isMarked: false,
  async talk(home, address) {
    const program = join(folder, 'node_modules/.bin/gemini')
    mkdirSync(join(home, '.gemini'), { recursive: true })
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: {
        disableAutoUpdate: true,
        enableAutoUpdate: false,
        // At its start it sometimes deletes the session that was resumed just before.
        sessionRetention: { enabled: false },
      },
      privacy: { usageStatisticsEnabled: false },
    }
    writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings))
    const variables = { GEMINI_API_KEY: 'no-key-at-all', GOOGLE_GEMINI_BASE_URL: address }
    const options = ['--model', 'gemini-2.5-pro', '--yolo', '--skip-trust']
    for (const [index, { text }] of TOOL_PROMPTS.entries())
      await run(
        program,
        [...options, ...(index === 0 ? [] : ['--resume', 'latest']), '-p', text],
        home,
        variables,
      )
    const { code, text } = await inTerminal(
      `cd '${workIn(home)}' && timeout --foreground --kill-after=5 ${SECONDS} '${program}' ${options.join(' ')} -i '${TYPED.text}'`,
      {
        cwd: home,
        columns: 120,
        env: { ...variables, LANG: 'C.UTF-8' },
        types: [
          { after: /Understood/, keys: '/quit' },
          // Before its commands are loaded, it would send the line to the model.
          { after: /Exit the cli/i, keys: '\r' },
        ],
      },
    )
    if (code !== 0) throw new Error(`Gemini CLI in a terminal ended with ${code}: ${text.slice(-2000)}`)
  },
})
