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
  'tag',
  'device',
  'person',
] as const

/** Which sessions a listing, a search or the page is about. All of it must hold. */
export interface SessionFilter extends Partial<Record<(typeof SESSION_LISTS)[number], readonly string[]>> {
  starred?: boolean
  title?: string | undefined
  model?: string | undefined
  /** Kinds, surfaces, `prompted` and `script`. */
  kinds?: ReadonlySet<string> | 'all'
  /** Active since, and begun until, in ms. */
  since?: number
  until?: number
}

/** Whether one value of a list selects a session. */
const SELECTS: Record<(typeof SESSION_LISTS)[number], (facts: SessionFacts, wanted: string) => boolean> = {
  project: isInProject,
  agent: isOfAgent,
  platform: ({ platform }, wanted) => holds(platform, wanted),
  branch: ({ branches = [] }, wanted) => branches.some((name) => holds(name, wanted)),
  device: ({ device }, wanted) => holds(device, wanted),
  person: ({ person }, wanted) => holds(person, wanted),
  tag: ({ annotation }, wanted) => hasTag(annotation, wanted),
  session: ({ session }, wanted) => session.startsWith(wanted) || session.startsWith(`agent-${wanted}`),
}

/** Whether a filter selects a session. */
export const selectsSession = (filter: SessionFilter, facts: SessionFacts): boolean =>
  (!filter.starred || facts.annotation?.star === true) &&
  (filter.title === undefined || isTitled(facts, filter.title)) &&
  (filter.model === undefined || holds(facts.model, filter.model)) &&
  isOfKinds(facts, filter.kinds) &&
  (filter.since === undefined || (facts.lastActivityMs ?? facts.modifiedMs ?? 0) >= filter.since) &&
  (filter.until === undefined || (facts.startedMs ?? facts.modifiedMs ?? 0) <= filter.until) &&
  SESSION_LISTS.every(
    (name) => !filter[name]?.length || filter[name].some((wanted) => SELECTS[name](facts, wanted)),
  )

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

const isOfKinds = (
  { kind, entry, promptedBy, script }: SessionFacts,
  kinds: SessionFilter['kinds'] = 'all',
): boolean =>
  kinds === 'all' ||
  kinds.has(kind ?? '') ||
  kinds.has(entry?.surface ?? '') ||
  (promptedBy !== undefined && kinds.has('prompted')) ||
  (script !== undefined && kinds.has('script'))

const holds = (text: string | null | undefined, wanted: string): boolean =>
  text?.toLowerCase().includes(wanted.toLowerCase()) === true
