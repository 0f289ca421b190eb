import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { ScrollbackError } from '../../errors.ts'

/** Primary result codes of SQLite for errors that a user can fix. */
const CODES = { BUSY: 5, LOCKED: 6, READONLY: 8, IOERR: 10, CORRUPT: 11, FULL: 13, CANTOPEN: 14, NOTADB: 26 }

/** Whether an error has one of these codes, of SQLite or of the system. A cause may be missing. */
function hasCode(error: unknown, ...codes: readonly (number | string)[]): boolean {
  const { errcode, code } = (error ?? {}) as { errcode?: number; code?: string }
  return codes.includes(code ?? '') || (typeof errcode === 'number' && codes.includes(errcode & 0xff))
}

/** The file is not a database, or it is damaged. Only the JSON of a value shows that a page is. */
export const isDamage = (error: unknown): boolean =>
  hasCode(error, CODES.CORRUPT, CODES.NOTADB) || isMalformedJson(error)

const isMalformedJson = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === 'malformed JSON' || (error instanceof SyntaxError && /\bJSON\b/.test(error.message)))

/** Another process is writing. */
export const isBusy = (error: unknown): boolean => hasCode(error, CODES.BUSY, CODES.LOCKED)

/** SQLite has an extended code of its own for failing to create the small `-shm` file on a full disk. */
const NO_ROOM_BESIDE = 10 | (19 << 8)
export const isFull = (error: unknown): boolean =>
  hasCode(error, CODES.FULL, 'ENOSPC') ||
  (error as { errcode?: number } | undefined)?.errcode === NO_ROOM_BESIDE

/** The file or its folder cannot be written. */
export const isReadOnly = (error: unknown): boolean =>
  hasCode(error, CODES.READONLY, CODES.CANTOPEN, 'EACCES', 'EROFS', 'EPERM')

/** Runs a write that only saves work later, unless another process writes, or nothing can be written. */
export function ifPossible(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!isBusy(error) && !isFull(error) && !isReadOnly(error)) throw error
  }
}

/** Reasons why no file can be created at a path, by system error code. */
const REASONS: Record<string, string> = {
  EACCES: 'you may not read or write there',
  EPERM: 'you may not read or write there',
  EROFS: 'nothing can be written there',
  EISDIR: 'this is a folder',
  EEXIST: 'a part of this path is a file',
  ENOTDIR: 'a part of this path is a file',
  ENOENT: 'its folder cannot be created',
  ENAMETOOLONG: 'this name is too long',
  ERR_NOT_OURS: 'its lock is a link or a file of something else; move that away',
}

/** Turns an error of the engine into a `ScrollbackError`. Other errors are returned unchanged. */
export function storeFault(error: unknown, path: string): unknown {
  const fault = describe(error, path)
  return fault
    ? new ScrollbackError(isFull(error) ? 'store-full' : 'store-unreadable', ...fault, error)
    : error
}

/** What happened, and what the user can do about it. */
function describe(error: unknown, path: string): [message: string, advice: string] | undefined {
  if (isFull(error))
    return [
      `The disk is full: the store at ${path} could not be written.`,
      'Nothing stored before is lost. Free some space, or set SCROLLBACK_HOME to a folder on another disk.',
    ]
  if (isBusy(error))
    return [
      `The store at ${path} is being written by another program.`,
      'Close the program that has it open, such as a database browser or a backup, and try again.',
    ]
  if (hasCode(error, CODES.IOERR))
    return [
      `The store at ${path} cannot be read or written: the disk reports an error.`,
      'Set SCROLLBACK_HOME to a folder on another disk. The store is rebuilt from the transcripts.',
    ]
  const advice = 'Set SCROLLBACK_HOME to a folder that you may write to.'
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
  if (reason !== undefined) return [`The store ${path} cannot be created: ${reason}.`, advice]
  return isReadOnly(error) ? [`The store at ${path} cannot be written.`, advice] : undefined
}

type Method = (...given: never[]) => unknown

/**
 * Wraps every method of an engine, so that it throws what `translate` makes of an error. This includes errors
 * while the result of a generator is consumed.
 */
export function translateFaults<Engine extends object>(
  engine: Engine,
  translate: (error: unknown) => unknown,
): Engine {
  const translating =
    (method: Method): Method =>
    (...given) => {
      try {
        const result = method(...given)
        return isGenerator(result) ? lazily(result, translate) : result
      } catch (error) {
        throw translate(error)
      }
    }
  const members = Object.entries(engine).map(([name, member]) => [
    name,
    typeof member === 'function' ? translating(member as Method) : member,
  ])
  return Object.fromEntries(members) as Engine
}

const isGenerator = (result: unknown): result is Generator =>
  typeof result === 'object' && result !== null && Symbol.iterator in result && 'next' in result

/** The same for what is computed while it is consumed. */
export function* lazily<Piece, Result>(
  pieces: Iterable<Piece, Result>,
  translate: (error: unknown) => unknown,
): Generator<Piece, Result> {
  try {
    return yield* pieces
  } catch (error) {
    throw translate(error)
  }
}

const RETRY_MS = 10
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * Enables write-ahead logging, so that the database can be read while it is written. If several processes
 * create it at once, SQLite may refuse one of them without waiting. This function retries for `patienceMs`,
 * then throws SQLite's error.
 */
export function setWriteAhead(database: DatabaseSync, patienceMs: number): void {
  // The global `performance` would load modules that no command needs otherwise.
  const deadline = process.uptime() * 1000 + patienceMs
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || process.uptime() * 1000 > deadline) throw error
      Atomics.wait(pause, 0, 0, RETRY_MS)
    }
  }
}

/** Runs `work` in one transaction, which is undone if it throws. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite undoes it by itself if the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

export const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version)

/** Upgrades the version before it, as SQL or as code. A step never changes after its release. */
export type Migration = string | ((database: DatabaseSync) => void)

/** Upgrades an older or empty database to the latest version, in one transaction. */
export function migrate(database: DatabaseSync, steps: readonly Migration[]): void {
  if (versionOf(database) >= steps.length) return
  inTransaction(database, () => {
    // Another process may have upgraded it while this one waited for the lock.
    for (let version = versionOf(database); version < steps.length; version++) {
      const step = steps[version]!
      if (typeof step === 'string') database.exec(step)
      else step(database)
      database.exec(`PRAGMA user_version = ${version + 1}`)
    }
  })
}

/** A statement that changes rows. Both numbers of a result are bigints. */
export interface WriteStatement {
  run(...values: SQLInputValue[]): Written
  /** With parameters by name, which are written `:name` in the statement. */
  run(values: Readonly<Record<string, SQLInputValue>>): Written
}

interface Written {
  changes: bigint
  lastInsertRowid: bigint
}

/**
 * Prepares an INSERT, UPDATE or DELETE that is called with `run()`. The store uses it for all of them.
 *
 * `run()` reports the last inserted row id of the connection, whatever the statement does. A DELETE from the
 * full-text index `spoken` makes FTS5 insert rows with ids above 2^53 into its own tables. Node 26 throws a
 * `RangeError` if such an id does not fit into a number, even when the statement itself is a plain UPDATE.
 * Bigints hold every id, and unlike `RETURNING id` they cost no time.
 */
export function prepareWrite(database: DatabaseSync, sql: string): WriteStatement {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return statement as unknown as WriteStatement
}

/** How many statements a connection keeps. A search needs about twenty, and their texts repeat. */
const MOST = 64

const known = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/**
 * Prepares a statement, or returns the one that was prepared from the same text before. Otherwise each search
 * would leave its statements, which SQLite holds until garbage is collected. Only for `get` and `all`: a
 * statement that somebody is still iterating over cannot be run again. `arrays` returns rows as arrays, which
 * takes half the time for many.
 */
export function prepared(
  database: DatabaseSync,
  sql: string,
  { arrays }: { arrays: boolean } = { arrays: false },
): Pick<StatementSync, 'get' | 'all'> {
  const statements = known.get(database) ?? new Map<string, StatementSync>()
  known.set(database, statements)
  const statement = statements.get(sql) ?? database.prepare(sql)
  statement.setReturnArrays(arrays)
  // The one that was used last is at the end.
  statements.delete(sql)
  statements.set(sql, statement)
  const [oldest] = statements.keys()
  if (statements.size > MOST) statements.delete(oldest!)
  return statement
}

/** The file of a store is damaged. */
export class DamagedStore extends ScrollbackError {
  /** The new name of the damaged file. Absent if it cannot be renamed, because it is read-only. */
  readonly setAside: string | undefined

  constructor(path: string, setAside: string | undefined, cause: unknown) {
    super(
      'store-unreadable',
      setAside === undefined
        ? `The store at ${path} is damaged, and cannot be written.`
        : `The store was damaged. It was moved to ${setAside}.`,
      setAside === undefined
        ? 'Set SCROLLBACK_HOME to a folder that you may write to.'
        : 'Run the command again: it rebuilds the store from the transcripts.',
      cause,
    )
    this.setAside = setAside
  }
}

/** The ids of the tools whose names are chosen. */
export function toolsIn(
  database: DatabaseSync,
  choose: (names: readonly string[]) => readonly string[],
): number[] {
  const tools = new Map(
    prepared(database, 'SELECT id, name FROM tool')
      .all()
      .map(({ id, name }) => [String(name), Number(id)]),
  )
  return choose([...tools.keys()]).map((name) => tools.get(name)!)
}
