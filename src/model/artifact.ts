import type { SessionKind } from './event.ts'
import type { SessionEntry } from './session-entry.ts'
import type { SessionLinks } from './session-links.ts'

export type PlatformId = 'claude-code' | 'openclaw'

/** A place where a platform keeps its files. */
export interface Root {
  platform: PlatformId
  path: string
  /** Why it was looked at, e.g. `CLAUDE_CONFIG_DIR` or `default`. */
  reason: string
  found: boolean
}

/** `purged`: the agent deleted the transcript, and only the prompts of it are left in another file. `backup`: somebody copied it. */
export type ArtifactState = 'live' | 'reset' | 'deleted' | 'archived' | 'purged' | 'backup'

/** A file that may be opened, and what its place on disk says about it. Nothing here comes from its content. */
export interface Artifact {
  platform: PlatformId
  root: string
  path: string
  kind: 'transcript' | 'prompt-history' | 'memory'
  state: ArtifactState
  /** The file's own name for its session: unique in most trees, not in all. */
  sessionId: string
  /** OpenClaw's agent id; `claude` for Claude Code. */
  agent: string
  /** The directory under `projects/` that holds it: a hint, never a path. */
  slug?: string
  bytes: number
  modifiedMs: number
  /** The database it stands in, where it is no file: then `path` names a session of it, and `bytes` is an estimate. */
  database?: string
  /** Device and number of the file: the same under another name. */
  identity?: string
  /** When a small file beside it that tells more of the session last changed, in ms. */
  besideMs?: number
  /** What the session key or the file's place says; content decides where this is absent. */
  kindHint?: SessionKind
  /** OpenClaw's session key, when the index names this session. */
  sessionKey?: string
  /** Title as the platform's own index has it. */
  titleHint?: string
  /** What else the index says. */
  entry?: SessionEntry
  /** When the platform's own index last touched the session, in ms. */
  updatedMs?: number
  /** The session this one was started from. */
  parentSessionId?: string
  /** The tool call that started it. */
  parentCallId?: string
  /** Claude Code's label of an internal fork, e.g. `compact` or `side_question`. */
  fork?: string
  /** What other sessions tell of it; known once a store holds them. */
  links?: SessionLinks
  /** What a subagent was started as and for. */
  subagent?: { type?: string; description?: string }
  /** What was asked beside the conversation and stands in no transcript; known when the session is read, not when it is found. */
  sideQuestions?: readonly SideQuestion[]
}

export interface SideQuestion {
  /** Milliseconds since 1970. */
  at: number
  text: string
}

/** A file with the prompts of all sessions of a root. */
export type HistoryFile = Pick<Artifact, 'platform' | 'root' | 'path' | 'bytes' | 'modifiedMs' | 'identity'>

/** What was found but cannot be read yet or at all; every listing says so. */
export interface Notice {
  platform: PlatformId
  path: string
  message: string
}

/** Whether files of this state are read: some only where they are asked for. */
export const isAskedFor = (
  state: ArtifactState,
  { deleted, backups }: Pick<Environment, 'deleted' | 'backups'>,
): boolean => (state !== 'deleted' || deleted === true) && (state !== 'backup' || backups === true)

/** A file that lies where sessions do and was not read, and why. */
export interface Unread {
  path: string
  reason: string
  /** A copy of a transcript: it is read when copies are asked for. */
  copy?: boolean
}

/** A session that an index names and of which no transcript is here. */
export interface NamedSession {
  platform: PlatformId
  root: string
  agent: string
  id: string
  /** The index. */
  path: string
  hint: Pick<Artifact, 'kindHint' | 'sessionKey' | 'titleHint' | 'entry' | 'updatedMs'>
}

/** What stays closed although it lies where sessions do. */
export interface Refusal {
  path: string
  reason: string
  /** Nobody misses it: a copy, or what was deleted and still lies there. */
  spare?: boolean
}

/** The machine as an argument: nothing below the surfaces reads the process. */
export interface Environment {
  home: string
  variables: Readonly<Record<string, string | undefined>>
  /** Roots given by hand replace the usual places of their platform. */
  claudeDirs?: readonly string[]
  openclawDirs?: readonly string[]
  /** Also read soft-deleted sessions. */
  deleted?: boolean
  /** Also read copies of transcripts that somebody made. */
  backups?: boolean
}
