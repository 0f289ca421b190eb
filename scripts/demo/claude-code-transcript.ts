import { type Clock, createClock } from './clock.ts'
import { createSeeded, type Seeded } from './seeded.ts'
import type { Call, ClaudeStep, Delegated, Reply } from './story.ts'

export interface ClaudeSession {
  /** Names the session in the scripts, and seeds its identifiers. */
  seed: string
  /** The one that examples name has an id of its own. */
  id?: string
  cwd: string
  branch: string
  version: '2.1.90' | '2.1.112'
  model: string
  start: string
  /** `sdk-cli` marks a session that a program started. */
  entrypoint?: 'cli' | 'sdk-cli'
  title: { type: 'ai-title' | 'custom-title' | 'summary'; text: string }
  steps: ClaudeStep[]
}

/** A file to be, relative to the agent's directory. */
export interface DemoFile {
  path: string
  content: string
}

export interface TypedPrompt {
  display: string
  timestamp: number
  project: string
  sessionId: string
}

type Line = Record<string, unknown>

/** The directory name of a project: everything but letters and digits becomes a dash. */
export function projectSlug(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, '-')
}

/** Writes a session like Claude Code: the transcript, and next to it those of its subagents. */
export function writeClaudeSession(session: ClaudeSession): { files: DemoFile[]; prompts: TypedPrompt[] } {
  const seeded = createSeeded(session.seed)
  const drawn = seeded.uuid()
  const sessionId = session.id ?? drawn
  const clock = createClock(session.start)
  const folder = `projects/${projectSlug(session.cwd)}`
  const writer = createWriter(session, sessionId, seeded, clock)
  for (const step of session.steps) writer.step(step)
  writer.close()
  const files = [{ path: `${folder}/${sessionId}.jsonl`, content: toLines(writer.lines) }]
  for (const { id, lines, meta } of writer.subagents) {
    const path = `${folder}/${sessionId}/subagents/agent-${id}`
    files.push({ path: `${path}.jsonl`, content: toLines(lines) })
    files.push({ path: `${path}.meta.json`, content: JSON.stringify(meta) })
  }
  return { files, prompts: writer.prompts }
}

export function toLines(lines: Line[]): string {
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
}

/** A chain of lines, each below the one before it: the session itself, or an agent that it called. */
interface Branch {
  agentId?: string
  lines: Line[]
  parent: string | null
}

interface Subagent {
  id: string
  lines: Line[]
  meta: Line
}

function createWriter(session: ClaudeSession, sessionId: string, seeded: Seeded, clock: Clock) {
  const lines: Line[] = []
  const main: Branch = { lines, parent: null }
  const prompts: TypedPrompt[] = []
  const subagents: Subagent[] = []
  const edited = new Map<string, number>()
  let promptId = seeded.uuid()
  let snapshotSize = -1
  let cached = 9000 + seeded.between(0, 900)

  const time = () => new Date(clock.now()).toISOString()
  const envelope = () => ({
    timestamp: time(),
    entrypoint: session.entrypoint ?? 'cli',
    cwd: session.cwd,
    sessionId,
    version: session.version,
    gitBranch: session.branch,
  })

  /** Adds a line to the tree below the line before it. */
  function node(content: Line, branch: Branch = main): string {
    const uuid = seeded.uuid()
    const { agentId, parent } = branch
    const side = agentId === undefined ? { isSidechain: false } : { isSidechain: true, agentId }
    branch.lines.push({ parentUuid: parent, ...side, ...content, uuid, ...envelope() })
    branch.parent = uuid
    return uuid
  }

  function user(content: unknown, more: Line = {}): string {
    return node({ promptId, type: 'user', message: { role: 'user', content }, ...more })
  }

  function prompt(text: string): void {
    promptId = seeded.uuid()
    const typed = session.entrypoint !== 'sdk-cli'
    if (!typed) {
      lines.push({
        type: 'queue-operation',
        operation: 'enqueue',
        timestamp: time(),
        sessionId,
        content: text,
      })
      lines.push({ type: 'queue-operation', operation: 'dequeue', timestamp: time(), sessionId })
    }
    const uuid = user(text, typed ? { permissionMode: 'default' } : {})
    if (typed) prompts.push({ display: text, timestamp: clock.now(), project: session.cwd, sessionId })
    if (typed) snapshotFiles(uuid)
  }

  /** Before each prompt the client notes which files it has changed, if that has changed. */
  function snapshotFiles(messageId: string): void {
    if (edited.size === snapshotSize) return
    snapshotSize = edited.size
    const trackedFileBackups = Object.fromEntries(
      [...edited].map(([path, version]) => [
        path.replace(`${session.cwd}/`, ''),
        { backupFileName: `${createSeeded(path).hex(16)}@v${version}`, version, backupTime: time() },
      ]),
    )
    const snapshot = { messageId, trackedFileBackups, timestamp: time() }
    lines.push({ type: 'file-history-snapshot', messageId, snapshot, isSnapshotUpdate: false })
  }

  /**
   * One line for each block of a reply, all with the same message id and the same usage, then the results.
   */
  function reply({ thinking, text, calls }: Reply, branch: Branch = main): void {
    const id = seeded.named('msg')
    const blocks: Line[] = []
    if (thinking) blocks.push({ type: 'thinking', thinking, signature: seeded.hex(16) })
    if (text) blocks.push({ type: 'text', text })
    const uses = calls.map((call) => ({ call, toolUseId: seeded.named('toolu') }))
    for (const { call, toolUseId } of uses) {
      blocks.push({ type: 'tool_use', id: toolUseId, name: call.tool, input: call.input })
    }
    const created = seeded.between(180, 900)
    const usage = {
      input_tokens: seeded.between(3, 14),
      cache_creation_input_tokens: created,
      cache_read_input_tokens: cached,
      output_tokens: Math.ceil(JSON.stringify(blocks).length / 4),
    }
    cached += created
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
    const owners = new Map<unknown, string>()
    for (const block of blocks) {
      clock.advance(seeded.between(1, 9) + 0.001 * seeded.between(0, 999))
      const message = {
        id,
        type: 'message',
        role: 'assistant',
        model: session.model,
        content: [block],
        stop_reason,
        usage,
      }
      owners.set(block.id, node({ message, type: 'assistant' }, branch))
    }
    for (const { call, toolUseId } of uses) result(call, toolUseId, owners.get(toolUseId)!, branch)
  }

  function result(call: Call, toolUseId: string, owner: string, branch: Branch = main): void {
    const block = {
      tool_use_id: toolUseId,
      type: 'tool_result',
      content: call.delegated ? [{ type: 'text', text: call.output }] : call.output,
      ...(call.failed ? { is_error: true } : call.tool === 'Bash' ? { is_error: false } : {}),
    }
    const details = call.delegated ? runSubagent(call.delegated, call.output) : call.details
    clock.advance(call.seconds ?? seeded.between(1, 20))
    const path = call.input.file_path
    if (typeof path === 'string' && call.tool !== 'Read' && !call.failed)
      edited.set(path, (edited.get(path) ?? 0) + 1)
    branch.parent = owner
    const message = { role: 'user', content: [block] }
    node({ type: 'user', message, ...(details === undefined ? {} : { toolUseResult: details }) }, branch)
  }

  function runSubagent({ agentType, description, task, replies }: Delegated, report: string): Line {
    const agentId = `a${seeded.hex(16)}`
    const side: Branch = { agentId, lines: [], parent: null }
    const started = clock.now()
    node({ promptId, type: 'user', message: { role: 'user', content: task } }, side)
    for (const step of replies) reply(step, side)
    subagents.push({ id: agentId, lines: side.lines, meta: { agentType, description } })
    return {
      status: 'completed',
      prompt: task,
      agentId,
      agentType,
      content: [{ type: 'text', text: report }],
      totalDurationMs: clock.now() - started,
      totalToolUseCount: replies.reduce((count, step) => count + step.calls.length, 0),
    }
  }

  function slashCommand(name: string, args: string, output: string | undefined): void {
    const text = `<command-name>/${name}</command-name>\n            <command-message>${name}</command-message>\n            <command-args>${args}</command-args>`
    promptId = seeded.uuid()
    user(text)
    prompts.push({
      display: `/${name} ${args}`.trim(),
      timestamp: clock.now(),
      project: session.cwd,
      sessionId,
    })
    if (output !== undefined) user(`<local-command-stdout>${output}</local-command-stdout>`)
  }

  function compaction(instructions: string, summary: string): void {
    const logicalParentUuid = main.parent
    main.parent = null
    const compactMetadata = {
      trigger: 'manual',
      preTokens: cached + 96_000,
      postTokens: Math.ceil(summary.length / 4),
    }
    node({
      logicalParentUuid,
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      isMeta: false,
      level: 'info',
      compactMetadata,
    })
    const opening =
      'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.'
    user(`${opening}\n\nSummary:\n${summary}`, { isVisibleInTranscriptOnly: true, isCompactSummary: true })
    slashCommand('compact', instructions, 'Compacted (ctrl+o to see full summary)')
  }

  function step(step: ClaudeStep): void {
    if ('at' in step && step.at !== undefined) clock.set(step.at)
    else if ('after' in step && step.after !== undefined) clock.advance(step.after * 60)
    else clock.advance(seeded.between(5, 90))
    switch (step.type) {
      case 'prompt':
        prompt(step.text)
        return
      case 'reply':
        reply(step)
        return
      case 'queued': {
        const queue = { type: 'queue-operation', timestamp: time(), sessionId }
        lines.push({ ...queue, operation: 'enqueue', content: step.text })
        clock.advance(seeded.between(2, 12))
        node({
          attachment: { type: 'queued_command', prompt: step.text, commandMode: 'prompt' },
          type: 'attachment',
        })
        lines.push({ ...queue, operation: 'remove', timestamp: time() })
        prompts.push({ display: step.text, timestamp: clock.now(), project: session.cwd, sessionId })
        return
      }
      case 'slash-command':
        slashCommand(step.name, step.arguments, step.output)
        return
      case 'shell':
        user(`<bash-input>${step.command}</bash-input>`)
        user(`<bash-stdout>${step.output}</bash-stdout><bash-stderr></bash-stderr>`)
        return
      case 'interruption':
        user([{ type: 'text', text: '[Request interrupted by user]' }])
        return
      case 'compaction':
        compaction(step.instructions, step.summary)
        return
      case 'pull-request': {
        const prUrl = `https://github.example/${step.repository}/pull/${step.number}`
        const link = { prNumber: step.number, prUrl, prRepository: step.repository, timestamp: time() }
        lines.push({ type: 'pr-link', sessionId, ...link })
        return
      }
    }
  }

  /** Titles carry no time; a summary names the last line of what it is about. */
  function close(): void {
    const last = prompts.at(-1)
    const { type, text } = session.title
    if (type === 'ai-title') lines.push({ type, aiTitle: text, sessionId })
    if (type === 'custom-title') lines.push({ type, customTitle: text, sessionId })
    // Readers prefer the last prompt to a summary, so the summary would never be seen.
    if (type === 'summary') lines.push({ type, summary: text, leafUuid: main.parent })
    else if (last) lines.push({ type: 'last-prompt', lastPrompt: last.display.slice(0, 200), sessionId })
  }

  return { lines, prompts, subagents, step, close }
}
