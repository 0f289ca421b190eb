/**
 * Preloaded into the program (`node --expose-gc --import`), this counts the work on files below the folder in
 * `COUNTED_FOLDER` and the work on databases, and writes the counts as JSON to `COUNTED_RESULT` at the end.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'

/** What a run of the program did, as counts. Files are those of the tree, without the program's own. */
export interface WorkCounts {
  /** Directories that were listed. */
  listed: number
  /** Files whose metadata was read. */
  checked: number
  opened: number
  bytesRead: number
  /** SQL statements that were run, and the rows they returned. */
  statements: number
  rowsReturned: number
  /** Rows inserted, updated and deleted, in all tables with those of the index. */
  rowsWritten: number
}

const counts: WorkCounts = {
  ...{ listed: 0, checked: 0, opened: 0, bytesRead: 0 },
  ...{ statements: 0, rowsReturned: 0, rowsWritten: 0 },
}
const folder = process.env.COUNTED_FOLDER!
const result = process.env.COUNTED_RESULT!
const write = fs.writeFileSync
const isCounted = (path: unknown): boolean => String(path).startsWith(folder)

type Functions = Record<string, (...given: unknown[]) => unknown>

/** Replaces a function of an object by one that calls it and sees its arguments and its result. */
function watch(
  target: object,
  name: string,
  see: (given: unknown[], result: unknown, self: unknown) => unknown,
): void {
  const functions = target as Functions
  const original = functions[name]!
  functions[name] = function (this: unknown, ...given: unknown[]) {
    const answer = original.apply(this, given)
    return see(given, answer, this) ?? answer
  }
}

const descriptors = new Set<number>()
watch(fs, 'openSync', ([path], descriptor) => {
  descriptors.delete(descriptor as number)
  if (!isCounted(path)) return
  descriptors.add(descriptor as number)
  counts.opened++
})
watch(fs, 'readSync', ([descriptor], bytes) => {
  if (descriptors.has(descriptor as number)) counts.bytesRead += bytes as number
})
watch(fs, 'readFileSync', ([file], content) => {
  const isOpen = typeof file === 'number'
  if (isOpen ? !descriptors.has(file) : !isCounted(file)) return
  if (!isOpen) counts.opened++
  counts.bytesRead += Buffer.byteLength(content as string)
})
watch(fs, 'readdirSync', ([path]) => {
  if (isCounted(path)) counts.listed++
})
for (const name of ['statSync', 'lstatSync', 'existsSync', 'accessSync', 'realpathSync'])
  watch(fs, name, ([path]) => {
    if (isCounted(path)) counts.checked++
  })
syncBuiltinESMExports()

const open = new Set<DatabaseSync>()
const { prepare, close } = DatabaseSync.prototype
const { get } = StatementSync.prototype
watch(DatabaseSync.prototype, 'exec', () => {
  counts.statements++
})
watch(DatabaseSync.prototype, 'prepare', (_given, _statement, self) => {
  open.add(self as DatabaseSync)
})
DatabaseSync.prototype.close = function (this: DatabaseSync) {
  addChanges(this)
  close.call(this)
}
watch(StatementSync.prototype, 'run', () => {
  counts.statements++
})
watch(StatementSync.prototype, 'get', (_, row) => {
  counts.statements++
  if (row !== undefined) counts.rowsReturned++
})
watch(StatementSync.prototype, 'all', (_, rows) => {
  counts.statements++
  counts.rowsReturned += (rows as unknown[]).length
})
watch(StatementSync.prototype, 'iterate', (_, rows) => {
  counts.statements++
  return counted(rows as Iterable<unknown>)
})

function* counted(rows: Iterable<unknown>): Generator<unknown> {
  for (const row of rows) {
    counts.rowsReturned++
    yield row
  }
}

function addChanges(database: DatabaseSync): void {
  if (!open.delete(database) || !database.isOpen) return
  const changes = prepare.call(database, 'SELECT total_changes() AS changes')
  counts.rowsWritten += Number((get as () => Record<string, unknown>).call(changes).changes)
}

process.on('exit', () => {
  for (const database of open) addChanges(database)
  // Its trace contains what was allocated since the collection before it.
  globalThis.gc?.()
  write(result, JSON.stringify(counts))
})
