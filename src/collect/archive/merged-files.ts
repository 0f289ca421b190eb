import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSmall } from '../../io/source.ts'
import { asObject } from '../../model/json.ts'
import type { TreeWriter } from './tree-writer.ts'

/** Kinds of files whose entries are separate records: session indexes and lists of jobs. */
export type MergedKind = 'index' | 'jobs'

const LARGEST = 1024 * 1024 * 1024

interface Merged {
  kind: MergedKind
  /** Entries by key, as JSON. */
  entries: Map<string, string>
}

/** Collects entries and writes each file once, however many entries it has. */
export function createMergedFiles(folder: string, writer: TreeWriter) {
  const files = new Map<string, Merged>()
  const fileAt = (name: string, kind: MergedKind): Merged => {
    let file = files.get(name)
    if (!file) {
      file = { kind, entries: known(join(folder, name), kind) }
      files.set(name, file)
    }
    return file
  }
  return {
    /**
     * Returns the number of bytes added. Throws a `RangeError` if the entry is nested too deeply to be
     * written.
     */
    add(name: string, kind: MergedKind, raw: unknown): number {
      const { entries } = fileAt(name, kind)
      const texts = (kind === 'index' ? indexEntries(raw) : [jobEntry(raw)]).map(
        ([key, value]) => [key, JSON.stringify(value) ?? 'null'] as const,
      )
      for (const [key, text] of texts) entries.set(key, text)
      return texts.reduce((sum, [key, text]) => sum + key.length + text.length, 0)
    },
    writeAll(): void {
      for (const [name, { kind, entries }] of files) writer.writeWhole(name, textOf(kind, entries))
    },
  }
}

function known(path: string, kind: MergedKind): Map<string, string> {
  const entries = new Map<string, string>()
  try {
    const content = existsSync(path) ? readSmall(path, LARGEST) : undefined
    const value: unknown = content && JSON.parse(content.toString('utf8'))
    const all =
      kind === 'index' ? indexEntries(value) : ((asObject(value)?.jobs ?? []) as unknown[]).map(jobEntry)
    for (const [key, each] of all) entries.set(key, JSON.stringify(each))
  } catch {
    // An unreadable file is not ours and is replaced.
  }
  return entries
}

/** A database's entry of a session has the form of a session index entry. */
function indexEntries(raw: unknown): [string, unknown][] {
  const fields = asObject(raw)
  if (!fields) return []
  const { sessionKey, sessionId, title } = fields
  return typeof sessionKey === 'string' && sessionId !== undefined
    ? [[sessionKey, { ...fields, label: title }]]
    : Object.entries(fields)
}

/** Jobs are identified by their ids, of any type. */
const jobEntry = (job: unknown): [string, unknown] => [JSON.stringify(asObject(job)?.id) ?? '', job]

const textOf = (kind: MergedKind, entries: ReadonlyMap<string, string>): string =>
  kind === 'index'
    ? `{${[...entries].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`
    : `{"version":1,"jobs":[${[...entries.values()].join(',')}]}`
