import type { DatabaseSync } from 'node:sqlite'
import { IdSet } from '../../model/hash.ts'
import { isEmptySession, type Session } from '../../model/session.ts'
import { collectWords } from '../../search/words.ts'
import { isStated } from '../cut-session.ts'
import type { FileCopy } from '../file-copy.ts'
import type { Increment } from '../increment.ts'
import type { Erased } from '../store.ts'
import { createArtifactTable, createRanks, createUsageTable } from './artifacts.ts'
import { createCopyWriter } from './copy.ts'
import { createCutRows, isRow } from './cut-rows.ts'
import { CUT_ITEMS, createCutHeads } from './cuts.ts'
import { inTransaction, prepareWrite } from './database.ts'
import { createStaleDays } from './days.ts'
import { createEarlierForms } from './earlier-forms.ts'
import { createLinkWriter } from './links.ts'
import { createOccurrences, type FileGeneration } from './occurrences.ts'
import { createWordIndex } from './word-index.ts'

/** A file whose row is written, with what that said before. */
interface PutFile {
  increment: Increment
  before: { parser: number; settled: number } | undefined
  id: number
}

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
  const replaceEarlierForms = createEarlierForms(database, occurrences)
  const cutRows = createCutRows(database, { stale, occurrences })
  const usages = createUsageTable(database, stale)
  const writeCopy = createCopyWriter(database, { occurrences, usages, links, ranks, clear })
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    session: write(
      'INSERT INTO session (artifact, row) VALUES (?, ?) ON CONFLICT DO UPDATE SET row = excluded.row',
    ),
    row: database.prepare('SELECT row FROM session WHERE artifact = ?'),
    isCut: database.prepare(`SELECT 1 FROM ${CUT_ITEMS} WHERE c.artifact = ? LIMIT 1`),
    unassigned: write('INSERT OR IGNORE INTO unassigned VALUES (?)'),
    linked: write('DELETE FROM unlinked WHERE artifact = ?'),
    unsettle: write('DELETE FROM settled'),
    settle: write('UPDATE artifact SET settled = ? WHERE id = ?'),
    gone: write('UPDATE artifact SET gone = ?, revision = revision + 1 WHERE id = ?'),
    forget: write('DELETE FROM artifact WHERE id = ?'),
    version: write('INSERT OR REPLACE INTO version VALUES (:id, :generation, :at, :bytes)'),
  }

  function writeOne({ increment, before, id }: PutFile): void {
    const { artifact, checkpoint, session, fresh } = increment
    const file = { artifact: id, generation: checkpoint.generation }
    for (const risen of ranks.note(id, artifact, session)) {
      occurrences.handOver(risen)
      stale.noteReplies(risen)
    }
    writeMessages(file, increment)
    links.write(id, increment)
    if (fresh && before)
      cutHeads.begin(id, before.settled, {
        isOther: before.parser !== checkpoint.parser,
        anew: increment.understoodAnew === true,
      })
    if (increment.allUsages) usages.dropCurrent(id)
    usages.put(id, increment.usages)
    if (increment.usages.some(({ reply }) => reply < 0)) cutHeads.restate(id)
    const isNew = artifacts.state(id)!.settled < file.generation
    // The bytes that a transcript had lost may be appended to it again.
    const isTranscript = artifact.kind !== 'memory' && !isRow(artifact)
    if (!isNew && isTranscript && occurrences.isBack(file, increment.fromLine)) {
      occurrences.forgetRepeated(file, false)
      cutRows.tidy(file, undefined)
    }
    if (!increment.more) {
      const repeated = isNew ? settle(file, increment) : undefined
      if (artifact.kind !== 'memory') {
        // The lines of a generation remain, but rows of a database may come back.
        if (isNew || isRow(artifact))
          cutRows.tidy(
            file,
            repeated && before && isRow(artifact) ? { generation: before.settled, repeated } : undefined,
          )
        occurrences.noteRemoved(file)
      }
    }
    if (!session) return
    const row =
      isEmptySession(session) && sql.isCut.get(id) ? withFacts(session, sql.row.get(id)?.row) : session
    sql.session.run(id, JSON.stringify(row))
    sql.unassigned.run(id)
  }

  function writeMessages(file: FileGeneration, increment: Increment): void {
    const { fresh, fromLine, messages, left } = increment
    if (!fresh) occurrences.removeFrom(file, fromLine)
    for (const row of messages) occurrences.put(file, row, false, row.line < fromLine)
    if (increment.prompts) occurrences.putPrompts(file, increment.prompts)
    if (increment.artifact.kind !== 'memory')
      for (const rows of [messages, increment.prompts ?? []]) replaceEarlierForms(file.artifact, rows)
    occurrences.setAside(file, left)
  }

  /** A generation was read to its end for the first time: what earlier ones repeat goes, and is returned. */
  function settle(file: FileGeneration, { artifact, base, checkpoint }: Increment): Set<number> {
    const { artifact: id, generation } = file
    sql.settle.run(generation, id)
    if (artifact.kind === 'memory') {
      sql.version.run({ id, generation, at: checkpoint.modifiedMs, bytes: checkpoint.size })
      return new Set()
    }
    cutHeads.decide(file, isRow(artifact))
    const repeated = occurrences.forgetRepeated(file, isRow(artifact))
    const replaced = base && cutHeads.replaced(id)
    if (replaced !== undefined) occurrences.removeGeneration({ artifact: id, generation: replaced })
    return repeated
  }

  /** Deletes everything that was read from a file. */
  function clear(id: number): void {
    occurrences.removeFile(id)
    usages.drop(id)
    for (const table of ['cut', 'removed', 'session', 'version'])
      prepareWrite(database, `DELETE FROM ${table} WHERE artifact = ?`).run(id)
  }

  function forget(id: number): void {
    clear(id)
    links.forget(id)
    prepareWrite(database, 'DELETE FROM project_evidence WHERE artifact = ?').run(id)
    sql.unassigned.run(id)
    sql.forget.run(id)
  }

  /** Runs `work` in one transaction. */
  function atOnce(work: () => void): void {
    try {
      inTransaction(database, () => {
        stale.begin()
        words.begin()
        work()
        stale.flush()
        sql.unsettle.run()
      })
    } catch (error) {
      words.undone()
      ranks.undone()
      throw error
    }
  }

  const forAll = (ids: readonly number[], change: (id: number) => unknown): void =>
    atOnce(() => {
      for (const id of ids) change(id)
    })

  return {
    indexWords: words.indexWords,
    forget: (ids: readonly number[]): void => forAll(ids, forget),
    /**
     * Deletes files and leaves nothing of them in the file of the store: the search indexes are written again
     * without them, words that nothing else contains leave the vocabulary, and SQLite writes the whole file
     * again.
     */
    erase(ids: readonly number[]): Erased {
      const count = database.prepare('SELECT count(*) AS messages FROM message')
      const messages = (): number => Number(count.get()!.messages)
      const before = messages()
      const candidates = wordsOf(database, ids)
      forAll(ids, forget)
      words.undone()
      const erased = eraseWords(database, candidates)
      for (const index of ['spoken', 'part'])
        prepareWrite(database, `INSERT INTO ${index} (${index}) VALUES ('optimize')`).run()
      // Earlier changes of a row may have left copies of it in free space.
      database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
      return { messages: before - messages(), words: erased }
    },
    linked: (ids: readonly number[]): void => forAll(ids, (id) => sql.linked.run(id)),
    markGone: (ids: readonly number[], goneMs: number | undefined): void =>
      forAll(ids, (id) => sql.gone.run(goneMs ?? null, id)),
    putCopies(files: readonly FileCopy[]): void {
      atOnce(() => {
        for (const file of files) writeCopy(file)
        occurrences.flush()
      })
    },
    write(batch: readonly Increment[]): string[] {
      const refused: string[] = []
      atOnce(() => {
        // First where all of them are now: files that have exchanged their names are no copies of each other.
        const files: PutFile[] = []
        for (const increment of batch) {
          const before = increment.base && artifacts.state(increment.base.id)
          if (artifacts.isCurrent(increment)) files.push({ increment, before, id: artifacts.put(increment) })
          else refused.push(increment.artifact.path)
        }
        for (const file of files) writeOne(file)
        occurrences.flush()
      })
      return refused
    },
  }
}

/** The session of a file that holds no messages any more, with what was known of it, such as where it ran. */
function withFacts(session: Session, row: unknown): Session {
  if (typeof row !== 'string') return session
  const before = JSON.parse(row) as Session
  const counts = { errors: 0, possibleErrors: 0, lastHuman: [], usage: undefined, recorded: undefined }
  const known = Object.fromEntries(Object.entries(session).filter(([, value]) => isStated(value)))
  return { ...before, ...counts, ...known }
}

/** The words of all messages of some files. */
function wordsOf(database: DatabaseSync, ids: readonly number[]): string[] {
  const texts = database.prepare(`SELECT coalesce(m.text, m.target) AS text FROM occurrence o
    JOIN message m ON m.id = o.message WHERE o.artifact = ?`)
  const known = new IdSet()
  const words: string[] = []
  for (const id of ids)
    for (const { text } of texts.iterate(id)) if (text !== null) collectWords(text as string, known, words)
  return words
}

/** Removes the words that no message contains any more. Returns how many. */
function eraseWords(database: DatabaseSync, words: readonly string[]): number {
  const used = database.prepare('SELECT 1 FROM spoken WHERE spoken MATCH ? LIMIT 1')
  const find = database.prepare('SELECT id FROM vocabulary WHERE word = ?')
  const unindex = prepareWrite(database, "INSERT INTO part (part, rowid, word) VALUES ('delete', ?, ?)")
  const drop = prepareWrite(database, 'DELETE FROM vocabulary WHERE id = ?')
  let erased = 0
  inTransaction(database, () => {
    for (const word of words) {
      const id = find.get(word)?.id
      if (id === undefined || used.get(`{text} : "${word}"`)) continue
      unindex.run(id, word)
      drop.run(id)
      erased++
    }
  })
  return erased
}
