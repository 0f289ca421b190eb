import type { DynamicKind } from '../dynamics/kinds.ts'

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

/** Something that happened between human and agent, with where it can be read. */
export interface Dynamic {
  kind: DynamicKind
  /** 0 to 1. Only those from the threshold on are reported. */
  score: number
  /** Figures of kinds that span several items: rounds, attempts, calls. */
  detail: string | null
  /** The first is where it begins. */
  citations: Citation[]
}

/**
 * Something that was begun and given up. `taken-back`: a prompt on an abandoned branch. `declined`: a tool
 * call that the human refused. `interrupted`: a turn that the human stopped. `reverted`: a command that undid
 * changes.
 */
export interface AbandonedEvidence {
  how: 'taken-back' | 'declined' | 'interrupted' | 'reverted'
  what: Citation
}

/** What a command line is for. */
export type CommandKind =
  | 'look'
  | 'commit'
  | 'pull-request'
  | 'test'
  | 'lint'
  | 'install'
  | 'build'
  | 'git'
  | 'database'
  | 'deploy'
  | 'network'
  | 'run'

/** The commands of one kind. */
export interface CommandEvidence {
  kind: CommandKind
  count: number
  failed: number
  /** The first different ones. */
  examples: Citation[]
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

/** A decision of the human, and what it is about. */
export interface DecisionEvidence {
  /**
   * `agreed` and `declined`: a reply to a proposal. `answered`: a reply to a question of the agent. `rule`:
   * how things are to be done.
   */
  how: 'agreed' | 'declined' | 'answered' | 'rule'
  /** The proposal or the question. Null for a rule. */
  about: Citation | null
  decision: Citation
}

/** A failed call, and how it ended. */
export interface ErrorEvidence {
  tool: string | null
  error: Citation
  /** How often the same call failed in a row. */
  times: number
  /**
   * `fixed`: the same call worked later in the session. `still-failing`: it was repeated and never worked.
   * `not-repeated`: it was not tried again.
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

/** Something that several sessions show. Whatever fewer show is reported as the incident it was. */
export interface Theme {
  about: string
  sessions: number
  /** One of each session. */
  citations: Citation[]
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
  phases: Phase[]
  decisions: DecisionEvidence[]
  questions: QuestionEvidence[]
  abandoned: AbandonedEvidence[]
  dynamics: Dynamic[]
  themes: Theme[]
  files: FileEvidence[]
  commands: CommandEvidence[]
  tests: TestEvidence[]
  errors: ErrorEvidence[]
  commits: CommitEvidence[]
  pullRequests: PullRequestEvidence[]
}
