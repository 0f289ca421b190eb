import { hash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { memberText } from '../../io/parse-line.ts'
import { readSmall } from '../../io/source.ts'
import type { Envelope, RecordKind } from '../../model/delivery.ts'
import { asObject } from '../../model/json.ts'
import { identityOf } from '../../platforms/identities.ts'
import { platformOf } from '../../platforms/index.ts'
import { ROWS } from '../../platforms/unpacked-rows.ts'
import { rowFor } from '../delivery/inventory.ts'
import { mergeGenerations } from './generations.ts'
import { createLateLines } from './late-lines.ts'
import { createTreeWriter, type TreeWriter } from './tree-writer.ts'

/** The state of the unpacked trees. */
export interface UnpackedTrees {
  files: Record<string, UnpackedFile>
  /** The device that continues the tree of a host from the time before device ids, by tree. */
  claims: Record<string, string>
  /** Files with several generations that the tree does not contain completely. */
  unmerged: string[]
  /** Where each tree comes from. */
  origins: Record<string, TreeOrigin>
}

/** The machine of a tree, and the directory there. */
export interface TreeOrigin {
  device: string
  root: string
  /** The names that `encodedName` leaves only a hash of, by what it makes of them. */
  names?: Record<string, string>
}

interface UnpackedFile {
  generation: number
  /** The next line of that generation, and the bytes before it. */
  line: number
  bytes: number
  /**
   * Earlier generations, in order. Every generation is stored next to the trees; the tree contains them
   * merged.
   */
  earlier?: number[]
  /** The kind of its records, if there are several generations. Absent for a transcript. */
  kind?: RecordKind
  /** Bytes of lines that arrived after lines behind them, by generation. The tree contains them in place. */
  late?: Record<number, number>
}

/**
 * Lines that may be missing between two records, because they precede the requested history or are too large.
 */
const MOST_MISSING = 10_000_000
const LONGEST_PATH = 1000
/** Errors for a path that cannot be created, such as a file where another record needs a folder. */
const OF_THE_NAME = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ', 'ELOOP'])

/** Unpacks records one after the other, below a folder. */
export function createLayout(folder: string, { files, claims, unmerged, origins }: UnpackedTrees) {
  const writer = createTreeWriter(folder)
  const lateLines = createLateLines(writer)
  const merged = createMergedFiles(folder, writer)
  /** The time of the latest content of a file. */
  const times = new Map<string, number>()
  const changed = new Set(unmerged)
  /** The latest file with a name in a tree, whatever its folder. */
  let byBaseName: Map<string, string> | undefined
  let spent = 0
  return {
    /** Bytes unpacked. */
    bytes: (): number => spent,
    /**
     * Unpacks a record. Returns the reason if that is impossible. `allowed`: bytes in total. Throws errors
     * that the record did not cause.
     */
    add(envelope: Envelope, written: string, allowed: number): string | undefined {
      try {
        return add(envelope, written, allowed)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (error instanceof RangeError) return 'it is nested too deep'
        if (code !== undefined && OF_THE_NAME.has(code)) return `its file cannot be created (${code})`
        throw error
      }
    },
    /**
     * Writes the files that are written once. `save` stores what remains to be done before the trees change.
     */
    finish(save: () => void): void {
      merged.writeAll()
      mergeAll(save)
      for (const [name, atMs] of times) if (Object.hasOwn(files, name)) writer.date(name, atMs)
    },
    close: (): void => writer.close(),
  }

  function add(envelope: Envelope, written: string, allowed: number): string | undefined {
    const target = recordPathOf(envelope)
    // A stub only says that something existed.
    if (!target || envelope.kind === 'artifact') return undefined
    const tree = treeOf(target, envelope)
    const name = `${tree}/${target.names.map(encodedName).join('/')}`
    if (name.length > LONGEST_PATH) return 'its path is too long'
    if (!Object.hasOwn(origins, tree)) origins[tree] = { device: envelope.device, root: target.root }
    keepNames(origins[tree]!, target.names)
    takeMoved(name, envelope)
    const known = Object.hasOwn(files, name) ? files[name] : undefined
    const atMs = Date.parse(envelope.at)
    if (target.whole) {
      if (Number.isFinite(atMs)) times.set(name, atMs)
      return addWhole(name, envelope, allowed)
    }
    if (Number.isFinite(atMs)) times.set(name, Math.max(atMs, times.get(name) ?? atMs))
    if (known && (envelope.part ?? 0) > 0 && envelope.line === known.line - 1) {
      // Several records of one line.
      const more = Buffer.from(`${textOf(envelope, written)}\n`)
      if (spent + more.length > allowed) return TOO_MUCH
      writer.write(pieceOf(name, known), more, known.bytes - 1)
      lateLines.forget(pieceOf(name, known))
      known.bytes += more.length - 1
      spent += more.length
      return undefined
    }
    const { generation } = envelope
    if (known && generation < known.generation) return undefined
    if (known && generation === known.generation && envelope.line < known.line)
      return addLate(name, known, envelope, written, allowed)
    const continues = known?.generation === generation
    const missing = Math.max(0, envelope.line - (continues ? known.line : 1))
    // No transcript has that many lines, so the record is probably not genuine.
    if (missing > MOST_MISSING) return `its line is ${missing} lines after the previous one`
    const text = textOf(envelope, written)
    if (spent + missing + text.length > allowed) return TOO_MUCH
    const bytes = Buffer.from(`${'\n'.repeat(missing)}${text}\n`)
    const at = continues
      ? known
      : { generation, line: 1, bytes: 0, ...(known && setAside(name, known, envelope)) }
    writer.write(pieceOf(name, at), bytes, at.bytes)
    spent += bytes.length
    files[name] = { ...at, line: envelope.line + 1, bytes: at.bytes + bytes.length }
    byBaseName?.set(baseNameOf(name), name)
    return undefined
  }

  /** Keeps the names of which the tree has only a hash. */
  function keepNames(origin: TreeOrigin, names: readonly string[]): void {
    for (const name of names) {
      const inTree = encodedName(name)
      if (decodedName(inTree, origin.names) !== undefined || !name.isWellFormed()) continue
      origin.names = { ...origin.names, [inTree]: name }
      spent += name.length
    }
  }

  /** A record before the last one of its file: a repeated one, or one that was overtaken on its way. */
  function addLate(
    name: string,
    file: UnpackedFile,
    envelope: Envelope,
    written: string,
    allowed: number,
  ): string | undefined {
    const { generation, kind, line, part = 0 } = envelope
    if (line < 1) return undefined
    const late = file.late?.[generation] ?? 0
    const pieceAt = (each: string) => ({ name: each, bytes: file.bytes, late })
    if (!lateLines.isFree(pieceAt(pieceOf(name, file)), line, part)) return undefined
    const text = textOf(envelope, written)
    if (text === '') return undefined
    if (spent + text.length > allowed) return TOO_MUCH
    if (!file.earlier) {
      writer.copy(name, pieceName(name, generation), file.bytes)
      Object.assign(file, { earlier: [], ...(kind === 'transcript' ? {} : { kind }) })
    }
    const added = lateLines.add(pieceAt(pieceOf(name, file)), line, text)
    spent += added
    file.late = { ...file.late, [generation]: late + added }
    return undefined
  }

  /**
   * A record that continues a transcript of the same name in another folder, line by line: the file was moved
   * there, and so were those of its subagents, which are in a folder of its name. Or one that continues the
   * transcript whose name it has with something behind it: the file was set aside.
   */
  function takeMoved(name: string, { kind, line, generation, session }: Envelope): void {
    if (kind !== 'transcript' || line < 2 || Object.hasOwn(files, name)) return
    // Where every session has files of the same names, a name says nothing.
    if (session === null || !baseNameOf(name).includes(session)) return
    byBaseName ??= new Map(Object.keys(files).map((each) => [baseNameOf(each), each]))
    const aside = /^(.+\.jsonl)\../.exec(name)?.[1]
    const from = aside !== undefined && Object.hasOwn(files, aside) ? aside : byBaseName.get(baseNameOf(name))
    const before = from === undefined || !Object.hasOwn(files, from) ? undefined : files[from]!
    if (!before || before.earlier || before.line !== line || before.generation !== generation) return
    rename(from!, name)
    const [folder, to] = [from!, name].map((each) => each.replace(/\.jsonl$/, '/')) as [string, string]
    for (const each of Object.keys(files))
      if (each.startsWith(folder) && !files[each]!.earlier) rename(each, to + each.slice(folder.length))
  }

  function rename(from: string, to: string): void {
    if (Object.hasOwn(files, to)) return
    writer.rename(from, to)
    lateLines.forget(from)
    files[to] = files[from]!
    delete files[from]
    const atMs = times.get(from)
    times.delete(from)
    if (atMs !== undefined) times.set(to, atMs)
  }

  /**
   * Lines that a client removed are preserved: the previous generation is set aside, and the next one is
   * unpacked next to it.
   */
  function setAside(
    name: string,
    { generation, bytes, earlier, late }: UnpackedFile,
    { kind }: Envelope,
  ): Pick<UnpackedFile, 'earlier' | 'kind' | 'late'> {
    if (!earlier) writer.copy(name, pieceName(name, generation), bytes)
    // Not copied, because the list may be long.
    const all = earlier ?? []
    all.push(generation)
    return { earlier: all, ...(kind === 'transcript' ? {} : { kind }), ...(late && { late }) }
  }

  /** The file of the generation that records come from. */
  function pieceOf(name: string, { earlier, generation }: UnpackedFile): string {
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
        .map((each) => join(folder, wholePiece(name, each, file)))
        .filter((path) => existsSync(path))
      const records = { platform: name.slice(0, name.indexOf('/')), kind: file.kind ?? 'transcript' }
      writer.replace(name, (write) => mergeGenerations(paths, records, write))
    }
    unmerged.length = 0
  }

  /** The name of a piece, or of a copy with its late lines. */
  function wholePiece(name: string, generation: number, { late, ...file }: UnpackedFile): string {
    const piece = pieceName(name, generation)
    const path = join(folder, piece)
    if (!late?.[generation] || !existsSync(path)) return piece
    const bytes = generation === file.generation ? file.bytes : statSync(path).size
    const filled = `${piece}.filled`
    writer.replace(filled, (write) =>
      lateLines.writeFilled({ name: piece, bytes, late: late[generation]! }, write),
    )
    return filled
  }

  function addWhole(name: string, envelope: Envelope, allowed: number): string | undefined {
    const { platform, raw, generation, kind } = envelope
    const content = (raw as { content?: unknown } | null)?.content
    const mergedKind = typeof content === 'string' ? undefined : mergedKindOf(kind, name)
    if (mergedKind) spent += merged.add(name, mergedKind, { platform, kind, raw })
    else {
      const text = typeof content === 'string' ? content : (JSON.stringify(raw) ?? 'null')
      if (spent + text.length > allowed) return TOO_MUCH
      writer.writeWhole(name, text)
      spent += text.length
    }
    files[name] = { generation, line: 1, bytes: 0 }
    return undefined
  }

  /** In the tree of its device, or of its host if the device continues a file there. */
  function treeOf(target: RecordPath, { deviceId, device, line, generation }: Envelope): string {
    const host = treeOfHost(target, device)
    if (deviceId === undefined) return host
    const name = `${host}/${target.names.map(encodedName).join('/')}`
    const known = Object.hasOwn(files, name) ? files[name] : undefined
    if (!Object.hasOwn(claims, host) && line > 1 && known?.line === line && known.generation === generation)
      claims[host] = deviceId
    const claimed = Object.hasOwn(claims, host) && claims[host] === deviceId
    return claimed ? host : treeOfDevice(target, deviceId)
  }
}

/** The tree of a file and its name, without the folders between. */
const baseNameOf = (name: string): string => {
  const parts = name.split('/')
  return [...parts.slice(0, 3), parts.at(-1)!].join('/')
}

/** The file name of one generation. */
const pieceName = (name: string, generation: number): string =>
  `generations/${hash('sha256', name, 'hex').slice(0, 32)}/${generation}.jsonl`

const TOO_MUCH = 'the archive unpacks to more than its size allows'

function mergedKindOf(kind: Envelope['kind'], name: string): MergedKind | undefined {
  if (name.endsWith(ROWS)) return 'rows'
  if (kind === 'session-index' && name.endsWith('sessions.json')) return 'index'
  return kind === 'cron-jobs' && name.endsWith('jobs.json') ? 'jobs' : undefined
}

/** The record as written, so that numbers keep their digits. */
const textOf = ({ raw, malformed, stub }: Envelope, written: string): string =>
  stub
    ? ''
    : malformed && typeof raw === 'string'
      ? raw.replaceAll('\n', ' ')
      : (memberText(written, 'raw') ?? '')

/** Files whose entries are separate records: session indexes, lists of jobs, and rows of databases. */
type MergedKind = 'index' | 'jobs' | 'rows'

const LARGEST = 1024 * 1024 * 1024

interface Merged {
  kind: MergedKind
  /** Entries by key, as JSON. */
  entries: Map<string, string>
}

/** Collects entries and writes each file once, however many entries it has. */
function createMergedFiles(folder: string, writer: TreeWriter) {
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
    add(name: string, kind: MergedKind, record: Pick<Envelope, 'platform' | 'kind' | 'raw'>): number {
      const { entries } = fileAt(name, kind)
      const texts = entriesOf(kind, record).map(
        ([key, value]) => [key, JSON.stringify(value) ?? 'null'] as const,
      )
      for (const [key, text] of texts) entries.set(key, text)
      return texts.reduce((sum, [key, text]) => sum + key.length + text.length, 0)
    },
    writeAll(): void {
      for (const [name, { kind, entries }] of files) writer.writeWhole(name, mergedText(kind, entries))
    },
  }
}

function known(path: string, kind: MergedKind): Map<string, string> {
  const entries = new Map<string, string>()
  try {
    const content = existsSync(path) ? readSmall(path, LARGEST) : undefined
    const value: unknown = content && JSON.parse(content.toString('utf8'))
    const all =
      kind === 'jobs'
        ? ((asObject(value)?.jobs ?? []) as unknown[]).map(jobEntry)
        : Object.entries(asObject(value) ?? {})
    for (const [key, each] of all) entries.set(key, JSON.stringify(each))
  } catch {
    // An unreadable file is not ours and is replaced.
  }
  return entries
}

/** What a record adds to its file, by key. */
function entriesOf(
  merged: MergedKind,
  { platform, kind, raw }: Pick<Envelope, 'platform' | 'kind' | 'raw'>,
): [string, unknown][] {
  if (merged === 'jobs') return [jobEntry(raw)]
  const fields = asObject(raw)
  if (!fields) return []
  if (merged === 'rows') return [[platformOf(platform).delivery.rowKey?.(fields, kind) ?? '', fields]]
  // The session of a row. Several have one key, one after the other.
  const { sessionKey, sessionId } = fields
  return typeof sessionId === 'string' && sessionKey !== undefined
    ? [[sessionId, fields]]
    : Object.entries(fields)
}

/** Jobs are identified by their ids, of any type. */
const jobEntry = (job: unknown): [string, unknown] => [JSON.stringify(asObject(job)?.id) ?? '', job]

const mergedText = (kind: MergedKind, entries: ReadonlyMap<string, string>): string =>
  kind !== 'jobs'
    ? `{${[...entries].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`
    : `{"version":1,"jobs":[${[...entries.values()].join(',')}]}`

/** Where a record is unpacked: below the tree of its device and root. */
interface RecordPath {
  platform: string
  root: string
  /** The names of the folders below the root and of the file. */
  names: string[]
  /** Whether the record is a whole file rather than a line. */
  whole: boolean
}

/** Undefined for kinds without a file of their own. */
export function recordPathOf({ platform, path, kind, session }: Envelope): RecordPath | undefined {
  const found = splitRoot(platform, path)
  if (!found) return undefined
  const [root, below] = found
  const { delivery } = platformOf(platform)
  const whole = kind !== 'transcript' && rowFor(below, delivery.table, [kind])?.mode !== 'incremental'
  const file = delivery.fileOf?.(below, kind, session)
  if (file) return { platform, root, names: file, whole }
  // Rows of other tables have no file of their own.
  if (/\.sqlite(?:#.*)?$/s.test(below)) return undefined
  return { platform, root, names: below.replace(/\.zst$/, '').split('/'), whole }
}

/** The root in the path of a record, and what is below. A folder above may be named like one below it. */
export function splitRoot(platform: string, path: string): [root: string, below: string] | undefined {
  const splits = identityOf(platform).below.flatMap((pattern): [string, string][] => {
    const found = pattern.exec(withSlashes(path))
    return found ? [[found[1]!, found[2]!]] : []
  })
  if (splits.length < 2) return splits[0]
  const { table } = platformOf(platform).delivery
  return splits.find(([, below]) => rowFor(below, table)) ?? splits[0]
}

/** On other systems a name may contain a backslash. */
const withSlashes = (path: string): string =>
  /^(?:[A-Za-z]:|\\\\)/.test(path) ? path.replaceAll('\\', '/') : path

/** The tree of a device, named after its random id. */
const treeOfDevice = ({ platform, root }: RecordPath, deviceId: string): string =>
  `${platform}/id-${encodedName(deviceId)}/${encodedName(root)}`

/** The tree of a host, for old records without a device id. Several machines may share its name. */
const treeOfHost = ({ platform, root }: RecordPath, host: string): string =>
  `${platform}/host-${encodedName(host)}/${encodedName(root)}`

/** Shorter than the limit of every file system. */
const LONGEST = 200
const TAIL = 60
const PLAIN = /^[A-Za-z0-9._@ -]$/
/** Names that Windows reserves. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Encodes a text as a file name that is valid on every system and stays in its folder. Different texts have
 * different names. Characters other than letters, digits, spaces and `._@-` become `%` and two digits per
 * byte. The end of a long text is replaced by `%%` and a hash.
 */
export function encodedName(text: string): string {
  let name = ''
  for (const byte of Buffer.from(text.toWellFormed())) {
    const character = String.fromCharCode(byte)
    name += PLAIN.test(character) ? character : encoded(byte)
  }
  if (name === '') return '%'
  // `.` and `..` are other folders, and Windows drops a dot or a space at the end.
  if (/[. ]$/.test(name)) name = name.slice(0, -1) + encoded(name.charCodeAt(name.length - 1))
  if (RESERVED.test(name)) name = encoded(name.charCodeAt(0)) + name.slice(1)
  return name.length <= LONGEST && text.isWellFormed()
    ? name
    : `%%${hash('sha256', Buffer.from(text, 'utf16le'), 'hex')}${name.slice(-TAIL)}`
}

const encoded = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** The text of an encoded name. Undefined if only a hash of it is left that `lost` does not have. */
export function decodedName(name: string, lost: TreeOrigin['names']): string | undefined {
  if (name.startsWith('%%')) return lost?.[name]
  if (name === '%') return ''
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}
