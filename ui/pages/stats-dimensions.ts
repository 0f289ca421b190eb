import { type Address, ask, type ParametersOf, type StatsRow } from '../api/ask.ts'
import { projectAddress, sessionAddress } from '../state/router.ts'
import { dateOf, onClock, periodName, readerZone } from '../text/times.ts'
import { ofDay, sessionsOf } from './query-filters.ts'

export interface Dimension {
  value: NonNullable<ParametersOf<'stats'>['by']>
  label: string
  isTime?: true
  /** Rows without these figures: what people wrote, and tools. */
  withoutTalk?: true
  /** Rows without tokens and costs. */
  withoutUsage?: true
  /** Rows that have no models of their own to list. */
  withoutModels?: true
  /** The address that a row leads to, if there is one. */
  address?(row: StatsRow): string | undefined
  name?(row: StatsRow): string
}

/** What has no name, such as the sessions without a project, is in parentheses, and leads nowhere. */
const isNamed = (key: string): boolean => !/^\(.*\)$/.test(key)

const filtered =
  (name: string) =>
  ({ key }: StatsRow): string | undefined =>
    isNamed(key) ? sessionsOf({ [name]: key }) : undefined

export const DIMENSIONS: readonly Dimension[] = [
  {
    value: 'day',
    label: 'Day',
    isTime: true,
    name: ({ key }) => periodName(key),
    address: ({ key }) => (isNamed(key) ? sessionsOf(ofDay(key)) : undefined),
  },
  { value: 'week', label: 'Week', isTime: true },
  { value: 'month', label: 'Month', isTime: true },
  {
    value: 'block',
    label: 'Block of five hours',
    isTime: true,
    withoutTalk: true,
    name: ({ key, block }) =>
      block ? `${dateOf(Date.parse(block.startsAt))}${onClock(key.slice(10, 16))}` : key,
  },
  { value: 'model', label: 'Model', withoutTalk: true, withoutModels: true, address: filtered('model') },
  {
    value: 'project',
    label: 'Project',
    address: ({ key }) => (isNamed(key) ? projectAddress(key) : undefined),
  },
  {
    value: 'project-day',
    label: 'Project and day',
    isTime: true,
    name: ({ key, day, project }) => (day && project ? `${periodName(day)} · ${project}` : key),
    address: ({ day, project }) =>
      day && project && isNamed(day) && isNamed(project) ? sessionsOf({ project, ...ofDay(day) }) : undefined,
  },
  {
    value: 'session',
    label: 'Session',
    name: ({ title, key }) => title ?? key,
    address: ({ key }) => sessionAddress(key),
  },
  { value: 'tool', label: 'Tool', withoutUsage: true, withoutModels: true },
  { value: 'agent', label: 'Agent', address: filtered('agent') },
  { value: 'platform', label: 'Client', address: filtered('platform') },
  { value: 'device', label: 'Device' },
  { value: 'person', label: 'Person' },
]

/** The dimension of an address. An unknown one is left to the server, which says so. */
export const dimensionOf = (by: string): Dimension | undefined =>
  DIMENSIONS.find(({ value }) => value === (by || 'day'))

/** The statistics, with the days of the reader's time zone. A project is the one with exactly this name. */
export const statsAddress = (parameters: ParametersOf<'stats'>): Address<'stats'> =>
  ask('stats', { all: !parameters.project, timezone: readerZone(), ...parameters })
