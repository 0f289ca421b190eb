import { createHash } from 'node:crypto'
import { bash, opencodeDatabase, text } from '../../test/opencode-databases.ts'
import { type DemoFile, toLines } from './claude-code-transcript.ts'
import { type Clock, createClock } from './clock.ts'
import { createSeeded, type Seeded } from './seeded.ts'
import { type Call, you } from './story.ts'

/** The folder in which all of these agents work: labels for parcels. */
const labels = '/home/dev/eastore/labels'
const model = 'claude-sonnet-4.5'

/** What is said and done in one session, with the time of its beginning. */
interface Story {
  seed: string
  start: string
  steps: readonly (ReturnType<typeof you> | { says: string; runs?: Call })[]
}

const runs = (command: string, output: string, failed = false): Call => ({
  tool: 'run',
  input: { command },
  output,
  failed,
})

const STORIES = {
  kilo: {
    seed: 'labels: width',
    start: '2026-10-12 09:20',
    steps: [
      you('How wide is a label in the template?'),
      { says: 'I look at the template.', runs: runs('grep width template.zpl', '^PW812') },
      { says: 'It is 812 dots, which is four inches.' },
    ],
  },
  qwen: {
    seed: 'labels: umlauts',
    start: '2026-10-13 10:05',
    steps: [
      you('Umlauts are printed as question marks. Why?'),
      { says: 'A look at the encoding.', runs: runs('file template.zpl', 'ISO-8859 text') },
      { says: 'The template is in Latin 1, and the printer expects UTF-8. ^CI28 switches it.' },
    ],
  },
  kimi: {
    seed: 'labels: return address',
    start: '2026-10-14 11:40',
    steps: [
      you('Print our return address below the barcode.'),
      { says: 'One more field.', runs: runs('node preview.js', 'overlap: barcode, address', true) },
      { says: 'The two overlap. I move the address down by 30 dots.' },
    ],
  },
  cline: {
    seed: 'labels: batch',
    start: '2026-10-15 14:15',
    steps: [
      you('Can twenty labels go to the printer at once?'),
      { says: 'I send a batch.', runs: runs('node send.js --count 20', '20 sent') },
      { says: 'Yes: the spooler takes them as one job.' },
    ],
  },
  continue: {
    seed: 'labels: paper',
    start: '2026-10-16 16:30',
    steps: [
      you('What happens if the paper runs out?'),
      { says: 'I read the manual of the printer.', runs: runs('less manual.txt', 'HOLD: out of media') },
      { says: 'It holds the job and goes on with the next roll.' },
    ],
  },
} as const satisfies Record<string, Story>

interface Teller {
  clock: Clock
  seeded: Seeded
  uuid(): string
  /** Moves the time on, and returns it. */
  later(): number
}

function tellerOf({ seed, start }: Story): Teller {
  const seeded = createSeeded(seed)
  const clock = createClock(start)
  return {
    clock,
    seeded,
    uuid: () => `${seeded.hex(8)}-${seeded.hex(4)}-4${seeded.hex(3)}-8${seeded.hex(3)}-${seeded.hex(12)}`,
    later: () => {
      clock.advance(seeded.between(3, 12))
      return clock.now()
    },
  }
}

const iso = (ms: number): string => new Date(ms).toISOString()
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** What a reply uses, growing with the conversation. */
const usedBy = (reply: string, step: number) => ({
  input: 300,
  output: 20 + reply.length,
  cached: 4000 + 400 * step,
})

/** A session of Kilo Code, in a database. */
export function writeKiloDatabase(target: string): void {
  const story = STORIES.kilo
  const { later, seeded, clock } = tellerOf(story)
  const at = clock.now()
  const messages = story.steps.map((step, index) => {
    const own = { id: `msg_a4${later().toString(16)}001${seeded.hex(11)}`, at: clock.now() }
    if ('text' in step) return { ...own, parts: [text(`"${step.text}"`)], data: { agent: 'code' } }
    const { input, output, cached } = usedBy(step.says, index)
    const tokens = { input, output, reasoning: 0, cache: { read: cached, write: 0 } }
    const made = 'runs' in step ? [bash(step.runs.input.command as string, step.runs.output)] : []
    const data = { agent: 'code', mode: 'code', modelID: model, path: { cwd: labels, root: labels }, tokens }
    return { ...own, role: 'assistant' as const, parts: [text(step.says), ...made], data }
  })
  const id = `ses_5d${seeded.hex(10)}ffe${seeded.hex(11)}`
  const made = opencodeDatabase(
    target,
    [{ id, at, directory: labels, title: 'Width of a label', messages }],
    {
      keys: false,
    },
  )
  made.database.exec(`UPDATE session SET version = '7.7.9'; VACUUM`)
  made.close()
}

/** A session of Qwen Code. */
export function qwenFiles(): DemoFile[] {
  const story = STORIES.qwen
  const { later, uuid, seeded } = tellerOf(story)
  const sessionId = uuid()
  const lines: object[] = []
  let parentUuid: string | null = null
  const add = (type: string, provenance: string, more: object): void => {
    const line = { uuid: uuid(), parentUuid, sessionId, timestamp: iso(later()), type, provenance }
    lines.push({ ...line, cwd: labels, version: '0.24.4', gitBranch: 'main', ...more })
    parentUuid = line.uuid
  }
  for (const [index, step] of story.steps.entries()) {
    if ('text' in step) {
      add('user', 'real_user', { message: { role: 'user', parts: [{ text: step.text }] } })
      continue
    }
    const { input, output, cached } = usedBy(step.says, index)
    const id = `call_${seeded.hex(12)}`
    const name = 'run_shell_command'
    const call = 'runs' in step ? [{ functionCall: { id, name, args: step.runs.input } }] : []
    const usageMetadata = {
      ...{ promptTokenCount: input + cached, candidatesTokenCount: output, cachedContentTokenCount: cached },
      ...{ thoughtsTokenCount: 0, totalTokenCount: input + cached + output },
    }
    add('assistant', 'assistant_output', {
      ...{ model, usageMetadata },
      message: { role: 'model', parts: [{ text: step.says }, ...call] },
    })
    if (!('runs' in step)) continue
    const answer = `Command: ${step.runs.input.command}\nOutput: ${step.runs.output}\nError: (none)\nExit Code: 0`
    add('tool_result', 'tool_result', {
      message: { role: 'user', parts: [{ functionResponse: { id, name, response: { output: answer } } }] },
      toolCallResult: { callId: id, status: 'success' },
    })
  }
  const slug = labels.replace(/[^a-zA-Z0-9]/g, '-')
  return [{ path: `projects/${slug}/chats/${sessionId}.jsonl`, content: toLines(lines as never) }]
}

/** A session of Kimi Code. */
export function kimiFiles(): DemoFile[] {
  const story = STORIES.kimi
  const { later, uuid, clock, seeded } = tellerOf(story)
  const id = `session_${uuid()}`
  const createdAt = clock.now()
  const lines: object[] = [{ type: 'metadata', protocol_version: '1.5', created_at: createdAt }]
  const add = (type: string, more: object): void => {
    lines.push({ type, agentId: 'main', ...more, time: later() })
  }
  const loop = (event: object): void => add('context.append_loop_event', { event })
  for (const [index, step] of story.steps.entries()) {
    if ('text' in step) {
      add('turn.prompt', { input: [{ type: 'text', text: step.text }], origin: { kind: 'user' }, turnId: 0 })
      continue
    }
    const { input, output, cached } = usedBy(step.says, index)
    const usage = { inputOther: input, output, inputCacheRead: cached, inputCacheCreation: 0 }
    const own = { turnId: '0', step: index, stepUuid: uuid() }
    add('llm.request', {
      kind: 'loop',
      provider: 'anthropic',
      model,
      modelAlias: 'sonnet',
      turnStep: `0.${index}`,
    })
    add('usage.record', { model: 'sonnet', usage, usageScope: 'turn' })
    loop({ type: 'content.part', uuid: uuid(), ...own, part: { type: 'text', text: step.says } })
    if (!('runs' in step)) continue
    const toolCallId = `toolu_${seeded.hex(12)}`
    loop({ type: 'tool.call', uuid: uuid(), ...own, toolCallId, name: 'Bash', args: step.runs.input })
    const failed = step.runs.failed ? { isError: true } : {}
    loop({ type: 'tool.result', toolCallId, result: { output: step.runs.output, ...failed } })
  }
  const state = { id, version: 2, cwd: labels, createdAt, updatedAt: clock.now(), title: 'Return address' }
  const hash = createHash('sha256').update(labels).digest('hex').slice(0, 12)
  const folder = `sessions/wd_labels_${hash}/${id}`
  return [
    { path: `${folder}/agents/main/wire.jsonl`, content: toLines(lines as never) },
    { path: `${folder}/state.json`, content: `${JSON.stringify({ ...state, isCustomTitle: true })}\n` },
  ]
}

/** A session of Cline, in documents. */
export function clineFiles(): DemoFile[] {
  const story = STORIES.cline
  const { later, uuid, clock, seeded } = tellerOf(story)
  const begun = clock.now()
  const id = `${begun}_${seeded.hex(5)}`
  const messages: object[] = []
  for (const [index, step] of story.steps.entries()) {
    if ('text' in step) {
      const words = `<user_input mode="act">${step.text}</user_input>`
      messages.push({ id: uuid(), role: 'user', content: [{ type: 'text', text: words }], ts: later() })
      continue
    }
    const { input, output, cached } = usedBy(step.says, index)
    const call = `toolu_${seeded.hex(12)}`
    const name = 'run_commands'
    const command = 'runs' in step ? step.runs.input.command : undefined
    messages.push({
      ...{ id: `msg_${seeded.hex(8)}`, role: 'assistant', ts: later() },
      content: [
        { type: 'text', text: step.says },
        ...(command === undefined
          ? []
          : [{ type: 'tool_use', id: call, name, input: { commands: [command] } }]),
      ],
      modelInfo: { id: model, provider: 'anthropic' },
      metrics: {
        inputTokens: input + cached,
        outputTokens: output,
        cacheReadTokens: cached,
        cacheWriteTokens: 0,
      },
    })
    if (!('runs' in step)) continue
    const content = [{ query: command, result: step.runs.output, success: true }]
    const result = { type: 'tool_result', tool_use_id: call, name, content }
    messages.push({ id: `msg_${seeded.hex(8)}`, role: 'user', content: [result], ts: later() })
  }
  const [first] = story.steps
  const manifest = {
    ...{
      version: 1,
      session_id: id,
      source: 'cli',
      started_at: iso(begun),
      status: 'completed',
      model,
      cwd: labels,
    },
    ...{ prompt: first.text, metadata: { title: first.text, git: { branch: 'main' } } },
  }
  const origin = { source: 'cli', mode: 'user', version: '3.0.65' }
  return [
    { path: `sessions/${id}/${id}.json`, content: json(manifest) },
    {
      path: `sessions/${id}/${id}.messages.json`,
      content: json({ version: 1, agent: 'lead', sessionId: id, origin, messages }),
    },
  ]
}

/** A session of Continue, in a document without times. */
export function continueFiles(): DemoFile[] {
  const story = STORIES.continue
  const { uuid, clock, seeded } = tellerOf(story)
  const sessionId = uuid()
  const total = { promptTokens: 0, completionTokens: 0 }
  const history = story.steps.map((step, index) => {
    if ('text' in step) return { message: { role: 'user', content: step.text }, contextItems: [] }
    const { input, output, cached } = usedBy(step.says, index)
    total.promptTokens += input
    total.completionTokens += output
    const usage = {
      ...{
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        model,
        cost_cents: 0,
      },
      prompt_tokens_details: { cached_tokens: cached, cache_read_tokens: cached, cache_write_tokens: 0 },
    }
    const message = { role: 'assistant', content: step.says, usage }
    if (!('runs' in step)) return { message, contextItems: [] }
    const toolCallId = `toolu_${seeded.hex(12)}`
    const state = {
      ...{ toolCallId, status: 'done', parsedArgs: step.runs.input },
      toolCall: { id: toolCallId, type: 'function', function: { name: 'Bash', arguments: '{}' } },
      output: [{ content: step.runs.output, name: 'Tool Result' }],
    }
    return { message, contextItems: [], toolCallStates: [state] }
  })
  const title = 'Empty paper tray'
  const document = { sessionId, title, workspaceDirectory: labels, history, usage: total }
  const entry = {
    sessionId,
    title,
    dateCreated: String(clock.now()),
    workspaceDirectory: labels,
    messageCount: 1,
  }
  return [
    { path: `sessions/${sessionId}.json`, content: json(document) },
    { path: 'sessions/sessions.json', content: json([entry]) },
  ]
}
