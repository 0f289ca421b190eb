import { identityOf } from '../../src/platforms/identities.ts'
import type { SessionRow } from '../api/ask.ts'

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export const count = (value: number): string => whole.format(value)

/** A number in few characters: `1.4M`. */
export const brief = (value: number): string =>
  Math.abs(value) < 10_000 ? count(value) : short.format(value)

export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

export function dollars(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (value !== 0 && Math.abs(value) < 0.01) return '< $0.01'
  return `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

/** A cost on an axis that ends at `most`, where every label says something else. */
export const dollarsOnAxis = (value: number, most: number): string =>
  value === 0 || most >= 0.05
    ? dollars(value)
    : `$${value.toLocaleString('en', { maximumSignificantDigits: 2 })}`

/** A cost at list price, or where no price is known, what the client recorded. */
export const costOrRecorded = (
  cost: number | null | undefined,
  recorded: number | null | undefined,
): string => (cost == null && recorded != null ? `${dollars(recorded)} recorded` : dollars(cost))

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let rest = value
  let unit = 0
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1000
    unit++
  }
  return `${rest < 10 && unit > 0 ? rest.toFixed(1) : Math.round(rest)} ${units[unit]}`
}

export const percent = (value: number): string => `${Math.round(value * 100)} %`

export const titleOf = (row: SessionRow): string =>
  row.name || row.title || row.subagent?.description || row.firstHuman?.slice(0, 120) || 'Untitled session'

/** The title of a session of which nothing else is known. */
export const titleOrId = ({ title, id }: { title: string | null; id: string }): string =>
  title ?? id.slice(0, 8)

/** A model without its provider and date: `vendor/model-4-6-20260101` is `model-4-6`. */
export const modelName = (model: string): string => model.replace(/^.*\//, '').replace(/-\d{8}$/, '')

/** The last parts of a path, which tell most. */
export function shortPath(path: string, parts = 3): string {
  const all = path.split('/').filter(Boolean)
  return all.length <= parts ? path : `…/${all.slice(-parts).join('/')}`
}

export const fileName = (path: string): string => path.split('/').at(-1) || path

/** Each path with as many of its last parts as tell it from the others: `hooks/index.ts`. */
export function distinctNames(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>()
  let open = [...new Set(paths)]
  for (let depth = 1; open.length > 0; depth++) {
    const named = Map.groupBy(open, (path) => path.split('/').slice(-depth).join('/'))
    for (const [name, same] of named) if (same.length === 1) names.set(same[0]!, name)
    open = open.filter((path) => !names.has(path))
  }
  return names
}

const KINDS: Record<string, string> = {
  human: 'With a human',
  cron: 'Scheduled',
  subagent: 'Subagent',
  heartbeat: 'Heartbeat',
  hook: 'Hook',
  program: 'Program',
  prompted: 'By another agent',
  script: 'Script',
}

export const kindName = (kind: string | null): string => (kind === null ? 'Empty' : (KINDS[kind] ?? kind))

/** The name of an agent for people: `Codex`, or `ops of OpenClaw` where a platform has several. */
export function agentName(platform: string, agent?: string): string {
  const { name, manyAgents, programs } = identityOf(platform)
  if (agent === undefined) return name
  return programs?.[agent] ?? (manyAgents ? `${agent} of ${name}` : name)
}

export const platformName = (platform: string): string => identityOf(platform).name
