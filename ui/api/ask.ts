import type * as z from 'zod/mini'
import type { ChangedSession } from '../../src/commands/serve/watch.ts'
import type { WritingName } from '../../src/surfaces/http/page/protocol.ts'
import type { Questions } from '../../src/surfaces/http/page/questions.ts'

// What the page may ask, and what it is answered: derived from the endpoints of the server, so that the two cannot
// differ. Only types are imported, so no code of the server gets into the page.

type EndpointName = keyof Questions

type Definition<Name extends EndpointName> = Awaited<ReturnType<Questions[Name]['load']>>

type Without<Name extends EndpointName> = NonNullable<Questions[Name]['without']>[number]

/** The parameters of an endpoint, or the fields of what is sent to it. */
export type ParametersOf<Name extends EndpointName> = Omit<z.input<Definition<Name>['input']>, Without<Name>>

/** What an endpoint answers. */
export type AnswerTo<Name extends EndpointName> = z.output<ReturnType<Definition<Name>['output']>>

/** The endpoints that only read. `post` sends to the others. */
export type ReadingName = Exclude<EndpointName, WritingName>

/** Those that answer with JSON, which has a version. The others answer with a file. */
export type JsonName = {
  [Name in ReadingName]: AnswerTo<Name> extends { version: 1 } ? Name : never
}[ReadingName]

declare const asked: unique symbol

/** An address that `ask` made. Its type says which endpoint it is of, and so what will be answered. */
export type Address<Name extends ReadingName> = string & { readonly [asked]: Name }

/** The address of a question. Parameters that are absent, empty or false are left out, lists are repeated. */
export const ask = <Name extends ReadingName>(
  name: Name,
  parameters: ParametersOf<Name> = {} as ParametersOf<Name>,
): Address<Name> => askMore(`/api/${name}` as Address<Name>, parameters)

/** The same question with more parameters. */
export function askMore<Name extends ReadingName>(
  address: Address<Name>,
  parameters: ParametersOf<Name>,
): Address<Name> {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(parameters)) {
    if (value === undefined || value === '' || value === false) continue
    for (const each of Array.isArray(value) ? value : [value]) search.append(key, String(each))
  }
  if (search.size === 0) return address
  return `${address}${address.includes('?') ? '&' : '?'}${search}` as Address<Name>
}

// Answers of endpoints, and parts of them, by the names that the page uses.

export type ChangedFile = AnswerTo<'changes'>['files'][number]
export type Hunk = ChangedFile['hunks'][number]
export type ChoicesAnswer = AnswerTo<'choices'>
export type CollectorAnswer = AnswerTo<'collector'>
export type DevlogAnswer = AnswerTo<'devlog'>
export type Diagnosis = AnswerTo<'doctor'>
export type ItemsAnswer = AnswerTo<'items'>
export type Item = ItemsAnswer['items'][number]
export type JobsAnswer = AnswerTo<'cron'>
export type Job = JobsAnswer['jobs'][number]
export type JobRun = NonNullable<JobsAnswer['runs']>[number]
export type FacetsAnswer = AnswerTo<'facets'>
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
export type RescueAnswer = AnswerTo<'rescue'>
export type SearchAnswer = AnswerTo<'search'>
export type Hit = SearchAnswer['hits'][number]
export type SecretsAnswer = AnswerTo<'secrets'>
export type SessionsAnswer = AnswerTo<'sessions'>
export type SessionRow = ListingAnswer['sessions'][number]
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
