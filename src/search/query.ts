import { type Annotation, hasTag, type Who } from '../model/session.ts'
import { platformIds } from '../platforms/identities.ts'
import { slipsBetween } from './words.ts'

/** One word or quoted phrase as it was typed, without its quotes or the star of a prefix. */
export interface Term {
  text: string
  /** It was quoted: match it exactly, and never inside a word. */
  phrase: boolean
  /** A star follows: its last word is a prefix. */
  prefix: boolean
}

/** The words of a query as a tree. Lists are never empty, and `not` never contains another `not` directly. */
export type Node = { all: Node[] } | { any: Node[] } | { not: Node } | { term: Term }

/** Plain data, which can be sent to a worker or written as JSON. */
export interface Query {
  /** As typed. */
  text: string
  /** Absent if there are only filters. Every term contains a letter or digit, unless it is the only one. */
  words?: { all: Node[] }
  filters: Filters
  /** Sentences about parts that were not interpreted as they may have been meant. */
  remarks: string[]
}

/** Parses a time as people write it. Returns undefined if it is invalid, and never throws. */
export type ParseTime = (text: string, edge: 'since' | 'until', now: number) => number | undefined

/** Several values of one filter are alternatives. Different filters must all match. */
export interface FilterLists {
  project: string[]
  agent: string[]
  platform: string[]
  who: Who[]
  tool: string[]
  file: string[]
  session: string[]
  branch: string[]
  tag: string[]
  device: string[]
  person: string[]
  starred: boolean
  error: boolean
  question: boolean
}

export interface Filters extends FilterLists {
  /** Milliseconds since 1970, exclusive. The earliest of several values. */
  before?: number
  /** Milliseconds since 1970, inclusive. The latest of several values. */
  after?: number
  /** Filters that must not match. */
  without: FilterLists
}

const NAMES = [
  'project',
  'agent',
  'platform',
  'who',
  'tool',
  'file',
  'edited',
  'read',
  'session',
  'branch',
  'tag',
  'device',
  'person',
  'before',
  'after',
  'is',
  'has',
] as const

export type FilterName = (typeof NAMES)[number]

/** Names from other programs and languages, and what they are called here. */
const OTHER_NAMES: Readonly<Record<string, FilterName>> = {
  from: 'who',
  by: 'who',
  role: 'who',
  speaker: 'who',
  author: 'who',
  since: 'after',
  until: 'before',
  path: 'file',
  filename: 'file',
  changed: 'edited',
  wrote: 'edited',
  repo: 'project',
  label: 'tag',
  type: 'tool',
  machine: 'device',
  user: 'person',
}
const SLIPS = 2
/** Shorter words are too near to each other. */
const SHORTEST = 4

/** The filter that a name which is none was probably meant as. */
export function nearestFilter(name: string): FilterName | undefined {
  const other = OTHER_NAMES[name]
  if (other || name.length < SHORTEST) return other
  return NAMES.find((each) => each.length >= SHORTEST && slipsBetween(each, name, SLIPS) <= SLIPS)
}

export const isFilterName = (name: string | undefined): name is FilterName =>
  (NAMES as readonly (string | undefined)[]).includes(name)

const SPEAKERS = new Map<string, Who>([
  ['human', 'human'],
  ['me', 'human'],
  ['you', 'human'],
  ['user', 'human'],
  ['agent', 'agent'],
  ['assistant', 'agent'],
  ['it', 'agent'],
  ['tool', 'tool'],
  ['program', 'program'],
  ['error', 'error'],
  ['memory', 'memory'],
])

/** A platform before an agent's id. */
const PROGRAM = new RegExp(`^(?:${platformIds().join('|')}):[^:]+$`, 'i')

const noLists = (): FilterLists => ({
  project: [],
  agent: [],
  platform: [],
  who: [],
  tool: [],
  file: [],
  session: [],
  branch: [],
  tag: [],
  device: [],
  person: [],
  starred: false,
  error: false,
  question: false,
})

export const noFilters = (): Filters => ({ ...noLists(), without: noLists() })

/** Names of tools that change the file they are used on, and of those that read it. */
export const EDITING: readonly string[] = ['edit', 'multiedit', 'write', 'notebookedit', 'apply_patch']
const READING: readonly string[] = ['read', 'notebookread']

/**
 * Adds one filter to `filters`. If it is invalid, returns the reason and leaves `filters` unchanged. The
 * reason is empty if the text was certainly not meant as a filter, as in `file://`.
 */
export function takeFilter(
  filters: Filters,
  name: FilterName,
  value: string,
  denied: boolean,
  timeOf: (text: string) => number | undefined,
): string | undefined {
  const lists = denied ? filters.without : filters
  const wanted = value.trim()
  if (wanted === '') return 'needs a value right after the colon'
  switch (name) {
    case 'before':
    case 'after': {
      const time = timeOf(wanted)
      if (time === undefined || !Number.isFinite(time))
        return 'is not a valid time (use 7d, 2026-01-31 or yesterday)'
      if ((name === 'before') !== denied) filters.before = Math.min(filters.before ?? time, time)
      else filters.after = Math.max(filters.after ?? time, time)
      return undefined
    }
    case 'is':
    case 'has': {
      const fact = wanted.toLowerCase()
      if (fact !== 'error' && fact !== 'question' && fact !== 'starred')
        return 'is not a known property (use error, question or starred)'
      lists[fact] = true
      return undefined
    }
    case 'who': {
      const who = SPEAKERS.get(wanted.toLowerCase())
      if (!who) return 'is not a known speaker (use human, agent, tool, program, error or memory)'
      if (!lists.who.includes(who)) lists.who.push(who)
      return undefined
    }
    case 'edited':
    case 'read':
      if (denied) return 'cannot be excluded'
      for (const tool of name === 'read' ? READING : EDITING)
        if (!lists.tool.includes(tool)) lists.tool.push(tool)
      if (!lists.file.includes(wanted)) lists.file.push(wanted)
      return undefined
    default:
      if (name === 'file' && wanted.startsWith('//')) return ''
      // Rejects a session key such as `agent:main:discord`, but accepts a platform before the agent.
      if (name === 'agent' && wanted.includes(':') && !PROGRAM.test(wanted))
        return 'is not the name of an agent'
      if (!lists[name].includes(wanted)) lists[name].push(wanted)
      return undefined
  }
}

/** What is known of a session without its messages. */
export interface SessionFacts {
  session: string
  platform: string
  agent: string
  project?: string | null
  /** The project folder. */
  folder?: string | null
  /** The Git branches it worked on. */
  branches?: readonly string[]
  /** What the user noted about it. */
  annotation?: Annotation
  /** The machine it is on, and who works there, in a team store. */
  device?: string
  person?: string
}

/** Whether the filters select a session. Values of one filter are alternatives; all filters must match. */
export function selectsSession(
  { project, agent, platform, session, branch, tag, device, person, starred }: FilterLists,
  facts: SessionFacts,
): boolean {
  return (
    (project.length === 0 || project.some((each) => isInProject(facts, each))) &&
    (agent.length === 0 || agent.some((each) => isOfAgent(facts, each))) &&
    (platform.length === 0 || platform.some((each) => holds(facts.platform, each))) &&
    (branch.length === 0 || branch.some((each) => facts.branches?.some((name) => holds(name, each)))) &&
    (device.length === 0 || device.some((each) => holds(facts.device, each))) &&
    (person.length === 0 || person.some((each) => holds(facts.person, each))) &&
    (tag.length === 0 || tag.some((each) => hasTag(facts.annotation, each))) &&
    (!starred || facts.annotation?.star === true) &&
    (session.length === 0 ||
      session.some((each) => facts.session.startsWith(each) || facts.session.startsWith(`agent-${each}`)))
  )
}

/** By a part of the project's name or folder. Agents also match by the name that project listings show. */
function isInProject(facts: SessionFacts, wanted: string): boolean {
  if (holds(facts.project, wanted) || holds(facts.folder, wanted)) return true
  if (/^agent:/i.test(wanted)) return isOfAgent(facts, wanted.slice('agent:'.length))
  return facts.project == null && isOfAgent(facts, wanted)
}

/** By the agent's id, or with the platform before it: `openclaw:main`. */
function isOfAgent({ agent, platform }: SessionFacts, wanted: string): boolean {
  const name = wanted.toLowerCase()
  return agent.toLowerCase() === name || `${platform}:${agent}`.toLowerCase() === name
}

/** Whether any of these filters is set. */
export const hasSessionFilter = ({
  project,
  agent,
  platform,
  session,
  branch,
  tag,
  device,
  person,
  starred,
}: FilterLists): boolean =>
  starred ||
  [project, agent, platform, session, branch, tag, device, person].some((values) => values.length > 0)

const holds = (text: string | null | undefined, wanted: string): boolean =>
  text?.toLowerCase().includes(wanted.toLowerCase()) === true
