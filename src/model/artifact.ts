import type { ReplyUsage, SessionKind } from './event.ts'

/**
 * The id of a platform in `src/platforms/identities.ts`. A store may contain ids that an older version does
 * not know.
 */
export type PlatformId = string

/** A directory in which a platform keeps its files. */
export interface Root {
  platform: PlatformId
  path: string
  /** Why the directory was checked, such as `CLAUDE_CONFIG_DIR` or `default`. */
  reason: string
  found: boolean
}

/**
 * `purged`: the client deleted the transcript, and only its prompts remain in another file. `backup`: a copy
 * that somebody made.
 */
export type ArtifactState = 'live' | 'reset' | 'deleted' | 'archived' | 'purged' | 'backup'

/**
 * A file that may be opened. All fields come from its path, its metadata or the session index, none from its
 * content.
 */
export interface Artifact {
  platform: PlatformId
  root: string
  path: string
  kind: 'transcript' | 'prompt-history' | 'memory'
  state: ArtifactState
  /** The session id in the file name. Unique in most roots, not in all. */
  sessionId: string
  /** OpenClaw's agent id; `claude` for Claude Code. */
  agent: string
  /** The directory below `projects/` that contains the file. A hint, not a path. */
  slug?: string
  bytes: number
  modifiedMs: number
  /** The working directory, if a file of the root names it and the transcript does not. */
  directory?: string
  /**
   * The database that contains the session, or the folder of the small files that do. `path` then names a
   * session in it, and `bytes` is an estimate.
   */
  database?: string
  /** Device and inode of the file, which survive a rename. */
  identity?: string
  /** When a small file next to this one that describes the session last changed, in ms. */
  besideMs?: number
  /** The kind according to the session key or the path. If absent, the content decides. */
  kindHint?: SessionKind
  /** OpenClaw's session key, if the session index contains this session. */
  sessionKey?: string
  /** The title in the session index or in a small file next to the transcript. */
  titleHint?: string
  /** Whether a human chose that title, or a model for them. Otherwise the first words rank above it. */
  titleHintByHand?: boolean
  /** The session's entry in the session index. */
  entry?: SessionEntry
  /** When the session index last changed the session, in ms. */
  updatedMs?: number
  /** The session that started this one. */
  parentSessionId?: string
  /** The tool call that started this session. */
  parentCallId?: string
  /** Codex's number of the first record that the human took back, if another file continues before it. */
  undoneFrom?: number
  /** It is a copy of another session up to this time, in ms, as a small file next to it says. */
  copiedUntilMs?: number
  /** Claude Code's label of an internal fork, such as `compact` or `side_question`. */
  fork?: string
  /** The other machine it is on, and who works there. Only set in a store that was copied from several. */
  device?: string
  person?: string
  /** What other sessions know about this one. Only a store can fill it. */
  links?: SessionLinks
  /** Type and task of a subagent, and how its run ended. */
  subagent?: { type?: string; description?: string; status?: string }
  /** The model of its records, if they name none. */
  modelHint?: string
  /** Prompts that are in no transcript. Filled when the session is read, not when it is discovered. */
  sideQuestions?: readonly SideQuestion[]
}

export interface SideQuestion {
  /** `waiting`: it waits for its turn. Otherwise it was asked beside the conversation. */
  label?: 'waiting'
  /** An archive has it also after the client took it: then the transcript has it, too, later. */
  mayBeTaken?: true
  /** Milliseconds since 1970. */
  at: number
  text: string
}

/** The prompt history of a root: one file with the prompts of all sessions. */
export type HistoryFile = Pick<Artifact, 'platform' | 'root' | 'path' | 'bytes' | 'modifiedMs' | 'identity'>

/** Something that was found but could not be read. Printed with every listing. */
export interface Notice {
  platform: PlatformId
  path: string
  message: string
}

/** Whether files in this state are read. Deleted sessions and copies are read only on request. */
export const isAskedFor = (
  state: ArtifactState,
  { deleted, backups }: Pick<Environment, 'deleted' | 'backups'>,
): boolean => (state !== 'deleted' || deleted === true) && (state !== 'backup' || backups === true)

/** A file next to sessions that was not read, with the reason. */
export interface Unread {
  path: string
  reason: string
  /** Whether it is a copy of a transcript, which `--backups` reads. */
  copy?: boolean
  /** A session that the user deleted, which is only read if requested. */
  deleted?: boolean
}

/** A session in a session index whose transcript was not found. */
export interface NamedSession {
  platform: PlatformId
  root: string
  agent: string
  id: string
  /** The path of the session index. */
  path: string
  hint: Pick<Artifact, 'kindHint' | 'sessionKey' | 'titleHint' | 'entry' | 'updatedMs'>
}

/** A file or folder next to sessions that is never opened, with the reason. */
export interface Refusal {
  path: string
  reason: string
  /** True if nothing is lost without it, as with copies and deleted files. */
  spare?: boolean
}

/** The environment, passed as an argument: only the surfaces access `process`. */
export interface Environment {
  home: string
  variables: Readonly<Record<string, string | undefined>>
  /** Roots given by the user, by platform. They replace the platform's default roots. */
  dirs?: Readonly<Partial<Record<PlatformId, readonly string[]>>>
  /** Also read deleted sessions. */
  deleted?: boolean
  /** Also read copies of transcripts. */
  backups?: boolean
  /** Also collect outputs of tools that are in files of their own. */
  toolResults?: boolean
  /** The list of the sessions that were forgotten, which are not read. */
  forgotten?: string
}

/** Identifies a session among those of all platforms. */
export const forgottenKey = (platform: string, session: string): string => `${platform} ${session}`

/** The name that the memory of a machine has in its own list of forgotten sessions. */
export const OWN_MEMORY = 'memory of this machine'

/** How the list of a team store names memory: by machine and person, or by machine if no person is known. */
export const memoryName = (device: string, person: string): string =>
  person === '' ? `memory on ${device}` : `memory of ${person} on ${device}`

/** Whether a name in a list of forgotten sessions is one of the names of memory. */
export const isMemoryName = (session: string): boolean => /^memory o[fn] /.test(session)

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

/** A text that a tool call sent to another agent. */
export interface Dispatch {
  line: number
  at?: number
  /** See `textDigest`. */
  digest: number
  /** The receiving agent. Required for short texts. */
  to?: string
}

/** The tool call in another session that sent a prompt. */
export interface Sender {
  platform: PlatformId
  agent: string
  session: string
  path: string
  line: number
}

/** A prompt that another session sent, identified by its text and time. */
export interface SentPrompt {
  digest: number
  at: number
  by: Sender
}

/** Set on a session whose only prompt is repeated in many others with another parameter. */
export interface Scripted {
  /** Between 0 and 1. */
  confidence: number
  /** The number of sessions with this prompt, including this one. */
  sessions: number
}

/** What other sessions know about this one. Only available from a store. */
export interface SessionLinks {
  sent?: SentPrompt[]
  script?: Scripted
  /** The parent's running total when this session was forked, by model. */
  inherited?: ReplyUsage[]
}

/** Confidence from which a session counts as started by a script. */
export const SCRIPT_THRESHOLD = 0.8

/** The label of a prompt that another agent sent. */
export const labelOfSender = ({ agent }: Sender): string => `by ${agent}`

/** File names of transcript copies: `x.jsonl.full_backup`, `x.jsonl.bak.2026…`, `x.jsonl~`, `x.jsonl-old`. */
const COPY = /^(.+?)\.jsonl(?:~|[._-].+)$/
/** Copies of programs that synchronize folders: Syncthing, Dropbox and others, iCloud and file managers. */
const CONFLICT =
  /^(.+?)(?:\.sync-conflict-\d{8}-\d{6}-[A-Z0-9]{7}| \([^()]*(?:conflict|konflikt|conflit)[^()]*\)| \(\d{1,3}\)| \d{1,3})\.jsonl$/i
/** The usual name of a transcript. */
const PLAIN = /^[\w-]+\.jsonl$/
/** Locks, temporary files, and compressed files, which cannot be read directly. */
const NO_COPY =
  /(?:\.lock|\.part|\.sw[op]|\.gz|\.bz2|\.xz|\.zip|\.tar|\.tgz)$|[._]tmp(?:\.|$)|\.trajectory\b|\.acp-stream\b/i

/** The name of the original transcript, without `.jsonl`. Undefined if the file is not a readable copy. */
export function copiedName(name: string): string | undefined {
  if (PLAIN.test(name)) return undefined
  if (name.startsWith('.') || NO_COPY.test(name)) return undefined
  return CONFLICT.exec(name)?.[1] ?? COPY.exec(name)?.[1]
}
