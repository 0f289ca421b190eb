import { asObject, asText, type JsonObject } from '../../../model/json.ts'

/** Entry points of sessions that a program opened. Nothing on disk says whether their prompts were typed. */
const PROGRAM_ENTRY = /^(?:sdk-|claude-code-github-action$|mcp$)/

/** Front ends whose prompts a person may type, though the record says `sdk`. */
const FRONT_END = /^sdk-(?:ts|py)$/
/** Who made a row, as versions from 2.1.331 state, if that is certainly no person. */
const ROW_SOURCES: Readonly<Record<string, string>> = { hook: 'hook', harness: 'client' }
/** The beginning of the prompt with which the client begins the work on a plan. */
const PLAN = /^Implement the following plan:\n\n/
/** What another client writes around the prompts that it passes on. */
const PASSED_ON = new RegExp(
  [
    '^(?:\\[cron:[^\\]\\n]+\\] |\\[OpenClaw |\\[Inter-session message\\]|\\[Subagent (?:Context|Task)\\])',
    '^\\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2} [^\\]\\n]+\\] ',
    '^\\[(?:WebChat|WhatsApp|Telegram|Signal|Slack|Discord|iMessage|Teams|Matrix) [^\\]\\n]*\\d{4}-\\d{2}-\\d{2}[ T]',
    '^System(?: \\(untrusted\\))?: \\[\\d{4}-',
    '^(?:Conversation info|Sender) \\(untrusted metadata\\):',
    '^(?:Read HEARTBEAT\\.md if |Pre-compaction memory flush\\.|A new session was started via /new or /reset)',
    '^\\[Queued (?:announce )?messages while agent was busy\\]',
    '⟦openclaw:ctx⟧',
  ].join('|'),
)

/** Who sent a prompt. */
interface Sent {
  speaker: 'human' | 'program'
  label?: string
  /** See `Payload`. */
  attended?: 'maybe' | 'certainly'
}

/** The speaker of a prompt. Explicit evidence of a human outweighs the entry point of the session. */
export function speakerOf(entry: JsonObject, words = ''): Sent {
  const origin = asText(asObject(entry.origin)?.kind)
  const source = asText(entry.promptSource)
  const turn = asText(entry.turnOrigin)
  const entrypoint = asText(entry.entrypoint) ?? ''
  const program = (label: string): Sent => ({ speaker: 'program', label })
  if (entry.isSidechain === true) return program('parent agent')
  const row = ROW_SOURCES[asText(entry.rowSource) ?? '']
  if (row) return program(row)
  if (origin !== undefined && origin !== 'human') return program(origin)
  if (entry.scheduledTaskId !== undefined || turn === 'scheduled') return program('scheduled task')
  if (source === 'system') return program(source)
  if (source === 'sdk' || turn === 'sdk') return sentThrough(entry, source ?? 'sdk')
  if (entry.wakeupSource !== undefined) return program('wakeup')
  if (typeof entry.planContent === 'string' || PLAN.test(words)) return program('plan')
  if (source === 'typed' || source === 'queued') return { speaker: 'human' }
  if (PASSED_ON.test(words)) return program('openclaw')
  if (origin === 'human' || turn === 'human') return { speaker: 'human' }
  if (PROGRAM_ENTRY.test(entrypoint)) return sentThrough(entry, entrypoint)
  if (asText(entry.sessionKind)?.startsWith('daemon')) return program('daemon')
  return { speaker: 'human' }
}

/** A prompt through the SDK. Who accepts edits one by one sits in front of the program. */
function sentThrough(entry: JsonObject, label: string): Sent {
  if (!FRONT_END.test(asText(entry.entrypoint) ?? '')) return { speaker: 'program', label }
  const attended = entry.permissionMode === 'acceptEdits' ? 'certainly' : 'maybe'
  return { speaker: 'program', label, attended }
}

/** Whether the line is a message of another agent, which the client marks like context. */
export const isRelayed = (entry: JsonObject): boolean =>
  RELAYING.has(asText(asObject(entry.origin)?.kind) ?? '')

const RELAYING: ReadonlySet<string> = new Set(['coordinator', 'peer', 'channel'])
