import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  type Allows,
  fileInside,
  isFolderInside,
  isOneName,
  listDirectory,
  NO_LINKS,
} from '../../io/directories.ts'
import { readSmall } from '../../io/source.ts'
import { databaseFault } from '../../io/sqlite.ts'
import type { Environment, Notice, Root } from '../../model/artifact.ts'
import { largest } from '../../model/iteration.ts'
import { LAST_MS } from '../../model/json.ts'
import type {
  SemanticFreshness,
  SemanticHit,
  SemanticIndex,
  SemanticMemory,
  SemanticRecall,
  SemanticTexts,
} from '../../model/semantic.ts'
import { type Connection, hasColumns, tablesOf } from '../database-connections.ts'
import { ask, reasonOf } from './database/connection.ts'
import { createLister, documents, isDocumentName } from './files.ts'
import { SEMANTIC_STATEMENTS } from './statements.ts'

/** `<agent>.sqlite`. Copies, and indexes that are being built, have other names. */
const FILE = /^([a-z0-9][a-z0-9_-]{0,63})\.sqlite$/i
const STRANGE =
  'a database without the tables of a semantic memory that this version knows. If it is none, move it away; a newer OpenClaw needs a newer scrollback.'

/**
 * The semantic memory of every agent. The allow-list: named columns of `memory/<agent>.sqlite`, which older
 * releases create, and of `agents/<agent>/agent/openclaw-agent.sqlite`. What cannot be read becomes a notice.
 */
export function semanticMemory(root: Root, environment: Environment): SemanticMemory {
  const indexes: SemanticIndex[] = []
  const { notices, notice, list } = createLister()
  let texts: SemanticTexts | undefined
  const inside = folders(root.path, NO_LINKS)
  const agents = inside.find(({ name }) => name === 'agents')
  for (const { name, path } of agents ? folders(agents.path, isOneName) : []) {
    const folder = folders(path, NO_LINKS).find((each) => each.name === 'agent')
    if (folder) look(name, folder.path, 'openclaw-agent.sqlite', false)
  }
  const old = inside.find(({ name }) => name === 'memory')
  for (const entry of old ? list(old.path) : []) {
    const agent = FILE.exec(entry.name)?.[1]
    // Symbolic links are not followed.
    if (old && agent !== undefined && entry.isFile()) look(agent, old.path, entry.name, true)
  }
  return { indexes: indexes.sort((a, b) => (a.agent < b.agent ? -1 : a.agent > b.agent ? 1 : 0)), notices }

  function look(agent: string, folder: string, name: string, alone: boolean): void {
    const path = join(folder, name)
    const stats = fileInside(folder, path, NO_LINKS)
    if (!stats) return
    try {
      const read = ask(path, readIndex)
      // A file that was created but never filled has no tables.
      const found = read ?? (alone && stats.size === 0 ? EMPTY : undefined)
      if (found === 'strange' || (!found && alone)) notice(path, STRANGE)
      else if (found) {
        texts ??= documents(root, environment)
        const { sources, ...rest } = found
        const kinds = Map.groupBy(sources, ({ kind }) => kind)
        const own = texts.filter((text) => text.agent === agent)
        indexes.push({
          agent,
          path,
          ...rest,
          sources: new Map([...kinds].map(([kind, some]) => [kind, some.length])),
          freshness: freshnessOf(sources, own),
        })
      }
    } catch (error) {
      notice(path, unreadable(error))
    }
  }
}

/** Describes why a semantic memory cannot be read, and what to do about it. */
function unreadable(error: unknown): string {
  const { what, then } = databaseFault(error)
  return `a semantic memory that cannot be read (${what}). ${then}`
}

type Read = Pick<SemanticIndex, 'chunks' | 'parts' | 'updatedMs'> & { sources: Source[] }

const EMPTY: Read = { chunks: 0, parts: [], sources: [] }

function readIndex(connection: Connection): Read | 'strange' | undefined {
  const tables = semanticTables(connection)
  if (tables === undefined || tables === 'strange') return tables
  const { database } = connection
  const { generation } = tables
  const parts = database.prepare(SEMANTIC_STATEMENTS[generation].parts).all()
  const sources = database.prepare(SEMANTIC_STATEMENTS[generation].sources).all()
  const updatedMs = largest(parts.map(({ updated }) => Number(updated)).filter(isTime), 0)
  return {
    chunks: parts.reduce((sum, { chunks }) => sum + Number(chunks), 0),
    parts: parts.map(({ kind, model, chunks }) => ({
      kind: String(kind),
      model: String(model),
      chunks: Number(chunks),
    })),
    ...(updatedMs > 0 ? { updatedMs } : {}),
    sources: sources.map(({ path, kind, hash, mtime, size }) => ({
      name: String(path),
      kind: String(kind),
      hash: String(hash),
      mtimeMs: Number(mtime),
      size: Number(size),
    })),
  }
}

/** Whether a number is a valid time. */
const isTime = (value: number): boolean => value > 0 && value <= LAST_MS

/** The readable folders in a folder. */
const folders = (path: string, allows: Allows): { name: string; path: string }[] =>
  listDirectory(path).entries.flatMap((entry) => {
    const below = join(path, entry.name)
    return isFolderInside(path, below, entry, allows) ? { name: entry.name, path: below } : []
  })

/** A text as it was when it was embedded. */
interface Source {
  name: string
  kind: string
  hash: string
  mtimeMs: number
  size: number
}

/** The files that every release embeds. */
const EMBEDDED = /^(?:MEMORY|memory)\.md$|^memory\//
const SHA256 = /^[0-9a-f]{64}$/i
const LIMIT = 16 * 1024 * 1024

/**
 * Which texts have changed since they were embedded. Only opens memory documents, and only if just the time
 * differs: a restored copy has another time but the same content.
 */
function freshnessOf(sources: readonly Source[], texts: SemanticTexts): SemanticFreshness {
  const found = new Map(texts.map((text) => [text.sessionId, text]))
  const embedded = sources.filter(({ kind }) => kind === 'memory')
  const freshness: SemanticFreshness = { changed: [], gone: [], missing: [], unchecked: 0 }
  for (const source of embedded) {
    const text = found.get(source.name)
    if (text) {
      if (isChanged(source, text)) freshness.changed.push(source.name)
    } else if (texts.length > 0 && isDocumentName(source.name)) freshness.gone.push(source.name)
    // Elsewhere: a configured folder, or a workspace outside of the state directory.
    else freshness.unchecked++
  }
  const known = new Set(embedded.map(({ name }) => name))
  for (const name of found.keys()) if (EMBEDDED.test(name) && !known.has(name)) freshness.missing.push(name)
  return freshness
}

function isChanged({ hash, mtimeMs, size }: Source, text: SemanticTexts[number]): boolean {
  if (text.bytes !== size) return true
  if (Math.abs(text.modifiedMs - mtimeMs) < 1) return false
  if (!SHA256.test(hash)) return true
  try {
    const content = readSmall(text.path, LIMIT)
    return content === undefined || createHash('sha256').update(content).digest('hex') !== hash.toLowerCase()
  } catch {
    return true
  }
}

/** Longer patterns are rejected by the engine. The remaining words are compared here. */
const LONGEST = 100

/**
 * The chunks that contain all words, from the agent's full-text index. If the index cannot be used (its
 * tokenizer or extension is missing) or finds nothing, the chunks themselves are searched, including parts of
 * words.
 */
export function recall(
  { agent, path }: Pick<SemanticIndex, 'agent' | 'path'>,
  words: readonly string[],
  limit: number,
): SemanticRecall | Notice {
  const wanted = words.map((word) => word.replaceAll('\0', '').trim()).filter((word) => word !== '')
  try {
    return ask(path, (connection) => search(connection, agent, wanted, limit))
  } catch (error) {
    return { platform: 'openclaw', path, message: unreadable(error) }
  }
}

function search(
  { database, ...rest }: Connection,
  agent: string,
  words: readonly string[],
  limit: number,
): SemanticRecall {
  const tables = semanticTables({ database, ...rest })
  if (typeof tables !== 'object' || words.length === 0) return { hits: [], total: 0, by: 'words' }
  const { generation } = tables
  let why: string | undefined
  if (tables.words)
    try {
      const asked = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')
      const found = database.prepare(SEMANTIC_STATEMENTS[generation].words).iterate(asked)
      const answer = collect(found, agent, limit, () => true)
      if (answer.total > 0) return { ...answer, by: 'words' }
    } catch (error) {
      why = reasonOf(error)
    }
  else why = 'it has none'
  const small = words.map((word) => word.toLowerCase())
  const all = (text: string): boolean => small.every((word) => text.toLowerCase().includes(word))
  const found = database.prepare(SEMANTIC_STATEMENTS[generation].texts).iterate(patternOf(small))
  return { ...collect(found, agent, limit, all), by: 'text', ...(why === undefined ? {} : { why }) }
}

/** A pattern with the longest word that the engine compares as we do, or one that matches everything. */
function patternOf(words: readonly string[]): string {
  const plain = words.filter((word) => /^[\x20-\x7e]+$/.test(word)).sort((a, b) => b.length - a.length)
  const escaped = (plain[0] ?? '').slice(0, LONGEST).replace(/[\\%_]/g, '\\$&')
  return `%${escaped}%`
}

/** Collects the first hits and the total. A chunk occurs once per embedding model, but is reported once. */
function collect(
  rows: Iterable<Record<string, unknown>>,
  agent: string,
  limit: number,
  fits: (text: string) => boolean,
): Pick<SemanticRecall, 'hits' | 'total'> {
  const seen = new Set<string>()
  const hits: SemanticHit[] = []
  for (const { path, kind, first, last, text } of rows) {
    const key = `${path} ${kind} ${first} ${last}`
    if (typeof text !== 'string' || seen.has(key) || !fits(text)) continue
    seen.add(key)
    if (hits.length === limit) continue
    const lines = { startLine: Number(first) || 0, endLine: Number(last) || 0 }
    hits.push({ agent, name: String(path), kind: String(kind), ...lines, text })
  }
  return { hits, total: seen.size }
}

const SOURCES = ['path', 'source', 'hash', 'mtime', 'size']
const POSITION = ['path', 'source', 'start_line', 'end_line', 'text']
const CHUNKS = [...POSITION, 'model', 'updated_at']

/**
 * The tables of a semantic memory, of either generation. `words`: there is a full-text index with the
 * required columns. Undefined if there are none. `strange` if the tables have other columns.
 */
function semanticTables({ database }: Connection) {
  const tables = tablesOf(database, SEMANTIC_STATEMENTS.columns)
  const has = (table: string, names: readonly string[]): boolean => hasColumns({ tables }, table, ...names)
  if (has('memory_index_sources', SOURCES) && has('memory_index_chunks', CHUNKS))
    return { generation: 'table' as const, words: has('memory_index_chunks_fts', POSITION) }
  if (has('files', SOURCES) && has('chunks', CHUNKS))
    return { generation: 'file' as const, words: has('chunks_fts', POSITION) }
  return tables.has('memory_index_chunks') || tables.has('chunks') ? ('strange' as const) : undefined
}
