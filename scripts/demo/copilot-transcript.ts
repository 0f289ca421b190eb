import { type DemoFile, toLines } from './claude-code-transcript.ts'
import { createClock } from './clock.ts'
import { createSeeded } from './seeded.ts'
import { agent, type Call, type Prompt, type Reply, you } from './story.ts'

const web = '/home/dev/eastore/web'
const model = 'claude-sonnet-4.5'

const bash = (command: string, output: string, exitCode = 0): Call => ({
  tool: 'bash',
  input: { command, description: 'Run a command' },
  output: `${output}\n<shellId: 0 completed with exit code ${exitCode}>`,
  failed: exitCode !== 0,
})

/** `shell`: a command that the human runs. */
type Step = Prompt | Reply | { type: 'shell'; command: string; output: string }

const steps: readonly Step[] = [
  you('Which pictures of the list have no description for screen readers?'),
  agent(
    'I look for images without one.',
    bash("grep -n '<img' src/list.html", 'src/list.html:31:<img src="static/mugs/960/{{name}}.jpg">'),
    { tool: 'view', input: { path: `${web}/src/list.html` }, output: '31. <img src="…">' },
  ),
  agent('All of the list: the template sets none. The names of the products would do.'),
  you('Take the name and the colour.', { after: 2 }),
  agent(
    'Both are in the data of the template.',
    {
      tool: 'edit',
      input: {
        path: `${web}/src/list.html`,
        old_str: '{{name}}.jpg">',
        new_str: '{{name}}.jpg" alt="{{title}}, {{colour}}">',
      },
      output: `File ${web}/src/list.html updated with changes.`,
    },
    bash('npx playwright test a11y', '1 failed\n  a11y › list\n  duplicate description: Mug, blue', 1),
  ),
  agent('Two products are called Mug and are blue. Their sizes tell them apart, so I add the size.', {
    tool: 'edit',
    input: { path: `${web}/src/list.html`, old_str: '{{colour}}">', new_str: '{{colour}}, {{size}}">' },
    output: `File ${web}/src/list.html updated with changes.`,
  }),
  { type: 'shell', command: 'npx playwright test a11y', output: '5 passed (3.1s)' },
  agent('Every picture of the list has a description of its own now.'),
]

/** A session of Copilot CLI: a chain of events. */
export function copilotFiles(): DemoFile[] {
  const seeded = createSeeded('web: descriptions of pictures')
  const clock = createClock('2026-10-27 15:30')
  const uuid = (): string =>
    `${seeded.hex(8)}-${seeded.hex(4)}-4${seeded.hex(3)}-8${seeded.hex(3)}-${seeded.hex(12)}`
  const id = uuid()
  const lines: object[] = []
  let last: string | null = null
  let context = 5200
  const startTime = new Date(clock.now()).toISOString()
  const place = { cwd: web, gitRoot: web, branch: 'main' }
  event('session.start', { sessionId: id, version: 1, copilotVersion: '1.0.102', startTime, context: place })
  for (const step of steps) {
    if (step.type === 'prompt') {
      clock.advance((step.after ?? 0) * 60 + 5)
      event('user.message', { content: step.text, delivery: 'idle' })
    } else if (step.type === 'shell') run(step.command, step.output)
    else answer(step)
  }
  event('session.shutdown', { shutdownType: 'routine' })
  const name = 'Descriptions of pictures'
  const facts = Object.entries({ id, cwd: web, name, user_named: true }).map(
    ([key, value]) => `${key}: ${value}\n`,
  )
  const folder = `session-state/${id}`
  return [
    { path: `${folder}/events.jsonl`, content: toLines(lines as never) },
    { path: `${folder}/workspace.yaml`, content: facts.join('') },
  ]

  function event(type: string, data: object): void {
    const own = uuid()
    lines.push({
      type,
      data,
      id: own,
      timestamp: new Date(clock.advance(0.05)).toISOString(),
      parentId: last,
    })
    last = own
  }

  function run(command: string, output: string): void {
    clock.advance(20)
    const toolCallId = uuid()
    event('tool.user_requested', { toolCallId, toolName: 'local_shell', arguments: { command } })
    const ended = { shellExecution: { exitCode: 0 }, success: true, result: { content: output } }
    event('tool.execution_complete', { toolCallId, isUserRequested: true, ...ended })
  }

  function answer({ text, calls }: Reply): void {
    clock.advance(seeded.between(4, 14))
    const apiCallId = `msg_${seeded.hex(24)}`
    const requests = calls.map(({ tool, input }) => ({
      toolCallId: `toolu_${seeded.hex(24)}`,
      name: tool,
      arguments: input,
    }))
    const output = 20 + (text?.length ?? 0) + 40 * calls.length
    const usage = { model, inputTokens: context + 300, outputTokens: output, cacheReadTokens: context }
    event('session.usage_record', { usage: { ...usage, cacheWriteTokens: 0, apiCallId } })
    context += 300 + 2 * output
    event('assistant.message', { model, content: text ?? '', toolRequests: requests, apiCallId })
    for (const [index, call] of calls.entries()) {
      clock.advance(seeded.between(1, 5))
      const { toolCallId } = requests[index]!
      event('tool.execution_complete', {
        toolCallId,
        ...(call.tool === 'bash' && { shellExecution: { exitCode: call.failed ? 1 : 0 } }),
        success: true,
        result: { content: call.output },
      })
    }
  }
}
