import { hash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { memberText } from '../../io/json-member.ts'
import { readSmall } from '../../io/source.ts'
import type { Envelope } from '../../model/delivery.ts'
import { type ArchiveFaults, type ArchivePlace, archiveFrames, envelopeOf, noFaults } from './records.ts'

/** How far an archive was laid out, and of each file how many lines of which generation. */
interface Progress {
  version: 1
  place?: ArchivePlace
  files: Record<string, { generation: number; line: number; bytes: number }>
}

export interface Restored extends ArchiveFaults {
  claudeDirs: string[]
  openclawDirs: string[]
  records: number
}

const PROGRESS = 'progress.json'
const LARGEST = 1024 * 1024 * 1024

/**
 * Lays an archive out as the trees it was made of, so that everything that reads those reads it: per device and root a folder, in it the files
 * with their lines where they were. Only what is new in the archive since the last time is read. A session out of a database becomes a
 * file of its own. What an archive leaves out stays an empty line, so that a line keeps its number.
 */
export function restoreArchive(archive: string, folder: string): Restored {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const faults = noFaults()
  const progress = readProgress(join(folder, PROGRESS))
  let records = 0
  const writer = createWriter(folder, progress, faults)
  try {
    for (const { lines, place } of archiveFrames(archive, faults, progress.place)) {
      for (const line of lines) {
        const envelope = envelopeOf(line)
        if (!envelope) {
          faults.strange++
          continue
        }
        writer.add(envelope, line)
        records++
      }
      progress.place = place
    }
  } finally {
    writer.close()
    const path = join(folder, PROGRESS)
    writeFileSync(`${path}.new`, JSON.stringify(progress), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  return { ...faults, records, ...rootsOf(Object.keys(progress.files), folder) }
}

function readProgress(path: string): Progress {
  try {
    const content = existsSync(path) ? readSmall(path, LARGEST) : undefined
    const known = content && (JSON.parse(content.toString('utf8')) as Progress)
    if (known?.version === 1) return known
  } catch {
    // It is laid out anew.
  }
  return { version: 1, files: {} }
}

/** Characters that no file name may hold, or that would lead elsewhere. */
function safe(name: string): string {
  const plain = name.replace(/[^\w.@ -]/g, '_').replace(/^\.+$/, '_')
  // No system takes names of any length; their ends tell what they are.
  return plain.length <= LONGEST_NAME
    ? plain
    : `${hash('sha256', name, 'hex').slice(0, 16)}${plain.slice(-(LONGEST_NAME - 16))}`
}
const LONGEST_NAME = 200
const LONGEST_PATH = 1000

/** What stands below the root of a platform; of several that fit a path the last place counts. */
const BELOW = {
  'claude-code': [/^(.*)\/((?:projects|todos|plans)\/.*)$/, /^(.*)\/(history\.jsonl)$/],
  openclaw: [
    /^(.*)\/(agents\/.*)$/,
    /^(.*)\/((?:cron|subagents|state|workspace|workspace-[^/]+)\/.*)$/,
    /^(.*)\/(sessions\/.*)$/,
  ],
} as const

function splitRoot({ platform, path }: Envelope): [root: string, below: string] | undefined {
  if (!Object.hasOwn(BELOW, platform)) return undefined
  for (const pattern of BELOW[platform]) {
    const found = pattern.exec(path.replaceAll('\\', '/'))
    if (found) return [found[1]!, found[2]!]
  }
  return undefined
}

/** Where a record's file is laid out, below the folder; undefined for kinds that are no file of their own. */
function placeOf(envelope: Envelope): string | undefined {
  const { platform, device, session, kind } = envelope
  const found = splitRoot(envelope)
  if (!found) return undefined
  const [root, below] = found
  const named = below.split('/').map(safe).join('/')
  const database = /^(.*)\/agent\/openclaw-agent\.sqlite#/.exec(below)
  const file =
    kind === 'transcript' && database
      ? `${database[1]!.split('/').map(safe).join('/')}/sessions/${safe(session ?? 'unknown')}.jsonl`
      : named
  if (kind === 'session-index' && file.endsWith('/agent/openclaw-agent.sqlite'))
    return `${platform}/${safe(device)}/${safe(root)}/${file.replace(/agent\/[^/]+$/, 'sessions/sessions.json')}`
  // Rows of other tables are no file of their own.
  if (/\.sqlite(?:#.*)?$/.test(file)) return undefined
  return `${platform}/${safe(device)}/${safe(root)}/${file.replace(/\.zst$/, '')}`
}

function rootsOf(names: readonly string[], folder: string): Pick<Restored, 'claudeDirs' | 'openclawDirs'> {
  const roots = new Set(names.map((name) => name.split('/').slice(0, 3).join('/')))
  const of = (platform: string): string[] =>
    [...roots].filter((root) => root.startsWith(`${platform}/`)).map((root) => join(folder, root))
  return { claudeDirs: of('claude-code'), openclawDirs: of('openclaw') }
}

/** Lines that may be missing between two records: before the history that was chosen, or too large. */
const MOST_MISSING = 10_000_000
/** So many files stay open at a time. */
const MOST_OPEN = 64

function createWriter(folder: string, progress: Progress, faults: ArchiveFaults) {
  const open = new Map<string, number>()
  const descriptorOf = (name: string): number => {
    let descriptor = open.get(name)
    if (descriptor !== undefined) return descriptor
    if (open.size >= MOST_OPEN) {
      const [oldest] = open.entries().next().value!
      closeSync(open.get(oldest)!)
      open.delete(oldest)
    }
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    descriptor = openSync(path, existsSync(path) ? 'r+' : 'wx+', 0o600)
    open.set(name, descriptor)
    return descriptor
  }
  const drop = (name: string): void => {
    const descriptor = open.get(name)
    if (descriptor !== undefined) closeSync(descriptor)
    open.delete(name)
    rmSync(join(folder, name), { force: true })
    delete progress.files[name]
  }
  return {
    add(envelope: Envelope, written: string): void {
      const name = placeOf(envelope)
      // A stub says that something was there, which is not here.
      if (name === undefined || envelope.kind === 'artifact') return
      if (name.length > LONGEST_PATH) {
        faults.strange++
        return
      }
      if (isWhole(envelope)) {
        whole(name, envelope)
        return
      }
      const known = progress.files[name]
      if (known && (envelope.part ?? 0) > 0 && envelope.line === known.line - 1) {
        // Several stood on one line.
        const more = Buffer.from(`${textOf(envelope, written)}\n`)
        writeAll(descriptorOf(name), more, known.bytes - 1)
        known.bytes += more.length - 1
        return
      }
      if (known && envelope.generation > known.generation) drop(name)
      else if (known && (envelope.generation < known.generation || envelope.line < known.line)) return
      const at = progress.files[name] ?? { generation: envelope.generation, line: 1, bytes: 0 }
      const missing = envelope.line - at.line
      // Nobody's transcript has that many lines, so this one is hardly a record of one.
      if (missing > MOST_MISSING) {
        faults.strange++
        return
      }
      const gap = '\n'.repeat(Math.max(0, missing))
      const text = textOf(envelope, written)
      const bytes = Buffer.from(`${gap}${text}\n`)
      writeAll(descriptorOf(name), bytes, at.bytes)
      progress.files[name] = {
        generation: envelope.generation,
        line: envelope.line + 1,
        bytes: at.bytes + bytes.length,
      }
    },
    close(): void {
      for (const descriptor of open.values()) closeSync(descriptor)
    },
  }

  function whole(name: string, { raw, generation, kind }: Envelope): void {
    const path = join(folder, name)
    const content = (raw as { content?: unknown } | null)?.content
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    progress.files[name] = { generation, line: 1, bytes: 0 }
    if (typeof content === 'string') writeFileSync(path, content, { mode: 0o600 })
    else if (kind === 'session-index' && name.endsWith('sessions.json')) merge(path, entryOf(raw))
    else if (kind === 'cron-jobs' && /jobs\.json$/.test(name)) mergeJobs(path, raw)
    else writeFileSync(path, JSON.stringify(raw), { mode: 0o600 })
  }
}

/** Delivered whole: not line by line. */
const isWhole = ({ kind, path }: Envelope): boolean =>
  kind !== 'transcript' && kind !== 'prompt-history' && !(kind === 'cron-runs' && !/\.sqlite$/.test(path))

/** The record as it was written: its numbers keep their digits. */
const textOf = ({ raw, malformed, stub }: Envelope, written: string): string =>
  stub
    ? ''
    : malformed && typeof raw === 'string'
      ? raw.replaceAll('\n', ' ')
      : (memberText(written, 'raw') ?? '')

/** What a database says of a session as an entry of an index. */
function entryOf(raw: unknown): object {
  const fields = raw as { sessionKey?: string; sessionId?: string; title?: string } | null
  return typeof fields?.sessionKey === 'string' && fields.sessionId !== undefined
    ? { [fields.sessionKey]: { ...fields, label: fields.title } }
    : (fields ?? {})
}

/** An index comes entry by entry. */
function merge(path: string, entry: object): void {
  const known = readJson(path) as Record<string, unknown> | undefined
  writeFileSync(path, JSON.stringify({ ...known, ...entry }), { mode: 0o600 })
}

function mergeJobs(path: string, job: unknown): void {
  const known = (readJson(path) as { jobs?: { id?: unknown }[] } | undefined)?.jobs ?? []
  const id = (job as { id?: unknown } | null)?.id
  const jobs = [...known.filter((each) => each.id !== id), job]
  writeFileSync(path, JSON.stringify({ version: 1, jobs }), { mode: 0o600 })
}

function readJson(path: string): unknown {
  if (!statSync(path, { throwIfNoEntry: false })) return undefined
  const content = readSmall(path, LARGEST)
  try {
    return content && JSON.parse(content.toString('utf8'))
  } catch {
    return undefined
  }
}

function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length; )
    at += writeSync(descriptor, bytes, at, bytes.length - at, position + at)
}
