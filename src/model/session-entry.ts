import { mapStrings } from './map-strings.ts'

/**
 * Where a session takes place: finer than its kind. `thread` is also a topic of a group; `cron-run` is one run of a job,
 * where `cron` is the job's own session.
 */
export const SURFACES = [
  ...(['main', 'direct', 'group', 'channel', 'thread', 'slash', 'explicit', 'global'] as const),
  ...(['tui', 'webchat', 'dashboard', 'subagent', 'cron', 'cron-run', 'hook', 'heartbeat'] as const),
  ...(['acp', 'boot', 'openai', 'openresponses', 'mcp', 'dreaming'] as const),
] as const

export type Surface = (typeof SURFACES)[number]

/** What an agent's own index says of a session. A hint beside the transcript, never counted on. */
export interface SessionEntry {
  surface?: Surface
  /** `telegram`, `webchat`. */
  channel?: string
  /** Of the agent, where it has several on a channel. */
  account?: string
  /** Who, or which group, is on the other side: a person's number or address, as it stands. */
  peer?: string
  thread?: string
  /** What a group or a place is called there. */
  name?: string
  /** The same in the words of the first message's sender: `Ann (@ann) id:5550100`. */
  origin?: string
  /** The model that is to answer next, and who provides it. */
  model?: string
  provider?: string
  /** When the agent's index last changed it, in ms. */
  updatedMs?: number
  /** Names of the skills it was given. */
  skills?: string[]
  /** How large what stands before the conversation is, in characters: files of the workspace, tools that are described, skills. */
  prompt?: {
    total?: number
    files?: { name: string; characters?: number }[]
    /** How many. */
    tools?: number
    toolCharacters?: number
    skillCharacters?: number
  }
  /** How the last run ended, or that it runs. */
  status?: string
  /** Of the last run alone; `total` is what its context held, `context` what it could have held. */
  tokens?: { input?: number; output?: number; total?: number; context?: number }
  /** Key of the session that started it. */
  spawnedBy?: string
  /** Ids of the sessions of Claude Code it ran through: what the agent did stands in those. */
  runtimeSessions?: string[]
}

/** Its words may hold anything, as all words. */
export const cleanEntry = (entry: SessionEntry, clean: (text: string) => string): SessionEntry =>
  mapStrings(entry, clean)
