import type * as z from 'zod/mini'
import type { CollectAnswer } from '../../src/commands/collect/answer.ts'
import type { CronAnswer } from '../../src/commands/cron/answer.ts'
import type { Diagnosis as DoctorAnswer } from '../../src/commands/doctor/answer.ts'
import type { Command } from '../../src/commands/kit/command.ts'
import type { MemoryAnswer as Memory } from '../../src/commands/memory/answer.ts'
import type { overview } from '../../src/commands/overview/command.ts'
import type { projects } from '../../src/commands/projects/command.ts'
import type { resume } from '../../src/commands/resume/command.ts'
import type { output as searchOutput } from '../../src/commands/search/answer.ts'
import type { SecretsJson } from '../../src/commands/secrets/command.ts'
import type { items } from '../../src/commands/serve/items.ts'
import type { live } from '../../src/commands/serve/live.ts'
import type { outline } from '../../src/commands/serve/outline.ts'
import type { Question } from '../../src/commands/serve/question.ts'
import type { record } from '../../src/commands/serve/record.ts'
import type { vanishing } from '../../src/commands/serve/vanishing.ts'
import type { sessions } from '../../src/commands/sessions/command.ts'
import type { stats } from '../../src/commands/stats/command.ts'

// The answers of the commands, derived from their definitions.

type AnswerOf<Definition> = Definition extends Command<infer _Input, infer Output> ? Output : never

export type OverviewAnswer = AnswerOf<typeof overview>
export type ProjectsAnswer = AnswerOf<typeof projects>
export type SessionsAnswer = AnswerOf<typeof sessions>
export type StatsAnswer = AnswerOf<typeof stats>
export type SecretsAnswer = SecretsJson
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

/** Marks of a person, which `tag` adds to the rows of sessions. */
export interface Marks {
  star?: boolean
  name?: string | null
  tags?: string[]
}

export type SessionRow = SessionsAnswer['sessions'][number] & Marks

// The answers of the endpoints that belong to the page alone.

type QuestionAnswer<Definition> = Definition extends Question<infer _Input, infer Output> ? Output : never

export type Outline = QuestionAnswer<typeof outline>
export type Subagent = Outline['subagents'][number]
export type CurvePoint = Outline['curve'][number]
export type ItemsAnswer = QuestionAnswer<typeof items>
export type Item = ItemsAnswer['items'][number]
export type RecordAnswer = QuestionAnswer<typeof record>
export type Call = RecordAnswer['calls'][number]
export type ImageOf = RecordAnswer['images'][number]
export type LiveAnswer = QuestionAnswer<typeof live>
export type VanishingAnswer = QuestionAnswer<typeof vanishing>

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
