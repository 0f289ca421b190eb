import { mapStrings } from './map-strings.ts'

/**
 * Where a session takes place, in more detail than its kind. `thread` includes topics of a group. `cron-run`
 * is one run of a job, `cron` the job's own session.
 */
export const SURFACES = [
  ...(['main', 'direct', 'group', 'channel', 'thread', 'slash', 'explicit', 'global'] as const),
  ...(['tui', 'webchat', 'dashboard', 'subagent', 'cron', 'cron-run', 'hook', 'heartbeat'] as const),
  ...(['acp', 'boot', 'openai', 'openresponses', 'mcp', 'dreaming'] as const),
] as const

export type Surface = (typeof SURFACES)[number]

/**
 * A session's entry in the platform's session index. A hint that supplements the transcript.
 *
 * @example
 * import { findSessions } from 'agent-scrollback'
 *
 * const sessions = await Array.fromAsync(findSessions({ demo: true, platform: 'openclaw' }))
 * sessions.some(({ entry }) => entry?.surface !== undefined) // => true
 */
export interface SessionEntry {
  surface?: Surface
  /** Such as `telegram` or `webchat`. */
  channel?: string
  /** The agent's account, if it has several on a channel. */
  account?: string
  /** The person or group on the other side, as a number or address. */
  peer?: string
  thread?: string
  /** The name of the group or channel. */
  name?: string
  /** The sender of the first message, as text: `Ann (@ann) id:5550100`. */
  origin?: string
  /** The model that answers the next prompt, and its provider. */
  model?: string
  provider?: string
  /** When the session index last changed the entry, in ms. */
  updatedMs?: number
  /** Names of the skills available to the agent. */
  skills?: string[]
  /** The size of the system prompt in characters: workspace files, tool descriptions, skills. */
  prompt?: {
    total?: number
    files?: { name: string; characters?: number }[]
    /** Number of tools. */
    tools?: number
    toolCharacters?: number
    skillCharacters?: number
  }
  /** How the last run ended, or that it is running. */
  status?: string
  /** Tokens of the last run. `total` is the size of its context, `context` the limit. */
  tokens?: { input?: number; output?: number; total?: number; context?: number }
  /** Key of the session that started this one. */
  spawnedBy?: string
  /** Ids of the Claude Code sessions it ran through, which contain what the agent did. */
  runtimeSessions?: string[]
}

/** Redacts the texts of an entry. */
export const cleanEntry = (entry: SessionEntry, clean: (text: string) => string): SessionEntry =>
  mapStrings(entry, clean)
