import { type DemoFile, toLines } from './claude-code-transcript.ts'
import { createClock } from './clock.ts'
import { createSeeded } from './seeded.ts'
import { acts, agent, type Call, type Prompt, type Reply, you } from './story.ts'

const web = '/home/dev/eastore/web'
const start = '2026-10-26 16:20'

const bash = (command: string, output: string, failed = false): Call => ({
  tool: 'bash',
  input: { command },
  output: failed ? `${output}\n\nCommand exited with code 1` : output,
  failed,
})

const edit = (path: string, oldText: string, newText: string): Call => ({
  tool: 'edit',
  input: { path, edits: [{ oldText, newText }] },
  output: `Successfully replaced 1 block(s) in ${path}.`,
})

/** `shell`: a command that the human runs. `failure`: an attempt that the client repeats. */
type Step =
  | Prompt
  | Reply
  | { type: 'shell'; command: string; output: string }
  | { type: 'failure'; text: string }

const steps: readonly Step[] = [
  you('The photos of the mugs take seconds on a slow line. How large are they?'),
  {
    type: 'failure',
    text: '529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  },
  agent(
    'Let me look at the files.',
    bash(
      'du -h static/mugs/*.jpg | sort -rh | head -3',
      '3.1M static/mugs/blue.jpg\n2.8M static/mugs/oak.jpg\n',
    ),
  ),
  agent('Up to three megabytes each, and the page shows them 480 pixels wide.'),
  { type: 'shell', command: 'git status --short', output: '' },
  you('Make smaller ones for the list, keep the originals for the zoom.', { after: 3 }),
  acts(bash('node scripts/resize.js --width 960 static/mugs', 'resize: cannot find module "sharp"', true)),
  acts(
    bash('npm ci && node scripts/resize.js --width 960 static/mugs', '12 pictures, 31 MB became 1.4 MB\n'),
  ),
  agent(
    'The list takes them now.',
    edit('src/list.html', 'static/mugs/{{name}}.jpg', 'static/mugs/960/{{name}}.jpg'),
    bash('npx playwright test list', '4 passed (2.6s)\n'),
  ),
  agent('The list loads 1.4 MB of pictures in place of 31, and the zoom still shows the originals.'),
]

/** A session of pi: a tree of records with short ids. */
export function piFiles(): DemoFile[] {
  const seeded = createSeeded('web: photos of mugs')
  const clock = createClock(start)
  const begun = new Date(clock.now()).toISOString()
  const time = clock.now().toString(16).padStart(12, '0')
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7${seeded.hex(3)}-8${seeded.hex(3)}-${seeded.hex(12)}`
  const lines: object[] = [{ type: 'session', version: 3, id, timestamp: begun, cwd: web }]
  const model = { provider: 'anthropic', modelId: 'claude-sonnet-4-6' }
  let last: string | null = null
  let context = 2400
  write('model_change', model)
  write('thinking_level_change', { thinkingLevel: 'medium' })
  for (const step of steps) tell(step)
  write('session_info', { name: 'Photos of mugs' })
  const name = `${begun.replace(/[:.]/g, '-')}_${id}.jsonl`
  return [{ path: `agent/sessions/--home-dev-eastore-web--/${name}`, content: toLines(lines as never) }]

  function write(type: string, fields: object): string {
    const own = seeded.hex(8)
    const timestamp = new Date(clock.advance(0.02)).toISOString()
    lines.push({ type, id: own, parentId: last, timestamp, ...fields })
    last = own
    return own
  }

  function message(role: string, fields: object): string {
    return write('message', { message: { role, ...fields, timestamp: clock.now() } })
  }

  function tell(step: Step): void {
    if (step.type === 'prompt') {
      clock.advance((step.after ?? 0) * 60 + 5)
      message('user', { content: [{ type: 'text', text: step.text }] })
    } else if (step.type === 'shell') {
      clock.advance(20)
      const ended = { exitCode: 0, cancelled: false, truncated: false, excludeFromContext: false }
      message('bashExecution', { command: step.command, output: step.output, ...ended })
    } else if (step.type === 'failure') {
      clock.advance(2)
      const failed = reply([], 'error', { input: 0, output: 0, cacheRead: 0 }, { errorMessage: step.text })
      write('context_edit', { targetId: failed, replacement: null })
    } else answer(step)
  }

  function answer({ text, calls }: Reply): void {
    clock.advance(seeded.between(4, 14))
    const made = calls.map((call) => ({ call, id: `toolu_${seeded.hex(24)}` }))
    const said = text === undefined ? [] : [{ type: 'text', text }]
    const asked = made.map(({ call, id: own }) => ({
      type: 'toolCall',
      id: own,
      name: call.tool,
      arguments: call.input,
    }))
    const output = 20 + (text?.length ?? 0) + 40 * calls.length
    const usage = { input: 300 + output, output, cacheRead: context }
    context += 300 + 2 * output
    const stop = calls.length > 0 ? 'toolUse' : 'stop'
    reply([...said, ...asked], stop, usage, { responseId: `msg_${seeded.hex(24)}` })
    for (const { call, id: toolCallId } of made) {
      clock.advance(seeded.between(1, 5))
      message('toolResult', {
        toolCallId,
        toolName: call.tool,
        content: [{ type: 'text', text: call.output }],
        isError: call.failed === true,
      })
    }
  }

  function reply(
    content: object[],
    stopReason: string,
    { input, output, cacheRead }: { input: number; output: number; cacheRead: number },
    more: object,
  ): string {
    const total = (input * 3 + output * 15 + cacheRead * 0.3) / 1e6
    return message('assistant', {
      content,
      api: 'anthropic-messages',
      provider: model.provider,
      model: model.modelId,
      usage: {
        input,
        output,
        cacheRead,
        cacheWrite: 0,
        totalTokens: input + output + cacheRead,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: Number(total.toFixed(6)) },
      },
      stopReason,
      ...more,
    })
  }
}
