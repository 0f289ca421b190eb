import { forgottenKey, isForgottenMemory, type LeftOut } from '../../model/artifact.ts'
import type { Increment } from '../increment.ts'
import type { Forgotten, SessionName, Team } from '../team.ts'
import { ifAllowed } from './connection/connection.ts'
import { raw, sql } from './connection/literal.ts'
import { createMutations, eraseOfAll } from './mutations.ts'
import type { Scope } from './scope.ts'
import { type createWriter, noteRemoved, ownFiles } from './write/writer.ts'

const CUTOFF = 'sessions'

export function createTeam(scope: Scope, added: () => number): Team {
  const { connection } = scope

  function forgotten(): Forgotten[] {
    return connection
      .select<[string, string, number, string]>(
        'SELECT platform, session, at, parent FROM forgotten FINAL ORDER BY at, session',
      )
      .map(([platform, session, atMs, parent]) => ({
        platform,
        session,
        atMs,
        ...(parent === '' ? {} : { parent }),
      }))
  }

  function writeForgotten(
    sessions: Parameters<Team['forgetSessions']>[0],
    deleted: 0 | 1,
    atMs: number,
  ): void {
    const version = scope.stamp()
    connection.insert(
      'forgotten',
      ['platform', 'session', 'version', 'deleted', 'at', 'parent'],
      sessions.map(({ platform, session, parent = '' }) => [
        platform,
        session,
        version,
        deleted,
        atMs,
        parent,
      ]),
    )
  }

  function writeShares(
    sessions: readonly SessionName[],
    reader: string,
    { deleted, atMs }: { deleted: 0 | 1; atMs: number },
  ): void {
    const version = scope.stamp()
    connection.insert(
      'share',
      ['platform', 'session', 'reader', 'version', 'deleted', 'at'],
      sessions.map(({ platform, session }) => [platform, session, reader, version, deleted, atMs]),
    )
  }

  return {
    added,
    forgotten,
    leftOut() {
      const sessions = new Set(forgotten().map(({ platform, session }) => forgottenKey(platform, session)))
      const [cutoff] = connection.select<[number]>(
        sql`SELECT cutoff FROM retention FINAL WHERE name = ${CUTOFF}`,
      )
      return { sessions, ...(cutoff && { beforeMs: cutoff[0] }) }
    },
    forgetSessions: (sessions, atMs) => writeForgotten(sessions, 0, atMs),
    acceptAgain: (sessions) => writeForgotten(sessions, 1, 0),
    leaveOutBefore: (cutoffMs) =>
      connection.insert(
        'retention',
        ['name', 'version', 'deleted', 'cutoff'],
        [[CUTOFF, scope.stamp(), 0, Math.floor(cutoffMs)]],
      ),
    eraseAll: (ids) => eraseOfAll(scope, ids),
    messagesByFile: (ids) =>
      new Map(
        connection.select<[number, number]>(
          sql`SELECT artifact, count() FROM item FINAL WHERE artifact IN ${ids} GROUP BY artifact`,
        ),
      ),
    shares: () =>
      connection
        .select<[string, string, string, string, number]>(
          'SELECT owner, platform, session, reader, at FROM share FINAL ORDER BY at, session, reader',
        )
        .map(([owner, platform, session, reader, atMs]) => ({ owner, platform, session, reader, atMs })),
    share: (sessions, reader, atMs) => writeShares(sessions, reader, { deleted: 0, atMs }),
    unshare: (sessions, reader) => writeShares(sessions, reader, { deleted: 1, atMs: 0 }),
    user: () => connection.select<[string]>('SELECT currentUser()')[0]![0],
  }
}

/** The increments of a device that a store takes. */
export function withoutLeftOut(
  batch: readonly Increment[],
  { sessions, beforeMs }: LeftOut,
  scope: Pick<Scope, 'device' | 'person' | 'connection'>,
): Increment[] {
  if (sessions.size === 0 && beforeMs === undefined) return [...batch]
  const { device, person } = scope
  const taken = batch.filter(({ artifact }) => {
    const { platform, sessionId, parentSessionId, kind } = artifact
    if (kind === 'memory') return !isForgottenMemory({ sessions }, { platform, device, person })
    if (sessions.has(forgottenKey(platform, sessionId))) return false
    return parentSessionId === undefined || !sessions.has(forgottenKey(platform, parentSessionId))
  })
  return beforeMs === undefined ? taken : withoutOver(taken, beforeMs, scope)
}

/**
 * Without what ended earlier. A subagent that ended earlier belongs to a session that may go on, so it is
 * taken if that session is stored. If the session is still to come, the subagent follows with the next run.
 */
function withoutOver(
  batch: readonly Increment[],
  beforeMs: number,
  { connection, device }: Pick<Scope, 'device' | 'connection'>,
): Increment[] {
  const { true: over = [], false: taken = [] } = Object.groupBy(batch, (increment) => {
    // Of a file that is read in parts, only the last one says when the session ended.
    const isWhole = increment.base === undefined && !increment.more
    const endedMs = increment.session?.lastActivityMs
    return `${isWhole && endedMs !== undefined && endedMs < beforeMs}` as const
  })
  const parents = new Set(over.flatMap(({ artifact }) => artifact.parentSessionId ?? []))
  if (parents.size === 0) return taken
  const stored = connection.select<[string, string]>(
    sql`SELECT platform, session FROM artifact FINAL
      WHERE device = ${device} AND notEmpty(row) AND session IN ${[...parents]}`,
  )
  const there = new Set(stored.map(([platform, session]) => forgottenKey(platform, session)))
  for (const { artifact } of taken) there.add(forgottenKey(artifact.platform, artifact.sessionId))
  const isTaken = new Set(taken)
  return batch.filter((each) => {
    const { platform, parentSessionId } = each.artifact
    return (
      isTaken.has(each) ||
      (parentSessionId !== undefined && there.has(forgottenKey(platform, parentSessionId)))
    )
  })
}

/** The columns that identify a row, and its month, in the tables whose rows a file leaves. */
const KEYS = {
  item: 'artifact, generation, line, place, record, digest, at',
  usage: 'artifact, reply',
  project: 'artifact',
  unlinked: 'artifact',
  figure: 'artifact',
}

type Removing = Pick<ReturnType<typeof createWriter>, 'forget' | 'erase'>

/**
 * Removes files as a user who may not delete: every row is replaced by one without content, so that no answer
 * contains it. The bytes leave the disk when ClickHouse merges the parts. Words stay in the vocabulary until
 * an administrator forgets the session.
 */
export function withdrawing(scope: Scope, writer: Removing): Removing {
  const { tryDeleting } = createMutations(scope)
  let mayDelete: boolean | undefined
  const deletesNothing = (): boolean => {
    tryDeleting()
    return true
  }
  const deletes = (): boolean => {
    mayDelete ??= ifAllowed(deletesNothing) ?? false
    return mayDelete
  }
  return {
    forget: (ids) => (deletes() ? writer.forget(ids) : void withdraw(scope, ids)),
    erase: (ids) => (deletes() ? writer.erase(ids) : { messages: withdraw(scope, ids), words: 0 }),
  }
}

/** Returns how many messages no other file of this device contains. */
function withdraw(scope: Scope, ids: readonly number[]): number {
  const { connection } = scope
  const files = ownFiles(scope, ids)
  if (files.length === 0) return 0
  const some = files.map(({ id }) => id)
  const [[messages] = [0]] = connection.select<[number]>(
    sql`SELECT uniqExact(record, digest) FROM item FINAL WHERE artifact IN ${some} AND (record, digest) NOT IN (
      SELECT record, digest FROM item FINAL WHERE artifact NOT IN ${some})`,
  )
  noteRemoved(scope, files)
  for (const [table, key] of Object.entries(KEYS))
    connection.run(sql`INSERT INTO ${raw(table)} (${raw(key)}, version, deleted)
      SELECT ${raw(key)}, version + 1, 1 FROM ${raw(table)} FINAL WHERE artifact IN ${some}`)
  return messages
}
