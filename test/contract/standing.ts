import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Envelope } from '../../src/model/delivery.ts'
import type { DeliveredTree } from './delivered-tree.ts'

/** A record where it stands, found without any of the program's own code. */
export interface Standing {
  /** The session of a transcript, the kind of anything else. */
  scope: string
  raw: unknown
  /** Its line has an end. */
  whole: boolean
}

/** What a record is, wherever it stands. */
export const nameOf = ({ scope, raw }: Pick<Standing, 'scope' | 'raw'>): string =>
  `${scope} ${JSON.stringify(raw)}`

/** By its own id where it has one. */
export const ownNameOf = (standing: Pick<Standing, 'scope' | 'raw'>): string => {
  const { uuid, id, type } = (standing.raw ?? {}) as { uuid?: string; id?: string; type?: string }
  const own = standing.scope.startsWith('cron-') ? undefined : (uuid ?? id)
  return own === undefined ? nameOf(standing) : `${standing.scope} ${type} ${own}`
}

/** Of what was delivered. */
export const scopeOf = ({ kind, session }: Envelope): string => (kind === 'transcript' ? session! : kind)

/** All that stands in the files now. */
export function standingIn(tree: DeliveredTree): Standing[] {
  return [...tree.files().flatMap(linesOf), ...indexOf(tree), ...jobsOf(tree), ...memoryOf(tree)]
}

function linesOf(path: string): Standing[] {
  const lines = readFileSync(path).toString('latin1').split('\n')
  const rest = lines.pop()!
  const scope = path.includes('/runs/')
    ? 'cron-runs'
    : path.endsWith('history.jsonl')
      ? 'prompt-history'
      : basename(path).split('.jsonl')[0]!
  const standing = (line: string, whole: boolean): Standing[] =>
    entriesOf(Buffer.from(line, 'latin1').toString()).map((raw) => ({ scope, raw, whole }))
  return [...lines.flatMap((line) => standing(line, true)), ...standing(rest, false)]
}

/** A line is one record, or several that were glued, or text. */
function entriesOf(line: string): unknown[] {
  if (line.trim() === '') return []
  for (const parts of [[line], line.split(/(?<=\})(?=\{)/)])
    try {
      return parts.map((part) => JSON.parse(part) as unknown)
    } catch {
      // It is the other, or neither.
    }
  return [line]
}

const indexOf = ({ index }: DeliveredTree): Standing[] =>
  Object.entries(existsSync(index) ? (JSON.parse(readFileSync(index, 'utf8')) as object) : {}).map(
    ([key, value]) => ({ scope: 'session-index', raw: { [key]: value as unknown }, whole: true }),
  )

const jobsOf = ({ jobs }: DeliveredTree): Standing[] =>
  existsSync(jobs)
    ? (JSON.parse(readFileSync(jobs, 'utf8')) as { jobs: unknown[] }).jobs.map((raw) => ({
        ...{ scope: 'cron-jobs', raw, whole: true },
      }))
    : []

const memoryOf = ({ memory }: DeliveredTree): Standing[] =>
  existsSync(memory) ? [{ scope: 'memory', raw: { content: readFileSync(memory, 'utf8') }, whole: true }] : []
