import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSmall } from '../../io/source.ts'
import { asObject } from '../../model/json.ts'
import type { TreeWriter } from './tree-writer.ts'

/** Files of which every entry is a record of its own: an index of sessions, and lists of jobs. */
export type MergedKind = 'index' | 'jobs'

const LARGEST = 1024 * 1024 * 1024

interface Merged {
  kind: MergedKind
  /** Entries by key, as JSON. */
  entries: Map<string, string>
}

/** Gathers entries, and writes each file once, however many of them came. */
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
    /** Answers how many bytes it adds. Throws a `RangeError` for what is nested too deep to be written. */
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
    // What cannot be read was no file of ours, and is laid out anew.
  }
  return entries
}

/** What a database says of a session is an entry of an index too. */
function indexEntries(raw: unknown): [string, unknown][] {
  const fields = asObject(raw)
  if (!fields) return []
  const { sessionKey, sessionId, title } = fields
  return typeof sessionKey === 'string' && sessionId !== undefined
    ? [[sessionKey, { ...fields, label: title }]]
    : Object.entries(fields)
}

/** Jobs are told apart by their ids, whatever type those have. */
const jobEntry = (job: unknown): [string, unknown] => [JSON.stringify(asObject(job)?.id) ?? '', job]

const textOf = (kind: MergedKind, entries: ReadonlyMap<string, string>): string =>
  kind === 'index'
    ? `{${[...entries].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`
    : `{"version":1,"jobs":[${[...entries.values()].join(',')}]}`
