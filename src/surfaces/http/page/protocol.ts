import type { Storage } from '../../../context/context.ts'
import type { GlobalFlags } from '../../../context/flags.ts'
import { type ErrorCode, ScrollbackError } from '../../../errors.ts'
import type { Environment } from '../../../model/artifact.ts'

/** What a reading thread needs of the process. Functions cannot be sent to it. */
export interface ReaderSettings {
  environment: Environment
  directory: string
  here: string
  /** The fixed time of the demo, in ms. */
  now?: number
  threads: number
  /** Whether this thread indexes what is not indexed yet, between the questions. */
  indexes: boolean
  storePath: string
  /** The team store, if the answers come from one. */
  storeAddress?: NonNullable<Storage['remote']>['address']
  dataFolder: string
  retentionDays?: number
  globalFlags: GlobalFlags
  machine: { device: string; user: string }
  started: { executable: string; script: string }
}

/** Parameters as they were sent: all values of each name. */
type Parameters = Readonly<Record<string, readonly string[]>>

/** What is asked: parameters of an address, or the fields of a body. */
export type Given = { parameters: Parameters } | { fields: Readonly<Record<string, unknown>> }

/** What precedes the bytes of an answer. */
export interface Head {
  status: number
  type: string
  /** The name of a download. */
  name?: string
  /** What could not be read. */
  notes: string[]
}

/** A part of an answer. The first one has the head. */
export interface Part {
  head?: Head
  bytes: Uint8Array<ArrayBuffer>
  last: boolean
}

/** What happens while the disk is followed, for the pages that are open. */
export interface ReaderEvent {
  name: string
  data: string
}

/** How far the answer to a long question is, in bytes. */
export interface QuestionProgress {
  version: 1
  question: string
  done: number
  all: number
}

/** What the server knows of an endpoint. Only the threads that read load what it answers (`questions.ts`). */
export interface Endpoint {
  /** It changes something in our store, so it is sent as JSON with POST. */
  writes?: true
  /** It takes long, so it has a thread of its own. */
  isLong?: true
}

const usual = {} satisfies Endpoint
const long = { isLong: true } satisfies Endpoint
const writing = { writes: true } satisfies Endpoint

const byName = {
  overview: usual,
  projects: usual,
  sessions: usual,
  session: usual,
  read: usual,
  search: usual,
  runs: usual,
  stats: usual,
  cron: usual,
  memory: usual,
  secrets: long,
  doctor: long,
  resume: usual,
  changes: usual,
  why: usual,
  standup: usual,
  devlog: long,
  tag: writing,
  tags: usual,
  items: usual,
  positions: usual,
  outline: usual,
  branches: usual,
  record: usual,
  image: usual,
  listing: usual,
  facets: usual,
  choices: usual,
  live: usual,
  vanishing: usual,
  rescue: usual,
  neighbors: usual,
  export: usual,
  collector: long,
  'openapi.json': usual,
}

export type EndpointName = keyof typeof byName

/** The endpoints that change something. */
export type WritingName = {
  [Name in EndpointName]: (typeof byName)[Name] extends typeof writing ? Name : never
}[EndpointName]

/** All endpoints that a thread answers. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(Object.entries<Endpoint>(byName))

/** An error as the answer to a request. */
export interface Refusal {
  status: number
  body: { version: 1; error: string; hint?: string; matches?: readonly string[] }
}

export const refusal = (status: number, error: string, hint?: string): Refusal => ({
  status,
  body: { version: 1, error, ...(hint === undefined ? {} : { hint }) },
})

const STATUS: Partial<Record<ErrorCode, number>> = {
  'bad-option': 400,
  'bad-time': 400,
  'bad-pattern': 400,
  'several-projects': 409,
  'several-sessions': 409,
  'several-jobs': 409,
}

/** The status and the words for an error of a command. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ScrollbackError)) return refusal(500, 'This is a fault of the program itself.')
  const status = STATUS[error.code] ?? (error.isMissing ? 404 : 500)
  const { body } = refusal(status, error.message, error.wayOut)
  return { status, body: status === 409 ? { ...body, matches: error.matches ?? [] } : body }
}
