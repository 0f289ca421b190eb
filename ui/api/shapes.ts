import type * as z from 'zod/mini'
import type { CollectAnswer } from '../../src/commands/collect/answer.ts'
import type { CronAnswer } from '../../src/commands/cron/answer.ts'
import type { Diagnosis as DoctorAnswer } from '../../src/commands/doctor/answer.ts'
import type { Command } from '../../src/commands/kit/command.ts'
import type { MemoryAnswer as Memory } from '../../src/commands/memory/answer.ts'
import type { overview } from '../../src/commands/overview/command.ts'
import type { projects } from '../../src/commands/projects/command.ts'
import type { resume } from '../../src/commands/resume/command.ts'
import type { runs } from '../../src/commands/runs/command.ts'
import type { output as searchOutput } from '../../src/commands/search/answer.ts'
import type { secrets } from '../../src/commands/secrets/command.ts'
import type { sessions } from '../../src/commands/sessions/command.ts'
import type { stats } from '../../src/commands/stats/command.ts'
import type { itemJson } from '../../src/condense/item-json.ts'

// The answers of the commands, derived from their definitions.

type AnswerOf<Definition> = Definition extends Command<infer _Input, infer Output> ? Output : never

export type OverviewAnswer = AnswerOf<typeof overview>
export type ProjectsAnswer = AnswerOf<typeof projects>
export type SessionsAnswer = AnswerOf<typeof sessions>
export type StatsAnswer = AnswerOf<typeof stats>
export type RunsAnswer = AnswerOf<typeof runs>
export type SecretsAnswer = AnswerOf<typeof secrets>
export type ResumeAnswer = AnswerOf<typeof resume>
export type SearchAnswer = z.output<ReturnType<typeof searchOutput>>
export type Hit = SearchAnswer['hits'][number]
export type Jobs = CronAnswer
export type Job = Jobs['jobs'][number]
export type JobRun = NonNullable<Jobs['runs']>[number]
export type Diagnosis = DoctorAnswer
export type MemoryAnswer = Memory
export type Document = MemoryAnswer['documents'][number]
export type CollectorAnswer = CollectAnswer
export type ProjectRow = ProjectsAnswer['projects'][number]
export type StatsRow = StatsAnswer['rows'][number]
export type Run = RunsAnswer['runs'][number]

/** Marks of a person, which `tag` adds to the rows of sessions. */
export interface Marks {
  star?: boolean
  name?: string | null
  tags?: string[]
}

export type SessionRow = SessionsAnswer['sessions'][number] & Marks
export type Item = ReturnType<typeof itemJson> & { index: number }

// Answers of endpoints that belong to the page alone.

export interface Subagent {
  index: number
  line: number | null
  session: string | null
  path: string | null
  title: string | null
  state: string | null
}

export interface CurvePoint {
  index: number
  at: number | null
  model: string | null
  context: number
  output: number
}

export interface Outline {
  version: 1
  session: SessionRow
  count: number
  /** One letter for each item: h human, a agent, p program, t tool, e error, m marker. */
  who: string
  line: number[]
  size: number[]
  at: (number | null)[]
  humans: { index: number; line: number; at: number | null; text: string }[]
  markers: { index: number; line: number; marker: string; text: string | null }[]
  curve: CurvePoint[]
  subagents: Subagent[]
  children: Run[]
  off: { from: number; to: number }[]
}

export interface ItemsAnswer {
  version: 1
  count: number
  from: number
  to: number
  items: Item[]
}

export interface ImageOf {
  index: number
  type: string
  bytes: number
}

export interface Call {
  id: string
  name: string
  input: unknown
  output: string | null
  isError: boolean
  outputLine: number | null
  images: ImageOf[]
  diff?: { path: string; before: string; after: string }[]
  cut?: boolean
}

export interface RecordAnswer {
  version: 1
  line: number
  thinking?: string
  text?: string
  calls: Call[]
  images: ImageOf[]
}

export interface Hunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  lines: string[]
}

export interface FileChange {
  path: string
  status: 'created' | 'changed' | 'deleted'
  edits: number
  sessions: string[]
  added: number
  removed: number
  complete: boolean
  hunks: Hunk[]
}

export interface ChangesAnswer {
  version: 1
  files: FileChange[]
}

export interface Changed {
  version: 1
  sessions: { id: string; path: string; items: number; lastActivityAt: string | null }[]
}

export interface LiveAnswer {
  version: 1
  sessions: (SessionRow & { last: Item[] })[]
}

export interface VanishingAnswer {
  version: 1
  sessions: {
    id: string
    path: string
    project: string | null
    title: string | null
    deletesAt: string
    stored: boolean
  }[]
}
