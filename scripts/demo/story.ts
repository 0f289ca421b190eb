/**
 * What a story is made of. The words are here; identifiers, times and the layout on disk are added by the
 * writers.
 */

/** A tool call with what came back. */
export interface Call {
  tool: string
  input: Record<string, unknown>
  output: string
  failed?: boolean
  /** How long it ran, where that belongs to the story. */
  seconds?: number
  /** The structured twin of the output, where the agent keeps one. */
  details?: unknown
  /** Set when the call hands a task to another agent. */
  delegated?: Delegated
}

/** What another agent did with the task of a call. */
export interface Delegated {
  agentType: string
  description: string
  task: string
  replies: Reply[]
}

/**
 * A message of the human. `at` (local time) or `after` (minutes) set its time. By default it soon follows the
 * previous step.
 */
export interface Prompt {
  type: 'prompt'
  text: string
  at?: string
  after?: number
}

/** One reply of the model: thoughts, words and tool calls that belong to one message. */
export interface Reply {
  type: 'reply'
  thinking?: string
  text?: string
  calls: Call[]
}

/** What happens in a Claude Code session. */
export type ClaudeStep =
  | Prompt
  | Reply
  | { type: 'queued'; text: string }
  | { type: 'slash-command'; name: string; arguments: string; output?: string; after?: number }
  | { type: 'shell'; command: string; output: string }
  | { type: 'interruption' }
  | { type: 'compaction'; instructions: string; summary: string }
  | { type: 'pull-request'; number: number; repository: string }

/** What happens in an OpenClaw session. */
export type OpenClawStep =
  | Prompt
  | Reply
  /** A user turn written by a program: a scheduled job, a heartbeat, a finished helper. */
  | { type: 'program'; text: string; at?: string; after?: number }
  /** Text that went out to the channel without a reply of the model in this session. */
  | { type: 'delivery'; text: string; at?: string; after?: number }
  | { type: 'compaction'; summary: string }

export const you = (text: string, when: { at?: string; after?: number } = {}): Prompt => ({
  type: 'prompt',
  text,
  ...when,
})

/** The agent says `text` and makes the calls. */
export const agent = (text: string, ...calls: Call[]): Reply => ({ type: 'reply', text, calls })

/** The agent makes calls without a word. */
export const acts = (...calls: Call[]): Reply => ({ type: 'reply', calls })

/** As `agent`, with the thoughts before it. */
export const thinks = (thinking: string, text: string, ...calls: Call[]): Reply => ({
  type: 'reply',
  thinking,
  text,
  calls,
})
