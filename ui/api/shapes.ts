import type * as z from 'zod/mini'
import type { ChangedFile, ChangesAnswer, Hunk } from '../../src/commands/changes/answer.ts'
import type { CollectAnswer } from '../../src/commands/collect/answer.ts'
import type { CronAnswer } from '../../src/commands/cron/answer.ts'
import type { DevlogAnswer } from '../../src/commands/devlog/answer.ts'
import type { Diagnosis as DoctorAnswer } from '../../src/commands/doctor/answer.ts'
import type { Command } from '../../src/commands/kit/command.ts'
import type { MemoryAnswer as Memory } from '../../src/commands/memory/answer.ts'
import type { overview } from '../../src/commands/overview/command.ts'
import type { projects } from '../../src/commands/projects/command.ts'
import type { resume } from '../../src/commands/resume/command.ts'
import type { output as searchOutput } from '../../src/commands/search/answer.ts'
import type { SecretsJson } from '../../src/commands/secrets/command.ts'
import type { branches } from '../../src/commands/serve/branches.ts'
import type { choices } from '../../src/commands/serve/choices.ts'
import type { items } from '../../src/commands/serve/items.ts'
import type { listing } from '../../src/commands/serve/listing.ts'
import type { live } from '../../src/commands/serve/live.ts'
import type { neighbors } from '../../src/commands/serve/neighbors.ts'
import type { outline } from '../../src/commands/serve/outline.ts'
import type { Question } from '../../src/commands/serve/question.ts'
import type { record } from '../../src/commands/serve/record.ts'
import type { vanishing } from '../../src/commands/serve/vanishing.ts'
import type { sessions } from '../../src/commands/sessions/command.ts'
import type { stats } from '../../src/commands/stats/command.ts'
import type { TagAnswer } from '../../src/commands/tag/answer.ts'

export type { ChangedFile, ChangesAnswer, DevlogAnswer, Hunk, TagAnswer }

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

export type SessionRow = SessionsAnswer['sessions'][number]
/** What the person noted about a session. */
export type Marks = Pick<SessionRow, 'star' | 'name' | 'tags'>

// The answers of the endpoints that belong to the page alone.

type QuestionAnswer<Definition> = Definition extends Question<infer _Input, infer Output> ? Output : never

export type Outline = QuestionAnswer<typeof outline>
export type Curve = Outline['curve']
export type Subagent = Outline['subagents'][number]
export type BranchesAnswer = QuestionAnswer<typeof branches>
export type ItemsAnswer = QuestionAnswer<typeof items>
export type Item = ItemsAnswer['items'][number]
export type RecordAnswer = QuestionAnswer<typeof record>
export type Call = RecordAnswer['calls'][number]
export type ImageOf = RecordAnswer['images'][number]
export type ListingAnswer = QuestionAnswer<typeof listing>
export type ChoicesAnswer = QuestionAnswer<typeof choices>
export type NeighborsAnswer = QuestionAnswer<typeof neighbors>
export type LiveAnswer = QuestionAnswer<typeof live>
export type VanishingAnswer = QuestionAnswer<typeof vanishing>

export interface Changed {
  version: 1
  sessions: {
    id: string
    path: string
    /** The id of the session that started it. */
    parent: string | null
    items: number
    lastActivityAt: string | null
  }[]
}
