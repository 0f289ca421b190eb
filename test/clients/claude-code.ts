import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../program.ts'
import { inTerminal } from '../terminal.ts'
import { type Client, type Installed, run, workIn } from './clients.ts'
import { AGENT_PROMPT, PROMPTS, TASK, TYPED } from './script.ts'

const KEY = 'no-key-at-all'

/**
 * Claude Code in print mode and in a terminal, with its own configuration, and no traffic except to the
 * model.
 */
export const claudeCode = ({ folder, version }: Installed): Client => ({
  name: 'Claude Code',
  page: 'docs/formats/claude-code.md',
  version,
  prompts: [...PROMPTS, AGENT_PROMPT, TYPED],
  tasks: [TASK],
  isMarked: true,
  findsByFolder: true,
  proceed: (home, address, session, prompt) =>
    run(
      join(folder, 'node_modules/.bin/claude'),
      [
        ...(session === undefined ? ['--continue'] : ['--resume', session]),
        '-p',
        prompt,
        '--output-format',
        'json',
      ],
      home,
      variablesFor(address),
    ),
  async talk(home, address) {
    const claude = join(folder, 'node_modules/.bin/claude')
    const variables = variablesFor(address)
    const servers = join(home, 'servers.json')
    const scrollback = { command: process.execPath, args: [program, 'mcp'], env: { HOME: home } }
    writeFileSync(servers, JSON.stringify({ mcpServers: { scrollback } }))
    for (const [index, prompt] of [...PROMPTS, AGENT_PROMPT].entries())
      await run(
        claude,
        [
          ...(index > 0 ? ['--continue'] : []),
          '-p',
          prompt.text,
          '--mcp-config',
          servers,
          '--strict-mcp-config',
          '--allowedTools',
          'Bash,Agent,Task,mcp__scrollback',
          '--output-format',
          'json',
        ],
        home,
        variables,
      )
    await typeInto(claude, home, variables)
  },
})

const variablesFor = (address: string) => ({
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_API_KEY: KEY,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  ENABLE_TOOL_SEARCH: 'false',
})

const SECONDS = 60
const CONTROL_C = '\x03'

/** Types into the client as a person does, after the questions of its first start were answered. */
async function typeInto(claude: string, home: string, variables: NodeJS.ProcessEnv): Promise<void> {
  const work = workIn(home)
  mkdirSync(work, { recursive: true })
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
  const answered = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    projects: { [work]: trusted },
    customApiKeyResponses: { approved: [KEY], rejected: [] },
  }
  writeFileSync(join(home, '.claude.json'), JSON.stringify(answered))
  const { code, text } = await inTerminal(`cd '${work}' && timeout --foreground ${SECONDS} '${claude}'`, {
    cwd: home,
    columns: 120,
    env: { ...variables, LANG: 'C.UTF-8' },
    types: [
      { after: '❯', keys: TYPED.text },
      { after: TYPED.text, keys: '\r' },
      // A command that ends the client is recorded in some sessions only.
      { after: 'Understood', keys: CONTROL_C },
      { after: 'again', keys: CONTROL_C },
    ],
  })
  if (code !== 0) throw new Error(`claude in a terminal ended with ${code}: ${text.slice(-2000)}`)
}
