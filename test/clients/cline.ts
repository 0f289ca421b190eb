import { type Client, type Installed, programIn, run, settle } from './clients.ts'
import { TOOL_PROMPTS } from './script.ts'

/** Cline in print mode, where each prompt begins a session: it resumes one in a terminal alone. */
export const cline = ({ folder, version }: Installed): Client => ({
  name: 'Cline',
  page: 'docs/formats/cline.md',
  version,
  prompts: TOOL_PROMPTS,
  tasks: [],
  isMarked: false,
  async talk(home, address) {
    const settings = {
      provider: 'anthropic',
      apiKey: 'no-key-at-all',
      model: 'claude-script-1',
      baseUrl: address,
    }
    settle(home, '.cline/data/settings/providers.json', {
      version: 1,
      lastUsedProvider: 'anthropic',
      modes: {},
      providers: { anthropic: { settings, updatedAt: new Date().toISOString(), tokenSource: 'manual' } },
    })
    for (const { text } of TOOL_PROMPTS)
      await run(programIn(folder, 'cline'), ['-m', 'claude-script-1', text], home, {})
  },
})
