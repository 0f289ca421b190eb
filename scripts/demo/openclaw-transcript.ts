import { toLines } from './claude-code-transcript.ts'
import { createClock, parseLocal, stamp } from './clock.ts'
import { createSeeded } from './seeded.ts'
import type { Call, OpenClawStep, Reply } from './story.ts'

/**
 * How the gateway dresses what the human typed: an early and a later Telegram, the web chat, or not at all.
 */
type Dress = 'telegram-envelope' | 'telegram-metadata' | 'webchat' | 'none'

export interface OpenClawSession {
  seed: string
  agent: 'main' | 'ops'
  start: string
  model: string
  dress: Dress
  /** What the session is: talk with the human, one run of a scheduled job, or a helper of another session. */
  kind:
    | { type: 'direct' }
    | { type: 'cron'; jobId: string; jobName: string }
    | { type: 'subagent'; key: string; label: string }
  /** Set when the file was put aside under another name, and has left the index. */
  archived?: { reason: 'reset' | 'deleted'; at: string }
  steps: OpenClawStep[]
}

/** What the index and the run logs need to know about a written session. */
export interface WrittenSession {
  session: OpenClawSession
  sessionId: string
  file: string
  content: string
  startedAt: number
  endedAt: number
  compactions: number
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number }
  lastWords: string
}

export const home = '/home/dev/.openclaw'
/** The number of the human's Telegram account in this story. */
export const telegramId = '5550100'

type Line = Record<string, unknown>

/** Lays a session out as OpenClaw 2026.3 writes it. */
export function writeOpenClawSession(session: OpenClawSession): WrittenSession {
  const seeded = createSeeded(session.seed)
  const sessionId = seeded.uuid()
  const clock = createClock(session.start)
  const startedAt = clock.now()
  const workspace = session.agent === 'main' ? `${home}/workspace` : `${home}/workspace-${session.agent}`
  const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const provider = 'anthropic'
  let parentId: string | null = null
  let messageNumber = 400 + seeded.between(0, 300)
  let lastWords = ''
  let compactions = 0

  const time = () => new Date(clock.now()).toISOString()
  const lines: Line[] = [{ type: 'session', version: 3, id: sessionId, timestamp: time(), cwd: workspace }]

  function record(type: string, content: Line): string {
    const id = seeded.hex(8)
    lines.push({ type, id, parentId, timestamp: time(), ...content })
    parentId = id
    return id
  }

  function message(content: Line): string {
    return record('message', { message: { ...content, timestamp: clock.now() } })
  }

  function user(text: string): void {
    message({ role: 'user', content: [{ type: 'text', text }] })
  }

  function prompt(text: string): void {
    messageNumber += seeded.between(1, 5)
    user(dressUp(text, session.dress, clock.now(), messageNumber))
  }

  function reply({ thinking, text, calls }: Reply): void {
    clock.advance(seeded.between(2, 15))
    const content: Line[] = []
    if (thinking) content.push({ type: 'thinking', thinking, thinkingSignature: seeded.hex(40) })
    if (text) content.push({ type: 'text', text })
    const uses = calls.map((call) => ({ call, id: seeded.named('toolu') }))
    for (const { call, id } of uses)
      content.push({ type: 'toolCall', id, name: call.tool, arguments: call.input })
    const stopReason = calls.length > 0 ? 'toolUse' : 'stop'
    const usage = spend(seeded.between(3, 20), Math.ceil(JSON.stringify(content).length / 4))
    message({
      role: 'assistant',
      content,
      api: 'anthropic-messages',
      provider,
      model: session.model,
      usage,
      stopReason,
    })
    if (text) lastWords = text
    for (const { call, id } of uses) result(call, id, workspace)
  }

  function spend(input: number, output: number): Line {
    const cacheRead = 9000 + tokens.cacheWrite
    const cacheWrite = seeded.between(150, 600)
    tokens.input += input
    tokens.output += output
    tokens.cacheRead += cacheRead
    tokens.cacheWrite += cacheWrite
    return {
      input,
      output,
      cacheRead,
      cacheWrite,
      totalTokens: input + output + cacheRead + cacheWrite,
    }
  }

  function result(call: Call, toolCallId: string, cwd: string): void {
    clock.advance(seeded.between(1, 6))
    const details =
      call.tool === 'exec' ? { ...Object(call.details), cwd: call.input.workdir ?? cwd } : call.details
    message({
      role: 'toolResult',
      toolCallId,
      toolName: call.tool,
      content: [{ type: 'text', text: call.output }],
      ...(details === undefined ? {} : { details }),
      isError: call.failed ?? false,
    })
  }

  function delivery(text: string): void {
    const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    message({
      role: 'assistant',
      content: [{ type: 'text', text }],
      api: 'openai-responses',
      provider: 'openclaw',
      model: 'delivery-mirror',
      usage: { ...none, totalTokens: 0 },
      stopReason: 'stop',
    })
  }

  function step(step: OpenClawStep): void {
    if ('at' in step && step.at !== undefined) clock.set(step.at)
    else if ('after' in step && step.after !== undefined) clock.advance(step.after * 60)
    else clock.advance(seeded.between(2, 40))
    switch (step.type) {
      case 'prompt':
        prompt(step.text)
        return
      case 'program':
        user(step.text)
        return
      case 'reply':
        reply(step)
        return
      case 'delivery':
        delivery(step.text)
        return
      case 'compaction': {
        const details = { readFiles: [], modifiedFiles: [] }
        const firstKeptEntryId = parentId
        record('compaction', {
          summary: step.summary,
          firstKeptEntryId,
          tokensBefore: 141_806,
          details,
          fromHook: false,
        })
        compactions++
        return
      }
    }
  }

  record('model_change', { provider, modelId: session.model })
  record('thinking_level_change', { thinkingLevel: 'low' })
  const snapshot = {
    timestamp: clock.now(),
    provider,
    modelApi: 'anthropic-messages',
    modelId: session.model,
  }
  record('custom', { customType: 'model-snapshot', data: snapshot })
  for (const entry of session.steps) step(entry)

  const { archived } = session
  const putAside = archived
    ? `.${archived.reason}.${new Date(parseLocal(archived.at) + seeded.between(1000, 59_999)).toISOString().replaceAll(':', '-')}`
    : ''
  const file = `agents/${session.agent}/sessions/${sessionId}.jsonl${putAside}`
  const endedAt = clock.now()
  return {
    session,
    sessionId,
    file,
    content: toLines(lines),
    startedAt,
    endedAt,
    compactions,
    tokens,
    lastWords,
  }
}

function dressUp(text: string, dress: Dress, at: number, messageNumber: number): string {
  switch (dress) {
    case 'none':
      return text
    case 'webchat':
      return `[${stamp(at)}] ${text}`
    case 'telegram-envelope':
      return `[Telegram Dev id:${telegramId} ${stamp(at, false)}] ${text}\n[message_id: ${messageNumber}]`
    case 'telegram-metadata': {
      const conversation = {
        message_id: String(messageNumber),
        sender_id: telegramId,
        sender: 'Dev',
        timestamp: stamp(at),
      }
      const sender = { label: `Dev (${telegramId})`, id: telegramId, name: 'Dev' }
      return `${metadata('Conversation info', conversation)}${metadata('Sender', sender)}${text}`
    }
  }
}

function metadata(name: string, content: Line): string {
  return `${name} (untrusted metadata):\n\`\`\`json\n${JSON.stringify(content, null, 2)}\n\`\`\`\n\n`
}
