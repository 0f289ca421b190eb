import type { Who } from '../model/session.ts'
import type { FilterLists, Filters } from './query.ts'

const NAMES = [
  'project',
  'agent',
  'platform',
  'who',
  'tool',
  'file',
  'session',
  'branch',
  'before',
  'after',
  'is',
  'has',
] as const

export type FilterName = (typeof NAMES)[number]

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

/** What may stand before an agent's id. */
const PROGRAM = /^(?:openclaw|claude-code):[^:]+$/i

const noLists = (): FilterLists => ({
  project: [],
  agent: [],
  platform: [],
  who: [],
  tool: [],
  file: [],
  session: [],
  branch: [],
  error: false,
  question: false,
})

export const noFilters = (): Filters => ({ ...noLists(), without: noLists() })

/**
 * Writes one filter into `filters`. When it cannot be one, answers why and leaves them as they are; the answer is empty
 * where nobody can have meant a filter, as in `file://`.
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
  if (wanted === '') return 'needs a value right behind the colon'
  switch (name) {
    case 'before':
    case 'after': {
      const time = timeOf(wanted)
      if (time === undefined || !Number.isFinite(time)) return 'is no time that I understand'
      if ((name === 'before') !== denied) filters.before = Math.min(filters.before ?? time, time)
      else filters.after = Math.max(filters.after ?? time, time)
      return undefined
    }
    case 'is':
    case 'has': {
      const fact = wanted.toLowerCase()
      if (fact !== 'error' && fact !== 'question') return 'is nothing that I can tell: error, question'
      lists[fact] = true
      return undefined
    }
    case 'who': {
      const who = SPEAKERS.get(wanted.toLowerCase())
      if (!who) return 'is nobody that I know: human, agent, tool, program, error, memory'
      if (!lists.who.includes(who)) lists.who.push(who)
      return undefined
    }
    default:
      if (name === 'file' && wanted.startsWith('//')) return ''
      // A session key, such as `agent:main:discord`; a program in front of the agent is none.
      if (name === 'agent' && wanted.includes(':') && !PROGRAM.test(wanted)) return 'is no name of an agent'
      if (!lists[name].includes(wanted)) lists[name].push(wanted)
      return undefined
  }
}
