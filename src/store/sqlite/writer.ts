import type { DatabaseSync } from 'node:sqlite'
import type { FileCopy } from '../file-copy.ts'
import type { Increment } from '../increment.ts'
import { createArtifactTable } from './artifact-table.ts'
import { createCopyWriter } from './copy/write.ts'
import { createCutHeads } from './cuts/cut-heads.ts'
import { createStaleDays } from './figures/stale-days.ts'
import { createLinkWriter } from './links.ts'
import { contentKey, createOccurrences, type FileGeneration, positionKey } from './occurrences.ts'
import { createRanks } from './ranks.ts'
import { createUsageTable } from './usage-table.ts'
import { createWordIndex } from './words/word-index.ts'
import { prepareWrite } from './write-statement.ts'

/**
 * Writes increments: rows and checkpoints in one transaction, so that a crash neither loses nor repeats
 * anything.
 */
export function createWriter(database: DatabaseSync) {
  const stale = createStaleDays(database)
  const artifacts = createArtifactTable(database)
  const words = createWordIndex(database)
  const ranks = createRanks(database)
  const occurrences = createOccurrences(database, { stale, words, ranks })
  const links = createLinkWriter(database)
  const cutHeads = createCutHeads(database, stale)
  const usages = createUsageTable(database, stale)
  const writeCopy = createCopyWriter(database, { occurrences, usages, links, cutHeads, ranks })
  const sql = {
    session: prepareWrite(
      database,
      'INSERT INTO session (artifact, row) VALUES (?, ?) ON CONFLICT DO UPDATE SET row = excluded.row',
    ),
    unassigned: prepareWrite(database, 'INSERT OR IGNORE INTO unassigned VALUES (?)'),
    linked: prepareWrite(database, 'DELETE FROM unlinked WHERE artifact = ?'),
    unsettle: prepareWrite(database, 'DELETE FROM settled'),
    version: prepareWrite(database, 'INSERT OR REPLACE INTO version VALUES (:id, :generation, :at, :bytes)'),
  }

  function writeOne(increment: Increment): void {
    const { artifact, base, checkpoint, session, fresh } = increment
    const before = base && artifacts.state(base.id)
    const id = artifacts.put(increment)
    const file = { artifact: id, generation: checkpoint.generation }
    for (const risen of ranks.note(id, artifact, session)) {
      occurrences.handOver(risen)
      stale.noteReplies(risen)
    }
    writeMessages(file, increment)
    links.write(id, increment)
    // Rows of an OpenClaw database are deleted for other reasons.
    if (fresh && before && artifact.database === undefined)
      cutHeads.begin(id, before.parser === checkpoint.parser ? before.settled : undefined)
    if (increment.allUsages) usages.dropCurrent(id)
    usages.put(id, increment.usages)
    if (increment.usages.some(({ reply }) => reply < 0)) cutHeads.restate(id)
    if (!increment.more && artifacts.state(id)!.settled < file.generation) settle(file, increment)
    if (!increment.more && artifact.kind !== 'memory') occurrences.noteRemoved(file)
    if (session) {
      sql.session.run(id, JSON.stringify(session))
      sql.unassigned.run(id)
    }
  }

  function writeMessages(file: FileGeneration, increment: Increment): void {
    const { fresh, fromLine, messages, left } = increment
    if (!fresh) occurrences.removeFrom(file, fromLine)
    for (const row of messages) occurrences.put(file, row, false, row.line < fromLine)
    reconcilePrompts(file, increment)
    occurrences.setAside(file, left)
  }

  /**
   * Every new line may change the speakers of earlier prompts, so stored prompts are compared with the new
   * ones.
   */
  function reconcilePrompts(file: FileGeneration, { prompts }: Increment): void {
    if (!prompts) return
    const stored = occurrences.prompts(file)
    for (const row of prompts) {
      const key = positionKey(row)
      if (stored.get(key) !== contentKey(row)) occurrences.put(file, row, true, stored.has(key))
      stored.delete(key)
    }
    for (const key of stored.keys()) occurrences.remove(file, key)
  }

  /** A generation was read to its end for the first time: what earlier ones repeat goes. */
  function settle(file: FileGeneration, { artifact, checkpoint }: Increment): void {
    const { artifact: id, generation } = file
    if (artifact.kind === 'memory')
      sql.version.run({ id, generation, at: checkpoint.modifiedMs, bytes: checkpoint.size })
    else {
      cutHeads.decide(file)
      occurrences.forgetRepeated(file)
    }
    artifacts.settle(id, generation)
  }

  function forget(id: number): void {
    occurrences.removeFile(id)
    links.forget(id)
    cutHeads.forget(id)
    usages.drop(id)
    for (const table of ['removed', 'session', 'version', 'project_evidence'])
      prepareWrite(database, `DELETE FROM ${table} WHERE artifact = ?`).run(id)
    sql.unassigned.run(id)
    artifacts.forget(id)
  }

  /** Runs `work` in one transaction. */
  function atOnce(work: () => void): void {
    database.exec('BEGIN IMMEDIATE')
    try {
      stale.begin()
      words.begin()
      work()
      stale.flush()
      sql.unsettle.run()
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      words.undone()
      ranks.undone()
      throw error
    }
  }

  return {
    indexWords: words.indexWords,
    /** Words are added to the vocabulary again, even if they were before. */
    forgetWords: words.undone,
    forget: (ids: readonly number[]): void => atOnce(() => ids.forEach(forget)),
    linked(ids: readonly number[]): void {
      atOnce(() => {
        for (const id of ids) sql.linked.run(id)
      })
    },
    markGone(ids: readonly number[], goneMs: number | undefined): void {
      atOnce(() => {
        for (const id of ids) artifacts.markGone(id, goneMs)
      })
    },
    putCopies(files: readonly FileCopy[]): void {
      atOnce(() => {
        for (const file of files) writeCopy(file)
        occurrences.flush()
      })
    },
    write(batch: readonly Increment[]): string[] {
      const refused: string[] = []
      atOnce(() => {
        for (const increment of batch)
          if (artifacts.isCurrent(increment)) writeOne(increment)
          else refused.push(increment.artifact.path)
        occurrences.flush()
      })
      return refused
    },
  }
}
