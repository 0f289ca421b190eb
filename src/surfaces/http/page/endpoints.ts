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
  devlog: long,
  tag: writing,
  tags: usual,
  items: usual,
  outline: usual,
  branches: usual,
  record: usual,
  image: usual,
  listing: usual,
  choices: usual,
  live: usual,
  vanishing: usual,
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
