import type { Dynamic } from '../dynamics/dynamic.ts'
import type { Phase } from '../phases/phases.ts'
import type { AbandonedEvidence } from './abandoned.ts'
import type { CommandEvidence, TestEvidence } from './commands.ts'
import type { CommitEvidence, PullRequestEvidence } from './commits.ts'
import type { DecisionEvidence } from './decisions.ts'
import type { ErrorEvidence } from './errors.ts'
import type { FileEvidence } from './files.ts'
import type { QuestionEvidence } from './questions.ts'
import type { Theme } from './themes.ts'

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
