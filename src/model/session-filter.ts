import { type Annotation, hasTag, type Session } from './session.ts'

/** What filters compare of a session. Its store knows some of it, and its row the rest. */
export interface SessionFacts
  extends Partial<
    Pick<
      Session,
      | 'branches'
      | 'device'
      | 'person'
      | 'title'
      | 'subagent'
      | 'model'
      | 'kind'
      | 'entry'
      | 'promptedBy'
      | 'script'
      | 'startedMs'
      | 'lastActivityMs'
      | 'modifiedMs'
    >
  > {
  session: string
  platform: string
  agent: string
  project?: string | null
  /** The project folder. */
  folder?: string | null
  /** What the user noted about it. */
  annotation?: Annotation
}

/** The filters that have several values, which are alternatives. */
export const SESSION_LISTS = [
  'project',
  'agent',
  'platform',
  'session',
  'branch',
  'kind',
  'model',
  'tag',
  'device',
  'person',
] as const

/** Which sessions a listing, a search or the page is about. All of it must hold. */
export interface SessionFilter extends Partial<Record<(typeof SESSION_LISTS)[number], readonly string[]>> {
  starred?: boolean
  title?: string | undefined
  /** Kinds, surfaces, `prompted` and `script`. */
  kinds?: ReadonlySet<string> | 'all'
  /** Active since, and begun until, in ms. */
  since?: number
  until?: number
}

/** What a filter compares that is not at hand for all sessions: their rows have to be read. */
export interface FactNeeds {
  rows: boolean
}

/** What these filters need to know. */
export const needsOf = (...filters: readonly SessionFilter[]): FactNeeds => ({
  rows: filters.some(({ branch, kind, model }) => [branch, kind, model].some((list) => list?.length)),
})

/** Whether one value of a list selects a session. */
const SELECTS: Record<(typeof SESSION_LISTS)[number], (facts: SessionFacts, wanted: string) => boolean> = {
  project: isInProject,
  agent: isOfAgent,
  platform: ({ platform }, wanted) => platform.startsWith(wanted.toLowerCase()),
  branch: ({ branches = [] }, wanted) => branches.some((name) => holds(name, wanted)),
  kind: (facts, wanted) => isOfKinds(facts, kindsIn(wanted)),
  model: ({ model }, wanted) => holds(model, wanted),
  device: ({ device }, wanted) => holds(device, wanted),
  person: ({ person }, wanted) => holds(person, wanted),
  tag: ({ annotation }, wanted) => hasTag(annotation, wanted),
  session: ({ session }, wanted) => session.startsWith(wanted) || session.startsWith(`agent-${wanted}`),
}

/** Whether a filter selects a session. */
export const selectsSession = (filter: SessionFilter, facts: SessionFacts): boolean =>
  (!filter.starred || facts.annotation?.star === true) &&
  (filter.title === undefined || isTitled(facts, filter.title)) &&
  isOfKinds(facts, filter.kinds) &&
  (filter.since === undefined || (facts.lastActivityMs ?? facts.modifiedMs ?? 0) >= filter.since) &&
  (filter.until === undefined || (facts.startedMs ?? facts.modifiedMs ?? 0) <= filter.until) &&
  SESSION_LISTS.every(
    (name) => !filter[name]?.length || filter[name].some((wanted) => SELECTS[name](facts, wanted)),
  )

/** The filters that a whole name narrows to itself. */
const WHOLE = ['project', 'model', 'device', 'person'] as const

/**
 * A filter over some sessions. Where one of them has a project, model, machine or person of exactly the name
 * that is asked for, those that only contain the name are not meant.
 */
export function selecting(
  filter: SessionFilter,
  all: readonly SessionFacts[],
): (facts: SessionFacts) => boolean {
  const asked = WHOLE.filter((name) => filter[name]?.length)
  if (asked.length === 0) return (facts) => selectsSession(filter, facts)
  const rest = { ...filter, ...Object.fromEntries(asked.map((name) => [name, []])) }
  const tests = asked.map((name) => {
    const wanted = new Set(filter[name]!.map((value) => value.toLowerCase()))
    const exact = new Set(all.flatMap((facts) => nameIn(wanted, facts[name]) ?? []))
    const others = [...wanted].filter((value) => !exact.has(value))
    return (facts: SessionFacts): boolean =>
      nameIn(exact, facts[name]) !== undefined || others.some((value) => SELECTS[name](facts, value))
  })
  return (facts) => selectsSession(rest, facts) && tests.every((test) => test(facts))
}

/** A filter by what is excluded: it holds where any of it does. */
export function selectingAny(
  { starred, ...lists }: SessionFilter,
  all: readonly SessionFacts[],
): (facts: SessionFacts) => boolean {
  const filters: SessionFilter[] = [
    ...(starred ? [{ starred }] : []),
    ...SESSION_LISTS.map((name) => ({ [name]: lists[name] })),
  ]
  const tests = filters.filter(hasSessionFilter).map((filter) => selecting(filter, all))
  return (facts) => tests.some((test) => test(facts))
}

function nameIn(names: ReadonlySet<string>, name: string | null | undefined): string | undefined {
  const lower = name?.toLowerCase()
  return lower !== undefined && names.has(lower) ? lower : undefined
}

/** The names by which filters of a session select it, as they stand in a list of values. */
export const filterNames = {
  agent: ({ platform, agent }) => [agent, `${platform}:${agent}`],
  project: ({ project }) => (project == null ? [] : [project]),
  kind: ({ kind, entry, promptedBy, script }) => [
    ...(kind == null ? [] : [kind]),
    ...(entry?.surface === undefined ? [] : [entry.surface]),
    ...(promptedBy === undefined ? [] : ['prompted']),
    ...(script === undefined ? [] : ['script']),
  ],
  model: ({ model }) => (model === undefined ? [] : [model]),
  tag: ({ annotation }) => annotation?.tags ?? [],
} satisfies Partial<Record<(typeof SESSION_LISTS)[number], (facts: SessionFacts) => readonly string[]>>

/** Whether any list, or the star, is asked for. */
export const hasSessionFilter = (filter: SessionFilter): boolean =>
  filter.starred === true || SESSION_LISTS.some((name) => filter[name]?.length)

/** By the agent's id, or with the platform before it: `openclaw:main`. */
export function isOfAgent(
  { agent, platform }: Pick<SessionFacts, 'platform' | 'agent'>,
  wanted: string,
): boolean {
  const name = wanted.toLowerCase()
  return agent.toLowerCase() === name || `${platform}:${agent}`.toLowerCase() === name
}

/** By a part of the project's name or folder. Agents also match by the name that project listings show. */
function isInProject(facts: SessionFacts, wanted: string): boolean {
  if (holds(facts.project, wanted) || holds(facts.folder, wanted)) return true
  if (/^agent:/i.test(wanted)) return isOfAgent(facts, wanted.slice('agent:'.length))
  return facts.project == null && isOfAgent(facts, wanted)
}

/** By its title or the task of a subagent, or by the name that the user gave it. */
const isTitled = ({ title, subagent, annotation }: SessionFacts, wanted: string): boolean =>
  holds(title ?? subagent?.description, wanted) || holds(annotation?.name, wanted)

const isOfKinds = (facts: SessionFacts, kinds: SessionFilter['kinds'] = 'all'): boolean =>
  kinds === 'all' || filterNames.kind(facts).some((name) => kinds.has(name))

/** Kinds and surfaces, separated by commas. `all` means every one. */
function kindsIn(text: string): ReadonlySet<string> | 'all' {
  const names = new Set(text.split(',').map((name) => name.trim().toLowerCase()))
  return names.has('all') ? 'all' : names
}

const holds = (text: string | null | undefined, wanted: string): boolean =>
  text?.toLowerCase().includes(wanted.toLowerCase()) === true
