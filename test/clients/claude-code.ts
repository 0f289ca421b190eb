import { join } from 'node:path'
import {
  type Client,
  type Installed,
  programIn,
  run,
  runInTerminal,
  serverOf,
  settle,
  workIn,
} from './clients.ts'
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
  readsCondensed: true,
  proceed: (home, address, session, prompt) =>
    run(
      programIn(folder, 'claude'),
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
  begins: (_home, address) => ({
    to: 'claude',
    name: 'claude',
    words: [programIn(folder, 'claude')],
    variables: variablesFor(address),
    types: [
      { after: 'Understood', keys: CONTROL_C },
      { after: 'again', keys: CONTROL_C },
    ],
  }),
  async talk(home, address) {
    const claude = programIn(folder, 'claude')
    const variables = variablesFor(address)
    const servers = join(home, 'servers.json')
    settle(home, 'servers.json', { mcpServers: { scrollback: serverOf(home) } })
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

const CONTROL_C = '\x03'

/** Types into the client as a person does, after the questions of its first start were answered. */
function typeInto(claude: string, home: string, variables: NodeJS.ProcessEnv): Promise<void> {
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
  settle(home, '.claude.json', {
    hasCompletedOnboarding: true,
    theme: 'dark',
    projects: { [workIn(home)]: trusted },
    customApiKeyResponses: { approved: [KEY], rejected: [] },
  })
  return runInTerminal([claude], home, variables, [
    { after: '❯', keys: TYPED.text },
    { after: TYPED.text, keys: '\r' },
    // A command that ends the client is recorded in some sessions only.
    { after: 'Understood', keys: CONTROL_C },
    { after: 'again', keys: CONTROL_C },
  ])
}
