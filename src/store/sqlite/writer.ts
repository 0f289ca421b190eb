import type { DatabaseSync } from 'node:sqlite'
import type { Increment, MessageRow, Written } from '../store.ts'
import { createLinkWriter } from './links.ts'
import { createMessages } from './messages.ts'
import { createStaleDays } from './stale-days.ts'

/** Writes increments: rows and checkpoints in one transaction, so that a crash loses nothing and repeats nothing. */
export function createWriter(database: DatabaseSync) {
  const stale = createStaleDays(database)
  const messages = createMessages(database, stale)
  const links = createLinkWriter(database)
  const one = {
    revision: database.prepare('SELECT revision FROM artifact WHERE id = ?'),
    idAt: database.prepare('SELECT id FROM artifact WHERE path = ?'),
    evict:
      database.prepare(`UPDATE artifact SET path = path || '#' || id, facts = json_set(facts, '$.path', path || '#' || id)
      WHERE path = ? AND id <> ? RETURNING id, path`),
    evicted: database.prepare(`UPDATE session SET row = json_set(row, '$.path', ?) WHERE artifact = ?`),
    insert:
      database.prepare(`INSERT INTO artifact (path, root, platform, agent, session, facts, generation, settled, offset,
      line, size, modified, identity, head_length, head, tail, parser, racy, revision)
      VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`),
    update:
      database.prepare(`UPDATE artifact SET path = ?, root = ?, platform = ?, agent = ?, session = ?, facts = ?,
      generation = ?, offset = ?, line = ?, size = ?, modified = ?, identity = ?, head_length = ?, head = ?, tail = ?,
      parser = ?, racy = ?, revision = revision + 1, gone = NULL WHERE id = ?`),
    settled: database.prepare('SELECT settled FROM artifact WHERE id = ?'),
    settle: database.prepare('UPDATE artifact SET settled = ? WHERE id = ?'),
    session: database.prepare(
      'INSERT INTO session (artifact, row) VALUES (?, ?) ON CONFLICT DO UPDATE SET row = excluded.row',
    ),
    fold: database.prepare('INSERT OR REPLACE INTO fold (artifact, state) VALUES (?, ?)'),
    gone: database.prepare('UPDATE artifact SET gone = ?, revision = revision + 1 WHERE id = ?'),
    dropUsage: database.prepare('DELETE FROM usage WHERE artifact = ?'),
    usage: database.prepare('INSERT OR REPLACE INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    linked: database.prepare('DELETE FROM unlinked WHERE artifact = ?'),
    unsettle: database.prepare('DELETE FROM settled'),
    version: database.prepare('INSERT OR REPLACE INTO version VALUES (?, ?, ?, ?)'),
    word: database.prepare('INSERT OR IGNORE INTO vocabulary (word) VALUES (?)'),
    part: database.prepare('INSERT INTO part (rowid, word) VALUES (?, ?)'),
  }

  function artifactId({ artifact, base, checkpoint }: Increment): number {
    const { path, root, platform, agent, sessionId } = artifact
    const { generation, offset, line, size, modifiedMs, identity, headLength, head, tail, parser, racy } =
      checkpoint
    const place = [path, root, platform, agent, sessionId, JSON.stringify(artifact), generation] as const
    const reached = [
      offset,
      line,
      size,
      modifiedMs,
      identity,
      headLength,
      head,
      tail,
      parser,
      racy ? 1 : 0,
    ] as const
    if (!base) return Number(one.insert.run(...place, ...reached).lastInsertRowid)
    // Another file had this name: it is gone, or it changed names with this one and its own increment follows.
    const evicted = one.evict.get(path, base.id)
    if (evicted) one.evicted.run(evicted.path!, evicted.id!)
    one.update.run(...place, ...reached, base.id)
    return base.id
  }

  /** Whether the store still is what the increment was made from. */
  function isCurrent({ artifact, base }: Increment): boolean {
    if (!base) return one.idAt.get(artifact.path) === undefined
    return one.revision.get(base.id)?.revision === base.revision
  }

  function writeOne({ increment, state }: Written): void {
    const { checkpoint, session, fresh, more, usages, vocabulary } = increment
    const id = artifactId(increment)
    const place = { artifact: id, generation: checkpoint.generation }
    if (!fresh) messages.removeFrom(place, increment.fromLine)
    for (const row of increment.messages) messages.put(place, row, false, row[5] < increment.fromLine)
    if (increment.prompts) reconcilePrompts(place, increment.prompts)
    messages.setAside(place, increment.left)
    links.write(id, increment)
    if (!more && Number(one.settled.get(id)?.settled) < place.generation) {
      if (increment.artifact.kind === 'memory')
        one.version.run(id, place.generation, checkpoint.modifiedMs, checkpoint.size)
      else messages.forgetRepeated(place)
      one.settle.run(place.generation, id)
    }
    if (increment.allUsages) dropUsages(id)
    for (const usage of usages) {
      const [reply, at] = usage
      stale.noteReply(reply)
      stale.note(at)
      one.usage.run(id, ...usage)
    }
    for (const word of vocabulary) {
      const { changes, lastInsertRowid } = one.word.run(word)
      if (changes > 0) one.part.run(lastInsertRowid, word)
    }
    if (session) one.session.run(id, JSON.stringify(session))
    one.fold.run(id, state)
  }

  function dropUsages(id: number): void {
    stale.noteReplies(id)
    one.dropUsage.run(id)
  }

  /** Who said what may change with every line that is read: what is stored is made what it should be. */
  function reconcilePrompts(
    place: { artifact: number; generation: number },
    rows: readonly MessageRow[],
  ): void {
    const stored = messages.prompts(place)
    for (const row of rows) {
      const key = messages.placeKey(row)
      if (stored.get(key) !== messages.contentKey(row)) messages.put(place, row, true, stored.has(key))
      stored.delete(key)
    }
    for (const key of stored.keys()) messages.remove(place, key)
  }

  function forget(id: number): void {
    messages.removeFile(id)
    links.forget(id)
    dropUsages(id)
    for (const table of ['session', 'fold', 'version'])
      database.prepare(`DELETE FROM ${table} WHERE artifact = ?`).run(id)
    database.prepare('DELETE FROM artifact WHERE id = ?').run(id)
  }

  /** All or nothing. */
  function atOnce(work: () => void): void {
    database.exec('BEGIN IMMEDIATE')
    try {
      stale.begin()
      work()
      stale.flush()
      one.unsettle.run()
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  return {
    forget: (ids: readonly number[]): void => atOnce(() => ids.forEach(forget)),
    linked(ids: readonly number[]): void {
      atOnce(() => {
        for (const id of ids) one.linked.run(id)
      })
    },
    markGone(ids: readonly number[], goneMs: number | undefined): void {
      atOnce(() => {
        for (const id of ids) one.gone.run(goneMs ?? null, id)
      })
    },
    write(batch: readonly Written[]): string[] {
      const refused: string[] = []
      atOnce(() => {
        for (const each of batch)
          if (isCurrent(each.increment)) writeOne(each)
          else refused.push(each.increment.artifact.path)
        messages.flush()
      })
      return refused
    },
  }
}
