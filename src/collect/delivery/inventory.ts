import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { bytesBelow, identityOf } from '../../io/directories.ts'
import { expandBraces, filesMatching, type Match, namesMatching } from '../../io/glob.ts'
import { matcherOf } from '../../io/glob-matcher.ts'
import type { Artifact, Environment, Notice, PlatformId, Root } from '../../model/artifact.ts'
import type { CollectedRow, SkippedRow, TableRow } from '../../model/delivery.ts'
import { append } from '../../model/lists.ts'
import { platforms } from '../../platforms/index.ts'
import type { Platform } from '../../platforms/platform.ts'
import { nameBelow, type Source } from './source.ts'

/** Something on this machine that stays closed, and how much it is. */
export interface Skipped {
  row: SkippedRow
  platform: PlatformId
  path: string
  bytes: number
}

/** All that falls under the tables of the platforms. */
export interface Inventory {
  roots: Root[]
  sources: Source[]
  notices: Notice[]
}

/** Looks through all roots for what the tables name. Opens nothing but databases, for the names of their sessions. */
export function inventory(environment: Environment): Inventory {
  const found: Inventory = { roots: [], sources: [], notices: [] }
  const seen = new Set<string>()
  for (const platform of platforms)
    for (const root of platform.roots(environment)) {
      found.roots.push(root)
      if (!root.found) continue
      const { artifacts, notices } = platform.discover(root, environment)
      append(found.notices, notices)
      const documents = platform.documents?.(root, environment) ?? []
      const sessions = sessionsByKey(artifacts)
      for (const source of [
        ...artifacts.flatMap((artifact) => fromArtifact(artifact, nameOf(artifact), platform, environment)),
        ...documents.flatMap((document) =>
          fromArtifact(document, documentName(document), platform, environment),
        ),
        ...fromTable(platform, root).map((source) =>
          NAMED_BY_KEY.has(source.row.kind) ? { ...source, sessions } : source,
        ),
      ]) {
        const key = `${source.row.kind} ${source.path}`
        if (seen.has(key)) continue
        seen.add(key)
        found.sources.push(source)
      }
    }
  return found
}

/** Records of these may name a session by its key alone. */
const NAMED_BY_KEY: ReadonlySet<string> = new Set(['cron-runs', 'subagent-runs'])

/** The latest session of each key: an index knows no other. */
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

/** What is there and stays closed, by the rows that say so. */
export function skippedIn(environment: Environment): Skipped[] {
  return platforms.flatMap((platform) =>
    platform
      .roots(environment)
      .filter((root) => root.found)
      .flatMap((root) =>
        platform.table.flatMap((row) =>
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

const skipsOf = (row: TableRow, { deleted }: Environment): SkippedRow[] =>
  'skip' in row ? [row] : row.deleted && !deleted ? [{ pattern: row.pattern, skip: row.deleted }] : []

/** The first row that a name fits; undefined where that says that it stays closed, or where none does. */
function rowFor(
  name: string,
  table: readonly TableRow[],
  { deleted }: Environment,
  kinds?: readonly string[],
): CollectedRow | undefined {
  for (const row of table) {
    const fits = 'skip' in row || !kinds || kinds.includes(row.kind)
    if (!fits || !fitsOf(row).some((fitsName) => fitsName(name))) continue
    return 'skip' in row || (row.deleted !== undefined && !deleted) ? undefined : row
  }
  return undefined
}

const matchers = new Map<string, readonly ((name: string) => boolean)[]>()
function fitsOf({ pattern }: TableRow): readonly ((name: string) => boolean)[] {
  let made = matchers.get(pattern)
  if (!made) {
    made = expandBraces(pattern).map(matcherOf)
    matchers.set(pattern, made)
  }
  return made
}

const ARTIFACT_KINDS = { transcript: ['transcript'], memory: ['memory', 'persona'], 'prompt-history': [] }

const nameOf = ({ root, path }: Artifact): string => nameBelow(root, path)

/** A workspace may lie anywhere; its texts are named as if it were where it usually is. */
const documentName = (document: Artifact): string =>
  document.platform === 'openclaw'
    ? `workspace${document.agent === 'main' ? '' : `-${document.agent}`}/${document.sessionId}`
    : nameOf(document)

function fromArtifact(
  artifact: Artifact,
  name: string,
  { table }: Platform,
  environment: Environment,
): Source | [] {
  const row = rowFor(name, table, environment, ARTIFACT_KINDS[artifact.kind])
  if (!row) return []
  const { platform, root, path, agent, sessionId, slug, state, bytes, modifiedMs, identity = '' } = artifact
  const transcript = artifact.kind === 'transcript'
  return {
    ...{ row, platform, root, path, name, agent, slug, state, bytes, modifiedMs, identity },
    session: transcript ? sessionId : null,
    artifact: transcript ? artifact : undefined,
  }
}

/** What a table names beside transcripts and texts of memory. */
function fromTable(platform: Platform, root: Root): Source[] {
  return platform.table.flatMap((row) => {
    if ('skip' in row || row.kind === 'transcript' || row.kind === 'memory' || row.kind === 'persona')
      return []
    return filesMatching(root.path, row.pattern).map((match) => fromFile(row, match, platform, root))
  })
}

function fromFile(row: CollectedRow, { path, name, stats }: Match, platform: Platform, root: Root): Source {
  const [, agent] = /^agents\/([^/]+)\//.exec(name) ?? []
  const [, slug] = /^projects\/([^/]+)\//.exec(name) ?? []
  const log = row.content === 'rows' ? statSync(`${path}-wal`, { throwIfNoEntry: false }) : undefined
  return {
    ...{ row, path, name, slug, platform: platform.id, root: root.path },
    agent: agent ?? (platform.id === 'claude-code' ? 'claude' : 'main'),
    session: sessionOf(row, name),
    state: 'live',
    bytes: stats.size + (log?.size ?? 0),
    modifiedMs: Math.max(stats.mtimeMs, log?.mtimeMs ?? 0),
    identity: identityOf(stats),
  }
}

/** The session that a small file beside transcripts tells of, by its place. */
function sessionOf({ kind }: CollectedRow, name: string): string | null {
  if (kind === 'subagent-meta') return /([^/]+)\.meta\.json$/.exec(name)?.[1] ?? null
  if (kind === 'todo') return /([^/]+?)(?:-agent-[^/]+)?\.json$/.exec(name)?.[1] ?? null
  if (kind === 'session-index' && name.startsWith('projects/')) return dirname(name).split('/').at(-1) ?? null
  return null
}
