import { type Client, type Installed, inOrder, programIn, run, serverOf, settle } from './clients.ts'
import { newestIn } from './newest.ts'
import { FORKED, PROMPTS } from './script.ts'

/** Kimi Code in print mode, where each further prompt resumes the session, then in a fork of it. */
export const kimiCode = ({ folder, version }: Installed): Client => ({
  name: 'Kimi Code',
  page: 'docs/formats/kimi-code.md',
  version,
  prompts: [...PROMPTS, FORKED],
  tasks: [],
  isMarked: false,
  staysInFolder: true,
  proceed(home, address, session, prompt) {
    configure(home, address)
    return run(programIn(folder, 'kimi'), ['--session', session!, '-p', prompt], home, {})
  },
  async talk(home, address) {
    const program = programIn(folder, 'kimi')
    configure(home, address)
    settle(home, '.kimi-code/mcp.json', { mcpServers: { scrollback: serverOf(home) } })
    const say = (text: string, which: readonly string[]): Promise<void> =>
      run(program, [...which, '-p', text], home, {})
    await inOrder(PROMPTS, say, [], ['--continue'])
    const session = newestIn(home, '.kimi-code/sessions', /^session_[\w-]+$/)
    await run(program, ['fork', session], home, {})
    const fork = newestIn(home, '.kimi-code/sessions', /^session_[\w-]+$/, session)
    await say(FORKED.text, ['--session', fork])
  },
})

const configure = (home: string, address: string): void =>
  settle(
    home,
    '.kimi-code/config.toml',
    `default_model = "script"
telemetry = false
[providers.script]
type = "anthropic"
base_url = "${address}"
api_key = "no-key-at-all"
[models.script]
provider = "script"
model = "claude-script-1"
max_context_size = 200000
`,
  )
