import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context/context.ts'
import { decodedName, encodedName, type TreeOrigin } from '../../deliver/archive/layout.ts'
import { rowFor } from '../../deliver/delivery/inventory.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Planned } from '../../io/agent-folder/changes.ts'
import { digestOf, pathBelow, rootAt } from '../../io/agent-folder/paths.ts'
import { listDirectory } from '../../io/directories.ts'
import { editJson } from '../../io/edit-json.ts'
import { partsOfFile } from '../../io/own-files.ts'
import { readSmall } from '../../io/source.ts'
import type { Artifact, Environment } from '../../model/artifact.ts'
import type { CollectedRow } from '../../model/delivery.ts'
import { parsedJson } from '../../model/json.ts'
import type { Session } from '../../model/session.ts'
import { platformOf } from '../../platforms/index.ts'
import type { PathMap, Platform, Restoring } from '../../platforms/platform.ts'
import { unusualId } from '../../platforms/resuming.ts'
import { mappedPath, pathEditor } from '../../platforms/rewriting.ts'
import { sessionIdentity } from '../../selection/load-sessions.ts'
import { readSession } from '../../sync/read/read-session.ts'
import type { FileRow } from './writes.ts'

/** A session in an unpacked tree, and the root that it is written to. */
export interface Restorable {
  session: Session
  target: string
  /** See `TreeOrigin`. */
  names?: TreeOrigin['names']
}

/** What is to be written, and what is there already. */
export interface RestorePlan {
  changes: Planned[]
  files: FileRow[]
  /** Secrets that are placeholders in what is written. */
  redacted: number
  /** Lines that the archive does not have. */
  missing: number
  /** Why sessions cannot be written, in sentences. */
  impossible: string[]
  /** Sessions that are on this machine at another place. */
  elsewhere: { id: string; path: string }[]
  /** Sessions that are at their places, but whose folders were moved. They are among the restored ones. */
  moved: { id: string; directory: string }[]
  /** The sessions as they will be, for the command that resumes each. */
  restored: Session[]
  afterward: NonNullable<Restoring['afterward']>[]
}

export const emptyPlan = (): RestorePlan => ({
  changes: [],
  files: [],
  redacted: 0,
  missing: 0,
  impossible: [],
  elsewhere: [],
  moved: [],
  restored: [],
  afterward: [],
})

/** How a platform is written back, or why it is not. */
export function restoringOf({ restoring, identity }: Platform): Restoring | string {
  if (!restoring) return `${identity.name} has no form in which Scrollback writes sessions`
  return 'impossible' in restoring && typeof restoring.impossible === 'string'
    ? restoring.impossible
    : (restoring as Restoring)
}

/** The same for the file at a path below a root. */
export function restoringAt(platform: Platform, below: string): Restoring | string {
  const restoring = restoringOf(platform)
  return typeof restoring === 'string' ? restoring : (restoring.impossible?.(below) ?? restoring)
}

/**
 * Why a session cannot be written back, and what to do instead. `from`: flags with which a command here reads
 * it. Null if only another machine has it.
 */
export function impossible(
  { id, platform }: Session,
  reason: string,
  { suggest }: Pick<Context, 'suggest'>,
  from: readonly `--${string}`[] | null = [],
): string {
  const { identity } = platformOf(platform)
  const instead = identity.begins
    ? ` Give ${identity.name} a brief of it instead${from ? '' : ', on the machine that it comes from'}: ${suggest('handoff', [id], `--to=${identity.short}`, ...(from ?? []))}`
    : ''
  return `${id} cannot be written back: ${reason}.${instead}`
}

/**
 * The folder that a session is written to: `to`, the root that it came from if it is one of this machine, or
 * the default one of its platform.
 */
export function targetOf(
  { id, files, identity }: Platform,
  origin: string | undefined,
  to: string | undefined,
  environment: Environment,
): string {
  if (to !== undefined) return to
  const roots = files.roots(environment)
  const former = origin?.replace(/^~(?=\/|$)/, environment.home)
  const own = roots.find(({ path }) => path === former) ?? roots.find(({ found }) => found) ?? roots[0]
  if (own) return own.path
  throw new ScrollbackError(
    'bad-option',
    `${identity.name} has no folder on this machine`,
    `Name it: --to <dir> (platform ${id})`,
  )
}

/** The sessions of a source, with where they come from and go to. */
export function restorable(
  sessions: readonly Session[],
  origins: ReadonlyMap<string, TreeOrigin>,
  to: string | undefined,
  environment: Environment,
): Restorable[] {
  return sessions.map((session) => {
    const origin = origins.get(session.root)
    const target = targetOf(platformOf(session.platform), origin?.root, to, environment)
    return { session, target, names: origin?.names }
  })
}

/** The nearest folder that exists, and a prefix for the paths below it, because a root may not exist yet. */
export function baseOf(root: string): { base: string; prefix: string } {
  let above = root
  let prefix = ''
  for (; !existsSync(above) && above !== dirname(above); above = dirname(above))
    prefix = `${basename(above)}/${prefix}`
  return { base: rootAt(above), prefix }
}

interface Plans {
  maps?: readonly PathMap[]
  /** Whether they come from another machine. */
  isForeign: boolean
  /** See `impossible`. */
  from?: readonly `--${string}`[] | null
  /** See `transcriptsHere`. */
  here: ReadonlyMap<string, Artifact>
}

/**
 * Plans the files of sessions. Reads them and what is at their places, and changes nothing. A session that is
 * there already, at another place or with another directory, because its folder was moved, is not written a
 * second time.
 */
export function planRestore(
  all: readonly Restorable[],
  { maps = [], isForeign, from = [], here }: Plans,
  context: Pick<Context, 'suggest'>,
): RestorePlan {
  const plan = emptyPlan()
  const taken = new Set<string>()
  const indexes: IndexPlans = new Map()
  const elsewhere = new Set<string>()
  const keyOf = ({ platform, agent }: Session, target: string, sessionId: string): string =>
    `${target}\0${sessionIdentity({ platform, agent, sessionId })}`
  // A session comes before its subagents, which are where it is.
  const isSubagent = ({ session }: Restorable): boolean => session.parentSessionId !== undefined
  for (const { session, target, names } of all.toSorted(
    (a, b) => Number(isSubagent(a)) - Number(isSubagent(b)),
  )) {
    const platform = platformOf(session.platform)
    if (
      session.parentSessionId !== undefined &&
      elsewhere.has(keyOf(session, target, session.parentSessionId))
    )
      continue
    const below = belowOf(session, names)
    const restoring =
      below === undefined
        ? 'its name is not known any more'
        : (unusualId(session) ?? restoringAt(platform, below))
    if (typeof restoring === 'string' || below === undefined) {
      plan.impossible.push(impossible(session, `${restoring}`, context, from))
      continue
    }
    const own = session.cwds[0]?.[0]
    const { base, prefix } = baseOf(target)
    const nameAt = (name: string): string =>
      restoring.mapped?.(restoring.liveName?.(name) ?? name, own, maps) ?? restoring.liveName?.(name) ?? name
    const file = join(target, nameAt(below))
    const key = keyOf(session, target, session.id)
    const there = here.get(key)
    if (there?.state === 'live' && there.path !== file) {
      elsewhere.add(key)
      plan.elsewhere.push({ id: session.id, path: there.path })
      continue
    }
    const present = there?.path === file ? sessionIn(there) : undefined
    const before = own === undefined ? undefined : (mappedPath(own, maps) ?? own)
    if (present && before !== undefined && present.cwds.every(([directory]) => directory !== before)) {
      const [directory] = present.cwds[0]!
      if (session.kind !== 'subagent') plan.moved.push({ id: session.id, directory })
      plan.restored.push(present)
      continue
    }
    let state: FileRow['action'] | undefined
    for (const name of filesOf(session, below, restoring, names)) {
      const to = nameAt(name)
      const path = pathBelow(base, prefix + to)
      if (taken.has(path)) continue
      taken.add(path)
      const row = rowFor(name, platform.delivery.table)
      if (!row) continue
      const from = join(session.root, encodedBelow(name))
      const edit = row.mode === 'incremental' ? editorFor(restoring, maps, own) : undefined
      const content = (): Iterable<Uint8Array> =>
        edit ? editedLines(from, edit) : (mappedContent(name, from, restoring, maps) ?? partsOfFile(from))
      const found = measure(content())
      const before = digestOf(path)
      const isSame = before === found.digest || (before !== null && isSameValue(row, path, content()))
      const action = before === null ? 'create' : isSame ? 'same' : 'different'
      if (name === below) state = action
      plan.redacted += found.redacted
      plan.missing += found.empty
      plan.files.push({ path, to: null, action, bytes: found.bytes })
      if (action === 'create')
        plan.changes.push({ type: 'write', root: base, below: prefix + to, before, content })
    }
    const former = restoring.index?.of(below)
    const sessionKey = addToIndex(indexes, restoring, {
      ...session,
      isForeign,
      isWritten: state !== 'different',
      target,
      below: nameAt(below),
      former: former === undefined ? undefined : textAt(join(session.root, encodedBelow(former))),
    })
    const mappedCwds = session.cwds.map(([path, count]): [string, number] => [
      mappedPath(path, maps) ?? path,
      count,
    ])
    plan.restored.push({
      ...withKey(session, restoring, sessionKey),
      root: target,
      path: file,
      cwds: present?.cwds ?? mappedCwds,
      state: session.state === 'archived' ? 'live' : session.state,
    })
    if (restoring.afterward && !plan.afterward.includes(restoring.afterward))
      plan.afterward.push(restoring.afterward)
  }
  planIndexes(indexes, plan)
  return plan
}

/** A record has the value of a JSON document, and not its spaces and line breaks. */
function isSameValue(
  { mode, content: form }: CollectedRow,
  path: string,
  content: Iterable<Uint8Array>,
): boolean {
  if (mode !== 'whole' || form !== 'json') return false
  const [here, given] = [textAt(path), Buffer.concat([...content]).toString('utf8')].map(parsedJson)
  return here !== undefined && isDeepStrictEqual(here, given)
}

/** The session in a transcript of this machine, if it states a directory. */
function sessionIn(there: Artifact): Session | undefined {
  try {
    const { session } = readSession(there, { keep: 'counts' })
    return session.cwds.length > 0 ? session : undefined
  } catch {
    // What cannot be read is compared with what would be written.
    return undefined
  }
}

/** A small file that is read as a whole, with its directories. Undefined if it stays as it is. */
function mappedContent(
  name: string,
  path: string,
  { mappedText }: Restoring,
  maps: readonly PathMap[],
): Buffer[] | undefined {
  const text = mappedText && maps.length > 0 ? textAt(path) : undefined
  return text === undefined ? undefined : [Buffer.from(mappedText!(name, text, maps))]
}

/** The path below a tree of a path as it was on its machine. */
const encodedBelow = (below: string): string => below.split('/').map(encodedName).join('/')

/** The path below a tree as it was on its machine. Undefined if a name of it is lost. */
function belowOf({ root, path }: Session, lost: Restorable['names']): string | undefined {
  const names = relative(root, path)
    .split(sep)
    .map((name) => decodedName(name, lost))
  const isName = (name: string | undefined): boolean => name !== undefined && !/[/\\]/.test(name)
  return names.every(isName) ? names.join('/') : undefined
}

/** The transcript of a session and the files in its folder, by their paths below the root. */
function filesOf(
  { root }: Session,
  below: string,
  { folder }: Restoring,
  lost: Restorable['names'],
): string[] {
  const names = [below]
  const own = folder?.(below)
  const walk = (name: string): void => {
    for (const entry of listDirectory(join(root, encodedBelow(name))).entries) {
      const inner = decodedName(entry.name, lost)
      if (inner === undefined || /[/\\]/.test(inner)) continue
      if (entry.isDirectory()) walk(`${name}/${inner}`)
      else if (entry.isFile()) names.push(`${name}/${inner}`)
    }
  }
  if (own !== undefined) walk(own)
  return [...new Set(names)]
}

const PLACEHOLDER = Buffer.from('[REDACTED:')
const NEWLINE = 10
/** The end of a line, and of an empty one. */
const EMPTY = Buffer.from('\n\n')

/** Reads content once: its hash, its size, and how many secrets and lines are missing in it. */
export function measure(content: Iterable<Uint8Array>) {
  const sum = createHash('sha256')
  const found = { bytes: 0, redacted: 0, empty: 0 }
  let last: Uint8Array = EMPTY.subarray(1)
  let rest = Buffer.alloc(0)
  for (const part of content) {
    sum.update(part)
    found.bytes += part.length
    const lines = Buffer.concat([last, part])
    for (let at = lines.indexOf(EMPTY); at >= 0; at = lines.indexOf(EMPTY, at + 1)) found.empty++
    last = lines.subarray(-1)
    const seen = Buffer.concat([rest, part])
    for (let at = seen.indexOf(PLACEHOLDER); at >= 0; at = seen.indexOf(PLACEHOLDER, at + 1)) found.redacted++
    // A placeholder may begin in one part and end in the next.
    rest = seen.subarray(Math.max(0, seen.length - PLACEHOLDER.length + 1))
  }
  return { ...found, digest: sum.digest('hex') }
}

/** Rewrites the directories in a record. Undefined if none has another path. */
function editorFor(
  { directories, named }: Pick<Restoring, 'directories' | 'named'>,
  maps: readonly PathMap[],
  own?: string,
): ((line: string) => string) | undefined {
  if (maps.length === 0) return undefined
  const paths = pathEditor(directories, maps)
  const target = own === undefined ? undefined : mappedPath(own, maps)
  const [name, other] = named && target !== undefined ? [named.nameOf(own!), named.nameOf(target)] : []
  const edit: typeof paths = (path, value, isName) =>
    name !== undefined && value === name && !isName && named!.members.includes(path.join('.'))
      ? other
      : paths(path, value, isName)
  const needles = [...maps.map(({ from }) => JSON.stringify(from).slice(1, -1)), ...(name ? [name] : [])]
  return (line) => {
    if (!needles.some((needle) => line.includes(needle))) return line
    try {
      JSON.parse(line)
    } catch {
      return line
    }
    return editJson(line, edit)
  }
}

/** The lines of a file, each as `edit` returns it. Line ends stay as they are. */
export function* editedLines(path: string, edit: (line: string) => string): Generator<Uint8Array> {
  let held: Uint8Array[] = []
  const line = (last: Uint8Array): Uint8Array => {
    const bytes = held.length === 0 ? last : Buffer.concat([...held, last])
    held = []
    // Bytes that are not UTF-8 would not survive decoding.
    if (!isUtf8(bytes)) return bytes
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
    const edited = edit(text)
    return edited === text ? bytes : Buffer.from(edited)
  }
  for (const part of partsOfFile(path)) {
    const lines: Uint8Array[] = []
    let at = 0
    for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, at)) {
      lines.push(line(part.subarray(at, end + 1)))
      at = end + 1
    }
    if (at < part.length) held.push(part.subarray(at))
    yield Buffer.concat(lines)
  }
  if (held.length > 0) yield line(new Uint8Array())
}

interface IndexPlan {
  root: string
  below: string
  path: string
  before: string | null
  /** The text that it has at first, and the one that it gets. */
  current?: string | undefined
  text?: string
  bad?: string
}

const LARGEST_INDEX = 64 * 1024 * 1024

const textAt = (path: string): string | undefined =>
  existsSync(path) ? readSmall(path, LARGEST_INDEX)?.toString('utf8') : undefined

/** What the session indexes will be, by path. */
export type IndexPlans = Map<string, IndexPlan>

/**
 * Adds the entry of a session to what its index will be. `below`: the path of its transcript. `former`: the
 * index that it comes from. `isWritten`: if not, its file has other content, and no entry is added. Returns
 * its key.
 */
export function addToIndex(
  indexes: IndexPlans,
  { index }: Restoring,
  {
    target,
    below,
    former,
    isWritten,
    ...session
  }: Pick<Session, 'id' | 'agent' | 'title' | 'modifiedMs'> & {
    target: string
    below: string
    former?: string | undefined
    isForeign: boolean
    isWritten: boolean
  },
): string | undefined {
  if (!index) return undefined
  const { base, prefix } = baseOf(target)
  const at = prefix + index.of(below)
  const path = pathBelow(base, at)
  let plan = indexes.get(path)
  if (!plan) {
    plan = { root: base, below: at, path, before: digestOf(path), current: textAt(path) }
    indexes.set(path, plan)
  }
  try {
    const file = join(target, below)
    const text = plan.text ?? plan.current
    const added = index.add(text, former, { ...session, file })
    if (!added || added.text === text) return added?.key
    if (!isWritten) return undefined
    plan.text = added.text
    return added.key
  } catch (error) {
    plan.bad = `${path}: ${(error as Error).message}.`
    return undefined
  }
}

/** A session with the key that leads to it in the index of the client, and not the one of another index. */
export function withKey(session: Session, { index }: Restoring, key: string | undefined): Session {
  if (!index) return session
  const { sessionKey: _, ...rest } = session
  return key === undefined ? rest : { ...rest, sessionKey: key }
}

/** Adds the indexes to a plan. */
export function planIndexes(indexes: IndexPlans, plan: RestorePlan): void {
  for (const { root, below, before, text, path, bad } of indexes.values()) {
    if (bad !== undefined) plan.impossible.push(bad)
    if (text === undefined) continue
    const content = Buffer.from(text)
    plan.files.push({ path, to: null, action: before === null ? 'create' : 'change', bytes: content.length })
    plan.changes.push({ type: 'write', root, below, before, content: () => [content] })
  }
}
