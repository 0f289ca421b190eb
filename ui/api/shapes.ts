import type { ChangedSession } from '../../src/commands/serve/watch.ts'
import type { AnswerTo } from './ask.ts'

// Answers of endpoints, and parts of them, by the names that the page uses.

export type ChangedFile = AnswerTo<'changes'>['files'][number]
export type Hunk = ChangedFile['hunks'][number]
export type ChoicesAnswer = AnswerTo<'choices'>
export type CollectorAnswer = AnswerTo<'collector'>
export type DevlogAnswer = AnswerTo<'devlog'>
export type Diagnosis = AnswerTo<'doctor'>
export type ItemsAnswer = AnswerTo<'items'>
export type Item = ItemsAnswer['items'][number]
export type Jobs = AnswerTo<'cron'>
export type Job = Jobs['jobs'][number]
export type JobRun = NonNullable<Jobs['runs']>[number]
export type ListingAnswer = AnswerTo<'listing'>
export type LiveAnswer = AnswerTo<'live'>
export type MemoryAnswer = AnswerTo<'memory'>
export type Document = MemoryAnswer['documents'][number]
export type Outline = AnswerTo<'outline'>
export type Curve = Outline['curve']
export type Subagent = Outline['subagents'][number]
export type ProjectsAnswer = AnswerTo<'projects'>
export type ProjectRow = ProjectsAnswer['projects'][number]
export type RecordAnswer = AnswerTo<'record'>
export type Call = RecordAnswer['calls'][number]
export type ImageOf = RecordAnswer['images'][number]
export type SearchAnswer = AnswerTo<'search'>
export type Hit = SearchAnswer['hits'][number]
export type SecretsAnswer = AnswerTo<'secrets'>
export type SessionsAnswer = AnswerTo<'sessions'>
export type SessionRow = SessionsAnswer['sessions'][number]
/** What the person noted about a session. */
export type Marks = Pick<SessionRow, 'star' | 'name' | 'tags'>
export type StatsAnswer = AnswerTo<'stats'>
export type StatsRow = StatsAnswer['rows'][number]
export type TagAnswer = AnswerTo<'tag'>
export type VanishingAnswer = AnswerTo<'vanishing'>

/** The event `changed`. */
export interface Changed {
  version: 1
  sessions: ChangedSession[]
}
