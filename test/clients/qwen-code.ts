import { type Client, type Installed, inOrder, programIn, run, settle } from './clients.ts'
import { newestIn } from './newest.ts'
import { FORKED, TOOL_PROMPTS } from './script.ts'

/** Qwen Code in print mode, where each further prompt resumes the session, then in a fork of it. */
export const qwenCode = ({ folder, version }: Installed): Client => ({
  name: 'Qwen Code',
  page: 'docs/formats/qwen-code.md',
  version,
  prompts: [...TOOL_PROMPTS, FORKED],
  tasks: [],
  isMarked: false,
  writesAreInput: true,
  staysInFolder: true,
  proceed: (home, address, session, prompt) => {
    settle(home, '.qwen/settings.json', SETTINGS)
    return run(
      programIn(folder, 'qwen'),
      [...OPTIONS, '--resume', session!, '-p', prompt],
      home,
      variablesFor(address),
    )
  },
  async talk(home, address) {
    const program = programIn(folder, 'qwen')
    settle(home, '.qwen/settings.json', SETTINGS)
    const say = (text: string, which: readonly string[]): Promise<void> =>
      run(program, [...OPTIONS, ...which, '-p', text], home, variablesFor(address))
    await inOrder(TOOL_PROMPTS, say, [], ['--continue'])
    const session = newestIn(home, '.qwen/projects', /^[\da-f-]{36}\.jsonl$/).slice(0, -'.jsonl'.length)
    await say(FORKED.text, ['--resume', session, '--fork-session'])
  },
})

const SETTINGS = {
  security: { auth: { selectedType: 'anthropic' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  // It would ask the model for what to remember, without its tools.
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
}

const OPTIONS = ['--approval-mode', 'yolo', '--auth-type', 'anthropic', '-m', 'claude-script-1']

const variablesFor = (address: string) => ({
  ANTHROPIC_API_KEY: 'no-key-at-all',
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_MODEL: 'claude-script-1',
})
