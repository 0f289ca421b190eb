/**
 * Who sent a message. `program` is everything else: cron, heartbeat, hook, parent agent, SDK script, injected
 * context.
 */
export type Speaker = 'human' | 'agent' | 'program'

/** The kind of a session, by who prompts it. */
export type SessionKind = 'human' | 'cron' | 'subagent' | 'heartbeat' | 'hook' | 'program'

/**
 * Token counts of one reply. `input` excludes tokens read from or written to a cache.
 *
 * @example
 * import { findSessions } from 'agent-scrollback'
 *
 * const [session] = await Array.fromAsync(findSessions({ demo: true, project: '640ab4c7' }))
 * session?.usage // => { input: 60, output: 707, cacheRead: 72228, cacheWrite: 3028 }
 */
export interface Usage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** The part of `cacheWrite` that lasts an hour and costs more. Absent if zero. */
  cacheWriteHour?: number
  /** The part of `output` that is reasoning, as recorded by the client. Absent if zero. */
  reasoning?: number
  /** US dollars, as recorded by the client. Absent if unknown. */
  cost?: number
}

/** The usage of a reply and the model that wrote it. */
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
      /** `sure`: the record states an error. `possible`: only the output reads like one. Absent: no error. */
      error?: 'sure' | 'possible'
      /** The line of the output that describes the error, trimmed. */
      errorLine?: string
      /** The tool's output as recorded. Only `--full` reads it. */
      body?: unknown
      /** The human declined the tool call. Their comment, if any, follows as a separate message. */
      denied?: boolean
    }
  /** An image, a document or audio. Only its name is shown; it is never loaded. */
  | { type: 'media'; name: string }
  /** A block of a type that this version does not know. */
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

export type LinkRelation =
  | 'forked-from'
  | 'continued-in'
  | 'relocated'
  | 'worktree'
  | 'pull-request'
  | 'runtime-session'

/** The files that the agent read and changed in a part of the conversation that was summarized. */
export interface SummarizedFiles {
  readFiles?: string[]
  modifiedFiles?: string[]
}

export type Payload =
  | {
      type: 'message'
      role: 'user' | 'assistant' | 'tool'
      speaker: Speaker
      parts: Part[]
      /**
       * Joins the lines of one reply; their usage is counted once. Also shared by a user message that was
       * rewritten under another id; equal texts are then shown once.
       */
      messageId?: string
      /**
       * The request that the reply answers. Servers reuse message ids: replies of one id to different
       * requests are different.
       */
      requestId?: string
      /** Message ids of this form may occur in other sessions, for other replies. */
      isReused?: boolean
      /** The client may write the record again, with the same id, when the reply has grown. */
      mayGrow?: boolean
      model?: string
      /** Its own model, if given, is the one that the request is counted under. */
      usage?: ReplyUsage
      /** A later record has the usage: with `messageId` as its key, or the next one with any key. */
      usageFollows?: boolean | 'next'
      /** The record of usage before it is that of its request if the figures are the same. */
      usageBefore?: boolean
      /** Why the model stopped, as recorded. */
      stopReason?: string
      /** The speaker in detail: `cron`, `heartbeat`, `parent agent`, a sender in a group. */
      label?: string
      /** The kind of session that this prompt suggests (a prompt that begins `[cron:` suggests `cron`). */
      kindEvidence?: SessionKind
      /** A copy of the reply for a channel. Shown only if the same text does not precede it. */
      mirror?: boolean
      /** Taken from the prompt queue while the agent was busy. */
      queued?: boolean
      /** The text continues the prompt of the previous record, after a space. */
      continues?: boolean
      /**
       * A program sent the prompt, and a person may sit in front of it. If that is certain of one prompt of
       * the session, or the human interrupts the agent, these prompts are the human's.
       */
      attended?: 'maybe' | 'certainly'
      /** The client does not record whether a person typed the prompt. */
      unmarked?: boolean
      /**
       * Human only if this is the last such line of its file (the fork of a side question replays its
       * parent).
       */
      lastOnly?: boolean
      /** If it is the first prompt of a human after `directive-follows`, it is a program's: a directive. */
      mayBeDirective?: boolean
    }
  /** What the client did for a call of another tool: it is shown as a call of this one. */
  | { type: 'done'; callId: string; name: string; input: unknown }
  /**
   * What a human typed in the parent, in the command that forked this session, follows; or what the command
   * that they typed last stands for, under another label. Later than `withinMs`, nothing of it follows.
   */
  | { type: 'directive-follows'; label?: string; withinMs?: number }
  | { type: 'queue'; operation: 'enqueue' | 'dequeue' | 'remove' | 'pop-all'; text?: string }
  /**
   * `byHuman`: a person interrupted the agent, unless a program started the turn. The files are those that a
   * summary lists.
   */
  | { type: 'marker'; marker: MarkerKind; text?: string; byHuman?: true; files?: SummarizedFiles }
  /** `leaf`: the record that the title was made for, which may be in another file. */
  | { type: 'title'; title: string; source: TitleSource; leaf?: string }
  /** The header of a session, or a line about the session as a whole. */
  | {
      type: 'session'
      sessionId?: string
      /** The session that started this one. */
      parentSession?: string
      kind?: SessionKind
      /** What its agent is called, if another one started it. */
      subagent?: { description: string }
      /** The session that this one is a fork of. */
      forkOf?: string
      /** When that was, in ms. Records that are older were copied, mostly with their ids and times. */
      forkedAt?: number
      /** A session that records were copied from, perhaps through others. */
      origin?: string
      /** Records have no ids, and copies other times. Turns have the same ids in both. */
      namesTurns?: true
      /**
       * Copies of that session's records follow: up to `copied`, or those that are older than a time. They
       * are left out. `again`: the client writes once more what precedes, if there is anything. With `shown`,
       * they are messages of a program, because the original is gone.
       */
      copies?: boolean | { olderThan: number; shown?: true } | 'again'
      /** The number or the name of the form of the file, if it is none that the platform knows. */
      laterForm?: number | string
    }
  /** The records up to here are copies. The session's own records follow. */
  | { type: 'copied' }
  /**
   * A turn begins, with its model, and when it began first, if a copy has another time. Its directory is the
   * record's. `startedBy`: who sent it and those that follow, where prompts do not say it themselves: a
   * person, or a program, which is its label.
   */
  | {
      type: 'turn'
      id?: string
      begunMs?: number
      model?: string
      terms?: string[]
      startedBy?: 'human' | { program: string }
    }
  /**
   * The human took back the last turns, those from the one that begins with a record, or those that follow.
   * They become an abandoned branch.
   */
  | { type: 'taken-back'; turns: number | 'following' | { from: string } }
  /**
   * The client wrote its list of turns again. If it has other ids than before, these are the last turns,
   * which `taken-back` may name.
   */
  | { type: 'turns'; ids: string[] }
  /**
   * Usage of one request in a record of its own. `key` identifies the request among those of all sessions,
   * such as by the `messageId` of its reply; if absent, each record is a request. The model is that of the
   * turn by default, or that of the latest reply. `total` is the client's running total after the request:
   * if a record without tokens has a larger one than the record before, requests between them are missing,
   * and the difference counts. `scope`: `all` is the usage of all requests since the client was started,
   * which counts only if none before it has a record. `aside` is that of a request which `all` leaves out.
   */
  | {
      type: 'usage'
      key?: string
      model?: string
      /** What changes the price of the request (see `withTerms`). If absent, that of the turn. */
      terms?: string[]
      usage: Usage
      total?: Usage
      scope?: 'all' | 'aside'
    }
  | {
      type: 'link'
      relation: LinkRelation
      target: string /** the origin of the link, such as the original folder of a worktree */
      from?: string
    }
  /**
   * The client's running total of the session, including requests without a record. `sum` numbers the total;
   * a fork continues that of its parent.
   */
  | { type: 'stated-usage'; sum?: number; used: ReplyUsage[] }
  /** The active branch ends here (OpenClaw's `leaf`). */
  | { type: 'leaf'; target: string }
  /** A known record that is skipped on purpose. `name` is the type it is counted under. */
  | { type: 'skipped'; name: string }
  /** A record that this version does not know. `name` is the type it is counted under. */
  | { type: 'unknown'; name: string }

/** What one entry means, derived from that entry alone. */
export interface Draft {
  /** The record's id as the client wrote it. At best unique within its session. */
  id?: string
  parentId?: string
  /** Milliseconds since 1970. */
  at?: number
  /** The working directory in the record. */
  cwd?: string
  /** The session id in the record. One file may contain records of several sessions. */
  sessionId?: string
  /** The version of the client that wrote the record. */
  version?: string
  /** The git branch of the working directory. */
  branch?: string
  /** The message that this one was copied from when its session was forked. */
  forkedFrom?: string
  /** The record was copied when its session was forked, from a message that is not named. */
  isCopy?: boolean
  /** What the record has in common with its copies in forks, where these have other ids, or none. */
  sharedId?: string
  payload: Payload
}

/**
 * The position of an event. Offsets and lengths are in bytes, lines count from 1, and the length excludes the
 * newline.
 */
export interface Origin {
  line: number
  offset: number
  length: number
}

/** A draft with its position. One line may yield several events. */
export interface SessionEvent extends Draft {
  origin: Origin
  /** Position among the events of the line that share its id. */
  index: number
  /** Position among all events of the line. */
  order: number
}

/**
 * Why the model stopped, as the provider wrote it: one short word such as `end_turn`. Other values yield
 * undefined.
 */
export const stopReasonOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z_-]{1,40}$/.test(value) ? value : undefined

/** A record that is no object. */
export const unknownValue = (value: unknown): Payload => ({
  type: 'unknown',
  name: Array.isArray(value) ? '(array)' : value === null ? '(null)' : `(${typeof value})`,
})
