import { identityOf } from '../../src/platforms/identities.ts'
import type { SessionRow } from '../api/shapes.ts'

export const titleOf = (row: SessionRow): string =>
  row.name || row.title || row.subagent?.description || row.firstHuman?.slice(0, 120) || 'Untitled session'

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

export const platformName = (platform: string): string => identityOf(platform).name
