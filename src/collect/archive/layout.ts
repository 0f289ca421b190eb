import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { memberText } from '../../io/json-member.ts'
import type { Envelope } from '../../model/delivery.ts'
import { mergeGenerations } from './generations.ts'
import { createMergedFiles, type MergedKind } from './merged-files.ts'
import { type Place, placeOf, treeOfDevice, treeOfHost } from './record-place.ts'
import { createTreeWriter } from './tree-writer.ts'

/** What stands in the trees. */
export interface LaidOut {
  files: Record<string, LaidOutFile>
  /** Which device goes on with the tree of a host, from the time when records named no device; by tree. */
  claims: Record<string, string>
  /** Files of several generations of which the tree does not hold all. */
  unmerged: string[]
}

interface LaidOutFile {
  generation: number
  /** The next line of that generation, and the bytes up to there. */
  line: number
  bytes: number
  /** Generations before it, in order. Each of them, and the one that is laid out, lies beside the trees; the tree holds all of them in one. */
  earlier?: number[]
}

/** Lines that may be missing between two records: before the history that was chosen, or too large. */
const MOST_MISSING = 10_000_000
const LONGEST_PATH = 1000
/** What systems answer where a name cannot be had: another record's file is a folder there, or the other way round. */
const OF_THE_NAME = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ', 'ELOOP'])

/** Lays records out one after the other, below a folder. */
export function createLayout(folder: string, { files, claims, unmerged }: LaidOut) {
  const writer = createTreeWriter(folder)
  const merged = createMergedFiles(folder, writer)
  /** When the latest of what was written to a file was said, or when the file had changed. */
  const times = new Map<string, number>()
  const changed = new Set(unmerged)
  let spent = 0
  return {
    /** Bytes that were laid out. */
    bytes: (): number => spent,
    /** Why a record cannot be laid out; undefined where it was. `allowed`: bytes in all. Throws what is not the record's fault. */
    add(envelope: Envelope, written: string, allowed: number): string | undefined {
      try {
        return add(envelope, written, allowed)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (error instanceof RangeError) return 'it is nested too deep'
        if (code !== undefined && OF_THE_NAME.has(code)) return `its file cannot be laid out (${code})`
        throw error
      }
    },
    /** Writes what is written only once. `save` keeps what is to be done before the trees change. */
    finish(save: () => void): void {
      merged.writeAll()
      mergeAll(save)
      for (const [name, atMs] of times) if (Object.hasOwn(files, name)) writer.date(name, atMs)
    },
    close: (): void => writer.close(),
  }

  function add(envelope: Envelope, written: string, allowed: number): string | undefined {
    const place = placeOf(envelope)
    // A stub says that something was there, which is not here.
    if (!place || envelope.kind === 'artifact') return undefined
    const name = nameOf(place, envelope)
    if (name.length > LONGEST_PATH) return 'its path is too long'
    const known = Object.hasOwn(files, name) ? files[name] : undefined
    const saidMs = Date.parse(envelope.at)
    if (isWhole(envelope)) {
      if (Number.isFinite(saidMs)) times.set(name, saidMs)
      return addWhole(name, envelope, allowed)
    }
    if (Number.isFinite(saidMs)) times.set(name, Math.max(saidMs, times.get(name) ?? saidMs))
    if (known && (envelope.part ?? 0) > 0 && envelope.line === known.line - 1) {
      // Several stood on one line.
      const more = Buffer.from(`${textOf(envelope, written)}\n`)
      if (spent + more.length > allowed) return TOO_MUCH
      writer.write(pieceOf(name, known), more, known.bytes - 1)
      known.bytes += more.length - 1
      spent += more.length
      return undefined
    }
    const { generation } = envelope
    if (
      known &&
      (generation < known.generation || (generation === known.generation && envelope.line < known.line))
    )
      return undefined
    const goesOn = known?.generation === generation
    const missing = Math.max(0, envelope.line - (goesOn ? known.line : 1))
    // Nobody's transcript has that many lines, so this one is hardly a record of one.
    if (missing > MOST_MISSING) return `it is ${missing} lines behind the one before`
    const text = textOf(envelope, written)
    if (spent + missing + text.length > allowed) return TOO_MUCH
    const bytes = Buffer.from(`${'\n'.repeat(missing)}${text}\n`)
    const at = goesOn ? known : { generation, line: 1, bytes: 0, ...(known && setAside(name, known)) }
    writer.write(pieceOf(name, at), bytes, at.bytes)
    spent += bytes.length
    files[name] = { ...at, line: envelope.line + 1, bytes: at.bytes + bytes.length }
    return undefined
  }

  /** What an agent took out of its file stays: the generation before is kept, and the next one is laid out beside it. */
  function setAside(name: string, { generation, bytes, earlier }: LaidOutFile): { earlier: number[] } {
    if (!earlier) writer.copy(name, pieceName(name, generation), bytes)
    // The list is never copied: there may be many.
    const all = earlier ?? []
    all.push(generation)
    return { earlier: all }
  }

  /** Where the generation is laid out that records come from. */
  function pieceOf(name: string, { earlier, generation }: LaidOutFile): string {
    if (!earlier) return name
    changed.add(name)
    return pieceName(name, generation)
  }

  function mergeAll(save: () => void): void {
    if (changed.size === 0) return
    unmerged.length = 0
    for (const name of changed) unmerged.push(name)
    save()
    writer.close()
    for (const name of changed) {
      const file = Object.hasOwn(files, name) ? files[name]! : undefined
      if (!file?.earlier) continue
      const paths = [...file.earlier, file.generation]
        .reverse()
        .map((each) => join(folder, pieceName(name, each)))
        .filter((path) => existsSync(path))
      writer.replace(name, (write) => mergeGenerations(paths, write))
    }
    unmerged.length = 0
  }

  function addWhole(name: string, { raw, generation, kind }: Envelope, allowed: number): string | undefined {
    const content = (raw as { content?: unknown } | null)?.content
    const mergedKind = typeof content === 'string' ? undefined : mergedKindOf(kind, name)
    if (mergedKind) spent += merged.add(name, mergedKind, raw)
    else {
      const text = typeof content === 'string' ? content : JSON.stringify(raw)
      if (spent + text.length > allowed) return TOO_MUCH
      writer.writeWhole(name, text)
      spent += text.length
    }
    files[name] = { generation, line: 1, bytes: 0 }
    return undefined
  }

  /** In the tree of its device, or in that of its host where the device goes on with a file of that. */
  function nameOf(place: Place, { deviceId, device, line, generation }: Envelope): string {
    const host = treeOfHost(place, device)
    if (deviceId === undefined) return `${host}/${place.below}`
    const known = Object.hasOwn(files, `${host}/${place.below}`) ? files[`${host}/${place.below}`] : undefined
    if (!Object.hasOwn(claims, host) && line > 1 && known?.line === line && known.generation === generation)
      claims[host] = deviceId
    const claimed = Object.hasOwn(claims, host) && claims[host] === deviceId
    return `${claimed ? host : treeOfDevice(place, deviceId)}/${place.below}`
  }
}

/** A generation of a file that has several. */
const pieceName = (name: string, generation: number): string =>
  `generations/${hash('sha256', name, 'hex').slice(0, 32)}/${generation}.jsonl`

const TOO_MUCH = 'the archive unpacks to more than its size allows'

function mergedKindOf(kind: Envelope['kind'], name: string): MergedKind | undefined {
  if (kind === 'session-index' && name.endsWith('sessions.json')) return 'index'
  return kind === 'cron-jobs' && name.endsWith('jobs.json') ? 'jobs' : undefined
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
