import { createHash } from 'node:crypto'
import { type DemoFile, toLines } from './claude-code-transcript.ts'
import { createClock } from './clock.ts'
import { createSeeded } from './seeded.ts'
import { agent, type Call, type Prompt, type Reply, you } from './story.ts'

const web = '/home/dev/eastore/web'
const model = 'gemini-2.5-pro'

const shell = (command: string, output: string, exitCode = 0): Call => ({
  tool: 'run_shell_command',
  input: { command },
  output: `<untrusted_context>\nOutput: ${output}${exitCode === 0 ? '' : `\nExit Code: ${exitCode}`}\n</untrusted_context>`,
})

const steps: readonly (Prompt | Reply)[] = [
  you('Does the shop tell search engines which pages there are?'),
  agent(
    'I look for a sitemap.',
    shell('curl -sI http://localhost:5173/sitemap.xml | head -1', 'HTTP/1.1 404 Not Found'),
    { tool: 'read_file', input: { file_path: 'static/robots.txt' }, output: 'User-agent: *' },
  ),
  agent('No: there is no sitemap, and robots.txt names none.'),
  you('Write one from the catalogue when the site is built.', { after: 2 }),
  agent(
    'The build has the catalogue already, so a few lines are enough.',
    {
      tool: 'write_file',
      input: {
        file_path: `${web}/scripts/sitemap.js`,
        content:
          "import { products } from '../src/catalogue.js'\n\nexport const sitemap = () => products.map(urlOf)\n",
      },
      output: 'Successfully created and wrote to new file',
    },
    shell('node scripts/build.js', 'sitemap: urlOf is not defined', 1),
  ),
  agent(
    'The helper is missing.',
    {
      tool: 'replace',
      input: {
        file_path: `${web}/scripts/sitemap.js`,
        old_string: 'products.map(urlOf)',
        new_string: "products.map(({ slug }) => '/p/' + slug)",
      },
      output: 'Successfully modified file',
    },
    shell('node scripts/build.js', 'sitemap: 64 pages'),
  ),
  agent('The build writes a sitemap with 64 pages now.'),
]

/** A session of Gemini CLI: a reply with calls is written twice. */
export function geminiFiles(): DemoFile[] {
  const seeded = createSeeded('web: sitemap')
  const clock = createClock('2026-10-28 11:10')
  const uuid = (): string =>
    `${seeded.hex(8)}-${seeded.hex(4)}-4${seeded.hex(3)}-8${seeded.hex(3)}-${seeded.hex(12)}`
  const now = (): string => new Date(clock.advance(0.05)).toISOString()
  const sessionId = uuid()
  const startTime = now()
  const projectHash = createHash('sha256').update(web).digest('hex')
  const lines: object[] = [{ sessionId, projectHash, startTime, lastUpdated: startTime, kind: 'main' }]
  let context = 4800
  for (const step of steps) {
    if (step.type === 'prompt') {
      clock.advance((step.after ?? 0) * 60 + 5)
      lines.push({ id: uuid(), timestamp: now(), type: 'user', content: [{ text: step.text }] })
    } else answer(step)
    lines.push({ $set: { lastUpdated: now() } })
  }
  lines.push({ $set: { summary: 'Sitemap of the shop' } })
  const minute = startTime.slice(0, 16).replace(':', '-')
  return [
    { path: 'projects.json', content: `${JSON.stringify({ projects: { [web]: 'web' } }, null, 2)}\n` },
    {
      path: `tmp/web/chats/session-${minute}-${sessionId.slice(0, 8)}.jsonl`,
      content: toLines(lines as never),
    },
  ]

  function answer({ text, calls }: Reply): void {
    clock.advance(seeded.between(4, 14))
    const output = 20 + (text?.length ?? 0) + 40 * calls.length
    const input = context + 300
    const tokens = { input, output, cached: context, thoughts: 0, tool: 0, total: input + output }
    const reply = {
      id: uuid(),
      timestamp: now(),
      type: 'gemini',
      content: text ?? '',
      thoughts: [],
      tokens,
      model,
    }
    context += 300 + 2 * output
    lines.push(reply)
    if (calls.length === 0) return
    clock.advance(seeded.between(1, 5))
    const made = calls.map(({ tool, input: args, output: printed }) => {
      const id = `${tool}__${seeded.hex(12)}`
      const result = [{ functionResponse: { id, name: tool, response: { output: printed } } }]
      return { id, name: tool, args, result, status: 'success', timestamp: now() }
    })
    lines.push({ ...reply, toolCalls: made })
    for (const { result } of made) lines.push({ id: uuid(), timestamp: now(), type: 'user', content: result })
  }
}
