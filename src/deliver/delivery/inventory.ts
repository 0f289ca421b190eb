import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, dirname, relative, sep } from 'node:path'
import { bytesBelow, identityOf } from '../../io/directories.ts'
import {
  expandBraces,
  filesMatching,
  type Match,
  matcherOf,
  namesMatching,
  type Obstacle,
} from '../../io/glob.ts'
import {
  type Artifact,
  type ArtifactState,
  type Environment,
  type Notice,
  OWN_MEMORY,
  type PlatformId,
  type Root,
} from '../../model/artifact.ts'
import type { CollectedRow, SkippedRow, TableRow } from '../../model/delivery.ts'
import { append } from '../../model/iteration.ts'
import { platformOf, platforms } from '../../platforms/index.ts'
import type { Delivery, Platform, SessionsOfFolders } from '../../platforms/platform.ts'
import {
  forgottenTest,
  type IsForgotten,
  isForgottenArtifact,
  isForgottenSource,
} from '../../sync/forgotten.ts'

/** Something on this machine that is never opened, with its size. */
interface Skipped {
  row: SkippedRow
  platform: PlatformId
  path: string
  bytes: number
}

/** Everything that the platforms' tables match. */
export interface Inventory {
  roots: Root[]
  sources: Source[]
  notices: Notice[]
}

/**
 * Lists what the tables match below all roots, and what may hide more of it. Opens only databases, for the
 * names of their sessions.
 */
export function inventory(environment: Environment): Inventory {
  const found: Inventory = { roots: [], sources: [], notices: [] }
  const isForgotten = forgottenTest(environment)
  const seen = new Set<string>()
  const isNew = (key: string): boolean => {
    const { size } = seen
    return seen.add(key).size > size
  }
  for (const platform of platforms)
    for (const root of platform.files.roots(environment)) {
      found.roots.push(root)
      if (!root.found) continue
      const { artifacts, notices } = platform.files.discover(root, environment)
      const { sources: others, obstacles } = fromTable(platform, root, environment)
      append(
        found.notices,
        [...notices, ...obstacles].filter(({ path }) => isNew(`notice ${path}`)),
      )
      const documents = isForgotten?.(platform.id, OWN_MEMORY)
        ? []
        : (platform.memory?.documents(root, environment) ?? [])
      const sessions = sessionsByKey(artifacts)
      const folders = platform.delivery.indexesFolders && sessionsOfFolders(artifacts, isForgotten)
      const withSessions = (source: Source): Source => {
        if (NAMED_BY_KEY.has(source.row.kind)) return { ...source, sessions }
        if (!folders || source.row.kind !== 'session-index') return source
        // The records of the file depend on them.
        const state = hash('sha256', JSON.stringify([...folders]), 'base64url')
        return { ...source, folders, identity: `${source.identity}#${state}` }
      }
      for (const source of [
        ...artifacts.flatMap((artifact) => fromArtifact(artifact, nameOf(artifact), platform, environment)),
        ...documents.flatMap((document) =>
          fromArtifact(document, documentName(document), platform, environment),
        ),
        ...others.map((source) => withSessions(source)),
      ]) {
        if (!isNew(`${source.row.kind} ${source.path}`)) continue
        if (!isForgotten || !isForgottenSource(source, isForgotten)) found.sources.push(source)
      }
    }
  return found
}

/** Records of these kinds may contain only a session key. */
const NAMED_BY_KEY: ReadonlySet<string> = new Set(['cron-runs', 'subagent-runs'])

/** The latest session of each key, as in the session index. */
function sessionsByKey(artifacts: readonly Artifact[]): Source['sessions'] {
  const found = new Map<string, Artifact>()
  for (const artifact of artifacts) {
    const { sessionKey, state, modifiedMs } = artifact
    if (sessionKey === undefined) continue
    const known = found.get(sessionKey)
    const goesBefore = state === 'live' && known?.state !== 'live'
    if (!known || goesBefore || (state === known.state && modifiedMs > known.modifiedMs))
      found.set(sessionKey, artifact)
  }
  return Object.fromEntries([...found].map(([key, { sessionId }]) => [key, sessionId]))
}

/** The sessions of each directory that were not forgotten, without subagents. */
function sessionsOfFolders(
  artifacts: readonly Artifact[],
  isForgotten: IsForgotten | undefined,
): SessionsOfFolders {
  const found = new Map<string, Set<string>>()
  for (const artifact of artifacts) {
    const { directory, sessionId, kind, parentSessionId } = artifact
    if (directory === undefined || kind !== 'transcript' || parentSessionId !== undefined) continue
    if (isForgotten && isForgottenArtifact(artifact, isForgotten)) continue
    found.set(directory, (found.get(directory) ?? new Set()).add(sessionId))
  }
  return new Map([...found].sort().map(([directory, ids]) => [directory, [...ids].sort()]))
}

/** What exists but is never opened, by the row that refuses it. */
export function skippedIn(environment: Environment): Skipped[] {
  return platforms.flatMap((platform) =>
    platform.files
      .roots(environment)
      .filter((root) => root.found)
      .flatMap((root) =>
        platform.delivery.table.flatMap((row) =>
          skipsOf(row, environment).flatMap((skip) =>
            namesMatching(root.path, skip.pattern).map(({ path }) => ({
              row: skip,
              platform: platform.id,
              path,
              bytes: bytesBelow(path),
            })),
          ),
        ),
      ),
  )
}

const skipsOf = (row: TableRow, environment: Environment): SkippedRow[] => {
  const skip = skipOf(row, environment)
  return skip === undefined ? [] : [{ pattern: row.pattern, skip }]
}

/** Why what a row matches is not collected. Undefined if it is. */
export const skipOf = (row: TableRow, { deleted, toolResults }: Environment): string | undefined =>
  'skip' in row ? row.skip : ((deleted ? undefined : row.deleted) ?? (toolResults ? undefined : row.output))

const ARTIFACT_KINDS = { transcript: ['transcript'], memory: ['memory', 'persona'], 'prompt-history': [] }

const nameOf = ({ root, path }: Artifact): string => nameBelow(root, path)

/** A workspace may be anywhere. Its files are named as if it were in the default place. */
const documentName = (document: Artifact): string =>
  platformOf(document.platform).memory?.documentName?.(document) ?? nameOf(document)

function fromArtifact(
  artifact: Artifact,
  name: string,
  { delivery }: Platform,
  environment: Environment,
): Source | [] {
  const row = rowFor(name, delivery.table, ARTIFACT_KINDS[artifact.kind])
  if (!row || skipOf(row, environment) !== undefined) return []
  const { platform, root, path, agent, sessionId, slug, state, bytes, modifiedMs, identity = '' } = artifact
  const transcript = artifact.kind === 'transcript'
  return {
    row,
    platform,
    root,
    path,
    name,
    agent,
    slug,
    state,
    bytes,
    modifiedMs,
    identity,
    session: transcript ? sessionId : null,
    artifact: transcript ? artifact : undefined,
  }
}

/**
 * Sources in a table other than transcripts and memory documents, which the platform lists, and what may hide
 * those and documents.
 */
function fromTable(
  platform: Platform,
  root: Root,
  environment: Environment,
): { sources: Source[]; obstacles: Notice[] } {
  const obstacles: Obstacle[] = []
  const sources = platform.delivery.table.flatMap((row) => {
    if ('skip' in row || skipOf(row, environment) !== undefined || row.kind === 'transcript') return []
    const matches = filesMatching(root.path, row.pattern, obstacles)
    return isOfDocuments(row) ? [] : matches.map((match) => fromFile(row, match, platform, root))
  })
  return { sources, obstacles: obstacles.map((each) => ({ platform: platform.id, ...each })) }
}

/** What may hide memory documents below a root. */
export function hiddenDocuments({ platform, path, found }: Root): Notice[] {
  const obstacles: Obstacle[] = []
  if (found)
    for (const row of platformOf(platform).delivery.table)
      if (!('skip' in row) && isOfDocuments(row)) filesMatching(path, row.pattern, obstacles)
  return obstacles.map((each) => ({ platform, ...each }))
}

const isOfDocuments = ({ kind }: CollectedRow): boolean => kind === 'memory' || kind === 'persona'

function fromFile(row: CollectedRow, { path, name, stats }: Match, platform: Platform, root: Root): Source {
  const [, agent] = /^agents\/([^/]+)\//.exec(name) ?? []
  const [, slug] = /^projects\/([^/]+)\//.exec(name) ?? []
  const log = row.content === 'rows' ? statSync(`${path}-wal`, { throwIfNoEntry: false }) : undefined
  return {
    row,
    path,
    name,
    slug,
    platform: platform.id,
    root: root.path,
    agent: agent ?? platform.identity.defaultAgent,
    ...ownerOf(row, name, platform.delivery),
    state: 'live',
    bytes: stats.size + (log?.size ?? 0),
    modifiedMs: Math.max(stats.mtimeMs, log?.mtimeMs ?? 0),
    identity: identityOf(stats),
  }
}

/** Whose a file is, as its path below the root says. */
export function ownerOf(
  row: CollectedRow,
  name: string,
  delivery: Pick<Delivery, 'ownerOf'>,
): { session: string | null; parent?: string } {
  const { session, parent } = delivery.ownerOf?.(name, row.kind) ?? {}
  return { session: session ?? sessionOf(row, name), ...(parent !== undefined && { parent }) }
}

/** Whether a file that was delivered is of a forgotten session. Earlier versions did not know it of all. */
export function isForgottenFile(
  { platform, row, name, session, parent }: Pick<Source, 'platform' | 'row' | 'name' | 'session' | 'parent'>,
  isForgotten: IsForgotten,
): boolean {
  const known = platforms.find(({ id }) => id === platform)
  const own = known && ownerOf(row, name, known.delivery)
  return [session, parent, row.kind === 'transcript' ? null : own?.session, own?.parent].some(
    (id) => typeof id === 'string' && isForgotten(platform, id),
  )
}

/** The session that a small file next to transcripts describes, from its path. */
function sessionOf({ kind, ofFolder }: CollectedRow, name: string): string | null {
  if (ofFolder) return basename(ofFolder === 'above' ? dirname(dirname(name)) : dirname(name))
  if (kind === 'subagent-meta') return /([^/]+)\.meta\.json$/.exec(name)?.[1] ?? null
  if (kind === 'todo') return /([^/]+?)(?:-agent-[^/]+)?\.json$/.exec(name)?.[1] ?? null
  if (kind === 'tool-result') return dirname(dirname(name)).split('/').at(-1) ?? null
  return null
}

const matchers = new Map<string, readonly ((name: string) => boolean)[]>()

/**
 * The first row that matches a name, if it is collected. `kinds`: only rows of these kinds, and those that
 * skip.
 */
export function rowFor(
  name: string,
  table: readonly TableRow[],
  kinds?: readonly string[],
): CollectedRow | undefined {
  const fitting = kinds ? table.filter((row) => 'skip' in row || kinds.includes(row.kind)) : table
  const row = firstRow(name, fitting)
  return row && !('skip' in row) ? row : undefined
}

/** Whether the first row that matches a name says that it is not collected. */
export function isSkipped(name: string, table: readonly TableRow[]): boolean {
  const row = firstRow(name, table)
  return row !== undefined && 'skip' in row
}

const firstRow = (name: string, table: readonly TableRow[]): TableRow | undefined =>
  table.find((row) => matchersOf(row).some((matches) => matches(name)))

function matchersOf({ pattern }: TableRow): readonly ((name: string) => boolean)[] {
  let made = matchers.get(pattern)
  if (!made) {
    made = expandBraces(pattern).map(matcherOf)
    matchers.set(pattern, made)
  }
  return made
}

/** One thing that is collected: a file, a session in a database, or named columns of its tables. */
export interface Source {
  row: CollectedRow
  platform: PlatformId
  root: string
  /** The path of the file. For a session in a database, its name follows after `#`. */
  path: string
  /** The path below the root, the same on every machine. */
  name: string
  agent: string
  session: string | null
  /** The session that started it, as the path says. */
  parent?: string
  slug?: string
  state: ArtifactState
  bytes: number
  modifiedMs: number
  identity: string
  /** Session ids by session key, for records that contain only the key. */
  sessions?: Readonly<Record<string, string>>
  /** For an index of directories: their sessions. */
  folders?: SessionsOfFolders
  /** Set for transcripts, which their platform opens. */
  artifact?: Artifact
}

/** Identifies a source. One database can contain several. */
export const keyOf = ({ row, path }: Source): string => `${row.kind} ${path}`

/** A path below a root with `/` as separator on every system. */
const nameBelow = (root: string, path: string): string => relative(root, path).split(sep).join('/')
