import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Envelope } from '../../src/model/delivery.ts'
import type { DeliveredTree } from './delivered-tree.ts'

/** A record in its file, found without any code of the program. */
export interface PresentRecord {
  /** The session of a transcript, or the kind of another source. */
  scope: string
  raw: unknown
  /** Its line has a newline. */
  whole: boolean
}

/** The identity of a record, wherever it is. */
export const nameOf = ({ scope, raw }: Pick<PresentRecord, 'scope' | 'raw'>): string =>
  `${scope} ${JSON.stringify(raw)}`

/** Its own id if it has one. */
export const ownNameOf = (record: Pick<PresentRecord, 'scope' | 'raw'>): string => {
  const { uuid, id, type } = (record.raw ?? {}) as { uuid?: string; id?: string; type?: string }
  const own = record.scope.startsWith('cron-') ? undefined : (uuid ?? id)
  return own === undefined ? nameOf(record) : `${record.scope} ${type} ${own}`
}

/** The scope of a delivered record. */
export const scopeOf = ({ kind, session }: Envelope): string => (kind === 'transcript' ? session! : kind)

/** All records that are in the files now. */
export function recordsIn(tree: DeliveredTree): PresentRecord[] {
  return [...tree.files().flatMap(linesOf), ...indexOf(tree), ...jobsOf(tree), ...memoryOf(tree)]
}

function linesOf(path: string): PresentRecord[] {
  const lines = readFileSync(path).toString('latin1').split('\n')
  const rest = lines.pop()!
  const scope = path.includes('/runs/')
    ? 'cron-runs'
    : path.endsWith('history.jsonl')
      ? 'prompt-history'
      : basename(path).split('.jsonl')[0]!
  const recordsOf = (line: string, whole: boolean): PresentRecord[] =>
    entriesOf(Buffer.from(line, 'latin1').toString()).map((raw) => ({ scope, raw, whole }))
  return [...lines.flatMap((line) => recordsOf(line, true)), ...recordsOf(rest, false)]
}

/** A line is one record, or several on one line, or text. */
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

const indexOf = ({ index }: DeliveredTree): PresentRecord[] =>
  Object.entries(existsSync(index) ? (JSON.parse(readFileSync(index, 'utf8')) as object) : {}).map(
    ([key, value]) => ({ scope: 'session-index', raw: { [key]: value as unknown }, whole: true }),
  )

const jobsOf = ({ jobs }: DeliveredTree): PresentRecord[] =>
  existsSync(jobs)
    ? (JSON.parse(readFileSync(jobs, 'utf8')) as { jobs: unknown[] }).jobs.map((raw) => ({
        scope: 'cron-jobs',
        raw,
        whole: true,
      }))
    : []

const memoryOf = ({ memory }: DeliveredTree): PresentRecord[] =>
  existsSync(memory) ? [{ scope: 'memory', raw: { content: readFileSync(memory, 'utf8') }, whole: true }] : []
