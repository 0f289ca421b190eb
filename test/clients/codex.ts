import { join } from 'node:path'
import { type Client, type Installed, run } from './clients.ts'
import { TOOL_PROMPTS } from './script.ts'

/** Codex without a terminal: one session, which each further prompt resumes. */
export const codex = ({ folder, version }: Installed): Client => ({
  name: 'Codex',
  page: 'docs/formats/codex.md',
  version,
  prompts: TOOL_PROMPTS,
  tasks: [],
  isMarked: false,
  async talk(home, address) {
    const provider = `{ name = "script", base_url = "${address}/v1", wire_api = "responses" }`
    const settings = ['model_provider="script"', `model_providers.script=${provider}`, 'model="gpt-5.5"']
    const options = [
      ...settings.flatMap((setting) => ['-c', setting]),
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
    ]
    for (const [index, { text }] of TOOL_PROMPTS.entries())
      await run(
        join(folder, 'node_modules/.bin/codex'),
        ['exec', ...(index === 0 ? [] : ['resume', '--last']), ...options, text],
        home,
        {},
      )
  },
})
