/**
 * Words of a transcript, and the record that contains them.
 *
 * @example
 * import { type Citation, openStore } from 'agent-scrollback'
 *
 * await using store = await openStore({ demo: true })
 * const { questions } = await store.evidence({ project: '640ab4c7' })
 * const asked: Citation | undefined = questions[0]?.question
 * asked?.line // => 4
 */
export interface Citation {
  session: string
  path: string
  line: number
  /** ISO 8601, or null if the record has no time. */
  at: string | null
  /** The words of the record, with spaces for line breaks. `[…]` replaces what was left out. */
  quote: string
  /** The beginning of the SHA-256 of the whole text of the item. */
  digest: string
}

/**
 * What the human or the course of the work shows. `correction`: the human says that something is wrong.
 * `course`: the human declines, changes the plan, stops the agent or takes a prompt back. `agreement`: the
 * human accepts what the agent offered. `debugging`: a command fails, something is changed, and it runs
 * again.
 */
export const DYNAMIC_KINDS = ['correction', 'course', 'agreement', 'debugging'] as const

export type DynamicKind = (typeof DYNAMIC_KINDS)[number]

/** Something that happened between human and agent, with where it can be read. */
export interface Dynamic {
  kind: DynamicKind
  /**
   * In a few words what happened, if the citation does not say it: `interrupted`, `2 attempts, then it
   * worked`.
   */
  detail: string | null
  /** What the human reacted to: the last words of the agent before. */
  about: Citation | null
  /** The first is where it begins. */
  citations: Citation[]
}

/** A run of tests. `no-error`: the record states no failure, which a pipe may also hide (`unknown`). */
export interface TestEvidence {
  outcome: 'failed' | 'no-error' | 'unknown'
  run: Citation
  /** The line of the output that states the failure. */
  error: Citation | null
}

/** A commit that a command made. */
export interface CommitEvidence {
  /** The beginning of its message. */
  subject: string
  commit: Citation
}

/** A pull request that somebody opened or linked. */
export interface PullRequestEvidence {
  url: string | null
  title: string | null
  mention: Citation
}

/** A failed call or an error that the human reported, and how it ended. */
export interface ErrorEvidence {
  /** Null if the human reported it, or if a reply of the model failed. */
  tool: string | null
  error: Citation
  /** How often the same call failed in a row. */
  times: number
  /**
   * `fixed`: the same call worked later in the session. `still-failing`: it was repeated and never worked.
   * `not-repeated`: it was not tried again, or the human did not report it again.
   */
  ending: 'fixed' | 'still-failing' | 'not-repeated'
  /** The call that worked. */
  fixedBy: Citation | null
}

/** A file that tools of the selected sessions changed. */
export interface FileEvidence {
  path: string
  /** `created`: its first call writes it whole, and no selected session read or changed it before. */
  status: 'created' | 'changed'
  /** Calls that changed it without an error. */
  edits: number
  sessions: string[]
  /** How many edits followed a prompt of a human or of a program. */
  askedBy: { human: number; program: number }
  /** The prompts that most edits followed. */
  asked: Citation[]
  first: Citation
  last: Citation
}

/** A question of one side, and the beginning of the answer. */
export interface QuestionEvidence {
  by: 'human' | 'agent'
  question: Citation
  /** Null: the transcripts show no answer. */
  answer: Citation | null
}

/** What took the most effort in a phase. */
export interface HardPart {
  why: string
  citations: Citation[]
}

/** A part of the time line, with what was wanted in it and what came of it. */
export interface Phase {
  title: string
  from: string
  to: string
  sessions: string[]
  turns: number
  /** The files with the most edits. */
  files: { path: string; edits: number }[]
  changedFiles: number
  errors: number
  asked: Citation
  /** The last message of the agent. */
  result: Citation | null
  hardPart: HardPart | null
  commits: number
}

/** A session that the evidence was taken from. */
export interface UsedSession {
  id: string
  path: string
  platform: string
  agent: string
  kind: string | null
  project: string | null
  title: string | null
  startedAt: string | null
  lastActivityAt: string | null
  /** Driven by a human. */
  main: boolean
  turns: number
  messages: { human: number; agent: number; program: number }
  words: { human: number; agent: number; program: number }
  toolCalls: number
  errors: number
}

/** A language that the human wrote in, and how many messages are in it. */
export interface LanguageEvidence {
  /** As a code: `en`. `und`: unknown. */
  language: string
  messages: number
  /** Whether corrections, changes of course and agreement are found in it. */
  read: boolean
}

/** How much of what exists the evidence covers. */
export interface Coverage {
  /** Sessions used, those that fit project, topic and time, and those that were looked at. */
  sessions: { used: number; fitting: number; seen: number }
  /** Messages, tool calls and errors read, and those that the fitting sessions have. */
  items: { read: number; there: number }
  /** Items that an earlier session already contained. They are counted once. */
  duplicates: number
}

/**
 * What transcripts show about a project. Every statement has a citation, and every number is a count over the
 * sessions in `sessions`.
 *
 * @example
 * import { type Evidence, openStore } from 'agent-scrollback'
 *
 * await using store = await openStore({ demo: true })
 * const evidence: Evidence = await store.evidence({ project: 'api' })
 * const outcomes = new Set(evidence.errors.map(({ ending }) => ending))
 * outcomes.has('fixed') // => true
 */
export interface Evidence {
  project: string | null
  topic: string | null
  span: { from: string; to: string } | null
  coverage: Coverage
  sessions: UsedSession[]
  totals: {
    turns: number
    words: { human: number; agent: number; program: number }
    toolCalls: number
    errors: number
  }
  /** Of the messages of the human in main sessions. */
  languages: LanguageEvidence[]
  phases: Phase[]
  questions: QuestionEvidence[]
  dynamics: Dynamic[]
  files: FileEvidence[]
  tests: TestEvidence[]
  errors: ErrorEvidence[]
  commits: CommitEvidence[]
  pullRequests: PullRequestEvidence[]
}
