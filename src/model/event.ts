/** Who spoke. `program` is everything that is neither: cron, heartbeat, hook, parent agent, SDK script, injected context. */
export type Speaker = 'human' | 'agent' | 'program'

/** What kind of session a transcript is, judged by who drives it. */
export type SessionKind = 'human' | 'cron' | 'subagent' | 'heartbeat' | 'hook' | 'program'

/** Token counts of one reply. `input` excludes both cache figures. */
export interface Usage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Those of the cache writes that last an hour, which cost more; absent when there are none. */
  cacheWriteHour?: number
  /** US dollars as the agent recorded them; absent when unknown. */
  cost?: number
}

/** What a reply used, and the model that gave it. */
export interface ReplyUsage extends Usage {
  model?: string
}

export type Part =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'tool-call'; callId?: string; name: string; input: unknown }
  | {
      type: 'tool-result'
      callId?: string
      toolName?: string
      /** `sure`: the record says so. `possible`: only words in the output say so. Absent: no error. */
      error?: 'sure' | 'possible'
      /** The line of the output that tells the error, trimmed. */
      errorLine?: string
      /** What the tool gave back, as it stands in the record: only `--full` looks at it. */
      body?: unknown
      /** The agent asked and the human declined; the words, if any, follow as a message of their own. */
      denied?: boolean
    }
  /** An image, a document, audio: never loaded, only told. */
  | { type: 'media'; name: string }
  /** A block of a kind this version does not know. */
  | { type: 'opaque'; name: string }

export type TitleSource = 'custom' | 'ai' | 'last-prompt' | 'summary' | 'index'

type MarkerKind =
  | 'compaction'
  | 'interruption'
  | 'denial'
  | 'reset'
  | 'branch'
  | 'agent-error'
  | 'retry'
  | 'model-change'
  | 'local-command'
  | 'note'

type LinkRelation =
  | 'forked-from'
  | 'continued-in'
  | 'relocated'
  | 'worktree'
  | 'pull-request'
  | 'runtime-session'

export type Payload =
  | {
      type: 'message'
      role: 'user' | 'assistant' | 'tool'
      speaker: Speaker
      parts: Part[]
      /**
       * Lines of one reply share it; they are joined and their usage is counted once. A user's words that were written again
       * under another id share it too; equal words are told once then.
       */
      messageId?: string
      model?: string
      usage?: Usage
      /** Why the model stopped, as the record says it. */
      stopReason?: string
      /** Who exactly, where the speaker alone does not tell: `cron`, `heartbeat`, `parent agent`, a sender in a group. */
      label?: string
      /** What this line says about the kind of its session (a prompt that begins `[cron:` says `cron`). */
      kindEvidence?: SessionKind
      /** A copy for a channel of what the agent just said: told only when nothing equal precedes it. */
      mirror?: boolean
      /** Taken from the prompt queue while the agent was busy. */
      queued?: boolean
      /** More of the prompt that stands in the record before it, behind a space. */
      continues?: boolean
      /** Of a client that does not say whether a person typed it. */
      unmarked?: boolean
      /** Human words only when this is the last such line of its file (a side question's fork replays its parent). */
      lastOnly?: boolean
    }
  | { type: 'queue'; operation: 'enqueue' | 'dequeue' | 'remove' | 'pop-all'; text?: string }
  | { type: 'marker'; marker: MarkerKind; text?: string }
  /** `leaf`: the record the title was made for, which may stand in another file. */
  | { type: 'title'; title: string; source: TitleSource; leaf?: string }
  /** The header of a session, or what a line says about the session as a whole. */
  | { type: 'session'; sessionId?: string; parentSession?: string }
  | {
      type: 'link'
      relation: LinkRelation
      target: string /** where it led from, e.g. the original folder of a worktree */
      from?: string
    }
  /** What the session has cost up to here as its agent adds it up, all of it each time; without a model over all of them. */
  | { type: 'stated-costs'; costs: { model?: string; dollars: number }[] }
  /** The active branch ends here (OpenClaw `leaf`). */
  | { type: 'leaf'; target: string }
  /** Known, and left out on purpose. `name` is the type it is counted under. */
  | { type: 'skipped'; name: string }
  /** Not known to this version. `name` is the type it is counted under. */
  | { type: 'unknown'; name: string }

/** What one entry means, told from that entry alone. */
export interface Draft {
  /** The id the agent gave the record; unique inside its session at best. */
  id?: string
  parentId?: string
  /** Milliseconds since 1970. */
  at?: number
  /** The working directory the record names. */
  cwd?: string
  /** The session the record names; a file may hold records of several. */
  sessionId?: string
  /** Of the client that wrote the record. */
  version?: string
  /** Of the repository in the working directory. */
  branch?: string
  /** The message this one was copied from when its session was forked. */
  forkedFrom?: string
  payload: Payload
}

/** Where an event stands. Offsets and lengths in bytes, lines from 1; the length excludes the newline. */
export interface Origin {
  line: number
  offset: number
  length: number
}

/** A draft with its place. One line may yield several events. */
export interface SessionEvent extends Draft {
  origin: Origin
  /** Among the events of its line that share its id. */
  index: number
  /** Among all events of its line. */
  order: number
}
