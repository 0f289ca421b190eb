import { join } from 'node:path'
import {
  type Allows,
  fileInside,
  isFolderInside,
  isOneName,
  listDirectory,
  NO_LINKS,
} from '../../../io/directories.ts'
import { databaseFault } from '../../../io/sqlite.ts'
import type { Environment, Notice, Root } from '../../../model/artifact.ts'
import { largest } from '../../../model/iteration.ts'
import type { SemanticIndex, SemanticMemory, SemanticTexts } from '../../../model/semantic.ts'
import { documents } from '../documents.ts'
import { ask, type Connection } from '../eras/connection.ts'
import { freshnessOf, type Source } from './freshness.ts'
import { SEMANTIC_STATEMENTS } from './statements.ts'
import { semanticTables } from './tables.ts'

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
  const notices: Notice[] = []
  let texts: SemanticTexts | undefined
  const inside = folders(root.path, NO_LINKS)
  const agents = inside.find(({ name }) => name === 'agents')
  for (const { name, path } of agents ? folders(agents.path, isOneName) : []) {
    const folder = folders(path, NO_LINKS).find((each) => each.name === 'agent')
    if (folder) look(name, folder.path, 'openclaw-agent.sqlite', false)
  }
  const old = inside.find(({ name }) => name === 'memory')
  for (const entry of old ? listDirectory(old.path).entries : []) {
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
      if (found === 'strange' || (!found && alone))
        notices.push({ platform: 'openclaw', path, message: STRANGE })
      else if (found) {
        texts ??= documents(root, environment)
        const { sources, ...rest } = found
        const kinds = Map.groupBy(sources, ({ kind }) => kind)
        const own = texts.filter((text) => text.agent === agent)
        indexes.push({
          ...{ agent, path, ...rest },
          sources: new Map([...kinds].map(([kind, some]) => [kind, some.length])),
          freshness: freshnessOf(sources, own),
        })
      }
    } catch (error) {
      notices.push({ platform: 'openclaw', path, message: unreadable(error) })
    }
  }
}

/** Describes why a semantic memory cannot be read, and what to do about it. */
export function unreadable(error: unknown): string {
  const { what, then } = databaseFault(error)
  return `a semantic memory that cannot be read (${what}). ${then}`
}

type Read = Pick<SemanticIndex, 'chunks' | 'parts' | 'updatedMs'> & { sources: Source[] }

const EMPTY: Read = { chunks: 0, parts: [], sources: [] }

function readIndex(connection: Connection): Read | 'strange' | undefined {
  const tables = semanticTables(connection)
  if (tables === undefined || tables === 'strange') return tables
  const { database } = connection
  const { prefix } = tables
  const parts = database.prepare(SEMANTIC_STATEMENTS[`${prefix}Parts`]).all()
  const sources = database.prepare(SEMANTIC_STATEMENTS[`${prefix}Sources`]).all()
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
const isTime = (value: number): boolean => value > 0 && value <= 8.64e15

/** The readable folders in a folder. */
const folders = (path: string, allows: Allows): { name: string; path: string }[] =>
  listDirectory(path).entries.flatMap((entry) => {
    const below = join(path, entry.name)
    return isFolderInside(path, below, entry, allows) ? { name: entry.name, path: below } : []
  })
