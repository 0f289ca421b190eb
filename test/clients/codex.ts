import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Client,
  type Installed,
  inOrder,
  programIn,
  run,
  runInTerminal,
  serverOf,
  workIn,
} from './clients.ts'
import { FORKED, PROMPTS, TYPED } from './script.ts'

/**
 * Codex without a terminal: one session, which each further prompt resumes, and a fork. Then in a terminal,
 * where it is compacted.
 */
export const codex = ({ folder, version }: Installed): Client => ({
  name: 'Codex',
  page: 'docs/formats/codex.md',
  version,
  prompts: [...PROMPTS, FORKED, TYPED],
  tasks: [],
  isMarked: false,
  proceed: (home, address, session, prompt) =>
    run(
      programIn(folder, 'codex'),
      ['exec', 'resume', ...settingsFor(home, address), '--skip-git-repo-check', FREE, session!, prompt],
      home,
      {},
    ),
  begins: (home, address) => ({
    to: 'codex',
    name: 'codex',
    words: [programIn(folder, 'codex'), ...settingsFor(home, address), FREE],
    variables: {},
    types: [
      { after: /Understood/, keys: '/quit' },
      { after: '/quit', keys: '\r' },
    ],
  }),
  async talk(home, address) {
    const client = programIn(folder, 'codex')
    const settings = settingsFor(home, address)
    const options = [...settings, '--skip-git-repo-check', FREE]
    const exec = (text: string, which: readonly string[], ...ids: string[]): Promise<void> =>
      run(client, ['exec', ...which, ...options, ...ids, text], home, {})
    await inOrder(PROMPTS, exec, [], ['resume', '--last'])
    await exec(FORKED.text, ['fork'], threadIn(home))
    await runInTerminal([client, ...settings, FREE, TYPED.text], home, {}, [
      { after: /Understood/, keys: '/compact' },
      { after: '/compact', keys: '\r' },
      { after: /compacted/, keys: '/quit' },
      { after: '/quit', keys: '\r' },
    ])
  },
})

const FREE = '--dangerously-bypass-approvals-and-sandbox'

function settingsFor(home: string, address: string): string[] {
  const { command, args } = serverOf(home)
  const words = args.map((word) => `"${word}"`)
  return [
    'model_provider="script"',
    `model_providers.script={ name = "script", base_url = "${address}/v1", wire_api = "responses" }`,
    'model="gpt-5.5"',
    // It would ask whether to use the newer model.
    'notice.model_migrations={ "gpt-5.5" = "gpt-6-sol" }',
    `projects={ "${workIn(home)}" = { trust_level = "trusted" } }`,
    `mcp_servers.scrollback={ command = "${command}", args = [${words}], env = { HOME = "${home}" } }`,
  ].flatMap((setting) => ['-c', setting])
}

/** The only thread of a home. */
function threadIn(home: string): string {
  const files = readdirSync(join(home, '.codex/sessions'), { recursive: true, encoding: 'utf8' })
  return /-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(
    files.find((name) => name.endsWith('.jsonl'))!,
  )![1]!
}
