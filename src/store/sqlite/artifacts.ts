import type { DatabaseSync } from 'node:sqlite'
import type { Artifact } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import type { Checkpoint, Increment, UsageRow } from '../increment.ts'
import { prepareWrite } from './database.ts'
import type { StaleDays } from './days.ts'

/** The columns of a checkpoint, as `checkpointOf` expects them. */
export const CHECKPOINT = `generation, offset, line, size, modified AS modifiedMs, identity,
  head_length AS headLength, head, tail, parser, racy`

export type CheckpointColumns = Omit<Checkpoint, 'recentlyModified'> & { racy: number }

export const checkpointOf = ({ racy, ...reached }: CheckpointColumns): Checkpoint => ({
  ...reached,
  recentlyModified: racy === 1,
})

/** What `fileColumns` writes of a file. */
export const FILE = `path, root, platform, agent, session, facts, generation, offset, line, size, modified, identity,
  head_length, head, tail, parser, racy`
export const FILE_VALUES = FILE.replace(/\w+/g, ':$&')

export function fileColumns(artifact: Artifact, checkpoint: Checkpoint) {
  const { path, root, platform, agent, sessionId: session } = artifact
  const { modifiedMs: modified, headLength: head_length, recentlyModified, ...reached } = checkpoint
  const facts = JSON.stringify(artifact)
  return {
    path,
    root,
    platform,
    agent,
    session,
    facts,
    ...reached,
    modified,
    head_length,
    racy: recentlyModified ? 1 : 0,
  }
}

/** The files of the store, with their checkpoints. */
export function createArtifactTable(database: DatabaseSync) {
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    revision: database.prepare('SELECT revision FROM artifact WHERE id = ?'),
    idAt: database.prepare('SELECT id FROM artifact WHERE path = ?'),
    state: database.prepare('SELECT parser, settled FROM artifact WHERE id = ?'),
    evict: database.prepare(`UPDATE artifact
      SET path = path || '#' || id, facts = json_set(facts, '$.path', path || '#' || id)
      WHERE path = ? AND id <> ? RETURNING id, path`),
    evicted: write(`UPDATE session SET row = json_set(row, '$.path', ?) WHERE artifact = ?`),
    insert: write(`INSERT INTO artifact (${FILE}, settled, revision) VALUES (${FILE_VALUES}, 0, 1)`),
    update: write(`UPDATE artifact SET (${FILE}, revision, gone) = (${FILE_VALUES}, revision + 1, NULL)
      WHERE id = :id`),
  }
  return {
    /** Whether the stored state is still the one that the increment was made from. */
    isCurrent({ artifact, base }: Increment): boolean {
      if (!base) return sql.idAt.get(artifact.path) === undefined
      return sql.revision.get(base.id)?.revision === base.revision
    },
    /** The parser that read a file, and the last generation of it that was read to its end. */
    state: (id: number) => sql.state.get(id) as { parser: number; settled: number } | undefined,
    /** Inserts or updates the file of an increment. Returns its id. */
    put({ artifact, base, checkpoint }: Increment): number {
      const columns = fileColumns(artifact, checkpoint)
      if (!base) return Number(sql.insert.run(columns).lastInsertRowid)
      // Another file had this path. It is gone, or was renamed, and then its own increment follows.
      const evicted = sql.evict.get(artifact.path, base.id)
      if (evicted) sql.evicted.run(evicted.path!, evicted.id!)
      sql.update.run({ ...columns, id: base.id })
      return base.id
    },
  }
}

/**
 * Whose messages come first: those of a session, of forks of it, of a fork that the client made for itself.
 * The rank of a fork is the time in ms when it was made, or `FORK` if that is not known, so that those who
 * were forked again come before their forks.
 */
const ORIGINAL = 0
const FORK = 2 ** 50
const INTERNAL = FORK + 1

/** The rank without the order of forks: 0 for a session, 1 for a fork, 2 for one that the client made. */
export const rankClass = (rank: number): 0 | 1 | 2 => (rank === ORIGINAL ? 0 : rank < INTERNAL ? 1 : 2)

const rankOf = ({ fork }: Artifact, session: Session | undefined): number =>
  fork !== undefined
    ? INTERNAL
    : session?.forked
      ? Math.max(1, Math.min(session.forkedMs ?? FORK, FORK))
      : ORIGINAL

/**
 * Ranks files that contain the same messages. The file with the lowest rank owns them, and of files with the
 * same rank, the one that was stored first. A subagent has the rank of its parent, because a fork copies the
 * files of its subagents, too.
 */
export function createRanks(database: DatabaseSync) {
  const sql = {
    of: database.prepare('SELECT rank FROM artifact WHERE id = ?'),
    ofParent: database.prepare('SELECT max(rank) AS rank FROM artifact WHERE session = ? AND platform = ?'),
    children: database.prepare(
      `SELECT id FROM artifact WHERE facts ->> '$.parentSessionId' = ? AND platform = ? AND rank NOT IN (?, ${INTERNAL})`,
    ),
    parents: database.prepare(`SELECT DISTINCT facts ->> '$.parentSessionId' AS parent FROM artifact`),
    set: prepareWrite(database, 'UPDATE artifact SET rank = ? WHERE id = ?'),
  }
  const known = new Map<number, number>()
  /** The sessions that started others. Each look for those of one would read all files. */
  let parents: Set<unknown> | undefined

  function set(artifact: number, rank: number): void {
    sql.set.run(rank, artifact)
    known.set(artifact, rank)
  }

  const of = (artifact: number): number => {
    let rank = known.get(artifact)
    if (rank === undefined) {
      rank = Number(sql.of.get(artifact)?.rank ?? ORIGINAL)
      known.set(artifact, rank)
    }
    return rank
  }

  return {
    of,
    /** Determines the rank of a file that was read. Returns the files whose rank has changed. */
    note(id: number, artifact: Artifact, session: Session | undefined): number[] {
      const { sessionId, parentSessionId, platform } = artifact
      parents?.add(parentSessionId)
      const before = of(id)
      const parent =
        parentSessionId === undefined
          ? ORIGINAL
          : Number(sql.ofParent.get(parentSessionId, platform)?.rank ?? ORIGINAL)
      const rank = Math.max(session ? rankOf(artifact, session) : before, Math.min(parent, FORK))
      if (rank === before) return []
      set(id, rank)
      if (rankClass(rank) === 2 || session?.kind === 'subagent') return [id]
      parents ??= new Set(sql.parents.all().map((row) => row.parent))
      if (!parents.has(sessionId)) return [id]
      const children = sql.children.all(sessionId, platform, rank).map((row) => Number(row.id))
      for (const child of children) set(child, rank)
      return [id, ...children]
    },
    /** Forgets what is cached, because a transaction was undone. */
    undone(): void {
      known.clear()
      parents = undefined
    },
  }
}

export type Ranks = ReturnType<typeof createRanks>

/** The tokens of replies, by file. */
export function createUsageTable(database: DatabaseSync, stale: StaleDays) {
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    // In order, not by name: see `createMessageTable`.
    put: write(`INSERT OR REPLACE INTO usage (artifact, reply, at, model, input, output, cache_read, cache_write, cost,
      cache_write_hour, reasoning, cut)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`),
    drop: write('DELETE FROM usage WHERE artifact = ?'),
    dropCurrent: write('DELETE FROM usage WHERE artifact = ? AND cut = 0'),
  }
  return {
    put(artifact: number, rows: readonly UsageRow[]): void {
      for (const { reply, at, model, input, output, cacheRead, cacheWrite, cost, ...parts } of rows) {
        stale.noteReply(reply)
        stale.note(at)
        const { cacheWriteHour, reasoning } = parts
        const tokens = [input, output, cacheRead, cacheWrite, cost, cacheWriteHour, reasoning] as const
        sql.put.run(artifact, reply, at, model, ...tokens)
      }
    },
    /** Deletes the rows of the current part of the file. Those of the part that was cut off remain. */
    dropCurrent(artifact: number): void {
      stale.noteReplies(artifact)
      sql.dropCurrent.run(artifact)
    },
    drop(artifact: number): void {
      stale.noteReplies(artifact)
      sql.drop.run(artifact)
    },
  }
}
