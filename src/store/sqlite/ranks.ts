import type { DatabaseSync } from 'node:sqlite'
import type { Artifact } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { prepareWrite } from './write-statement.ts'

/**
 * Whose messages come first: those of a session, of a fork of it, of a fork that the client made for
 * itself.
 */
const ORIGINAL = 0
const FORK = 1
const INTERNAL = 2

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
      `SELECT id FROM artifact WHERE facts ->> '$.parentSessionId' = ? AND platform = ? AND rank < ?`,
    ),
    set: prepareWrite(database, 'UPDATE artifact SET rank = ? WHERE id = ?'),
  }
  const known = new Map<number, number>()

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
    /** Determines the rank of a file that was read. Returns the files whose rank has risen. */
    note(
      id: number,
      { sessionId, parentSessionId, platform, fork }: Artifact,
      session: Session | undefined,
    ): number[] {
      const before = of(id)
      const parent =
        parentSessionId === undefined
          ? ORIGINAL
          : Number(sql.ofParent.get(parentSessionId, platform)?.rank ?? ORIGINAL)
      const own = fork !== undefined ? INTERNAL : session?.forked ? FORK : ORIGINAL
      const rank = Math.max(before, own, Math.min(parent, FORK))
      if (rank === before) return []
      set(id, rank)
      if (rank !== FORK || parentSessionId !== undefined) return [id]
      const children = sql.children.all(sessionId, platform, FORK).map((row) => Number(row.id))
      for (const child of children) set(child, FORK)
      return [id, ...children]
    },
    /** Forgets what is cached, because a transaction was undone. */
    undone: (): void => known.clear(),
  }
}

export type Ranks = ReturnType<typeof createRanks>
