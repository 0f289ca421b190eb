import * as z from 'zod/mini'
import { defineCommand } from '../context/command.ts'
import { ScrollbackError } from '../errors.ts'
import { clients } from '../platforms/identities.ts'

export const mcp = defineCommand({
  stays: true,
  name: 'mcp',
  summary:
    'serve tools to agents over standard input and output (MCP): search, read, why, sessions, projects, stats, devlog',
  details:
    'Clients start and stop it; it shows nothing on a terminal. It only reads. Answers are short, cite file and line, ' +
    'and never contain secrets.',
  examples: [
    ...[...clients().values()].flatMap(({ name, client }) =>
      client
        ? {
            command: client.add(['scrollback', 'mcp']).join(' '),
            description: `let ${name} recall its sessions`,
          }
        : [],
    ),
    { command: 'scrollback mcp --demo', description: 'serve the bundled demo data' },
  ],
  input: z.object({}),
  output: () => z.object({}),
  onlyRedacted: { because: 'agents never get secrets' },
  async run(_, context): Promise<object> {
    if (!context.offerTools)
      throw new ScrollbackError('bad-option', 'mcp: not available here.', 'Run: scrollback mcp')
    await context.offerTools(context)
    return {}
  },
  // The output consists of protocol messages, so nothing may follow them.
  render: () => [],
  json: () => [],
})
