import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inTerminal } from '../terminal.ts'
import { type Client, type Installed, run, workIn } from './clients.ts'
import { FORKED, TOOL_PROMPTS, TYPED } from './script.ts'

const SECONDS = 60

/** Codex without a terminal: one session, which each further prompt resumes, and a fork. Then in a terminal. */
export const codex = ({ folder, version }: Installed): Client => ({
  name: 'Codex',
  page: 'docs/formats/codex.md',
  version,
  prompts: [...TOOL_PROMPTS, FORKED, TYPED],
  tasks: [],
  isMarked: false,
  async talk(home, address) {
    const client = join(folder, 'node_modules/.bin/codex')
    const provider = `{ name = "script", base_url = "${address}/v1", wire_api = "responses" }`
    const settings = [
      'model_provider="script"',
      `model_providers.script=${provider}`,
      'model="gpt-5.5"',
      // It would ask whether to use the newer model.
      'notice.model_migrations={ "gpt-5.5" = "gpt-6-sol" }',
      `projects={ "${workIn(home)}" = { trust_level = "trusted" } }`,
    ].flatMap((setting) => ['-c', setting])
    const options = [...settings, '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
    const exec = (...words: string[]): Promise<void> => run(client, ['exec', ...words], home, {})
    for (const [index, { text }] of TOOL_PROMPTS.entries())
      await exec(...(index === 0 ? [] : ['resume', '--last']), ...options, text)
    await exec('fork', ...options, threadIn(home), FORKED.text)
    const words = [client, ...settings, '--dangerously-bypass-approvals-and-sandbox', TYPED.text]
    const { code, text } = await inTerminal(
      `cd '${workIn(home)}' && timeout --foreground ${SECONDS} ${words.map((word) => `'${word}'`).join(' ')}`,
      {
        cwd: home,
        columns: 120,
        env: { LANG: 'C.UTF-8' },
        types: [
          { after: /Understood/, keys: '/quit' },
          { after: '/quit', keys: '\r' },
        ],
      },
    )
    if (code !== 0) throw new Error(`Codex in a terminal ended with ${code}: ${text.slice(-2000)}`)
  },
})

/** The only thread of a home. */
function threadIn(home: string): string {
  const files = readdirSync(join(home, '.codex/sessions'), { recursive: true, encoding: 'utf8' })
  return /-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(
    files.find((name) => name.endsWith('.jsonl'))!,
  )![1]!
}
