import * as z from 'zod/mini'
import { ScrollbackError } from '../errors.ts'
import { defineCommand } from './command.ts'

export const mcp = defineCommand({
  stays: true,
  name: 'mcp',
  summary: 'tools for agents over standard input and output (MCP): search, sessions, read, projects, stats',
  details:
    'An agent program starts it and ends it; on a terminal there is nothing to see. It only reads. Answers are short, name file and line of ' +
    'what they quote, and never hold secrets.',
  examples: [
    {
      command: 'claude mcp add scrollback --scope user -- scrollback mcp',
      tells: 'lets Claude Code recall its sessions',
    },
    {
      command: 'openclaw mcp add scrollback --command scrollback --arg mcp',
      tells: 'the same for agents of OpenClaw',
    },
    { command: 'scrollback mcp --demo', tells: 'the same tools on invented data' },
  ],
  input: z.object({}),
  output: () => z.object({}),
  async run(_, context): Promise<object> {
    if (!context.redact)
      throw new ScrollbackError(
        'bad-option',
        'mcp --no-redact: agents are never given secrets',
        'Leave --no-redact away.',
      )
    if (!context.offerTools)
      throw new ScrollbackError('bad-option', 'Nothing can be offered from here.', 'Run: scrollback mcp')
    await context.offerTools(context)
    return {}
  },
  // What was written are answers of the protocol; there is nothing to say after them.
  render: () => [],
  json: () => [],
})
