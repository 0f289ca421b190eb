/** OpenClaw sessions in a database: the first index, a run without changes, and a few new rows. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { createRecords, databaseIn, writeAgentDatabase, writeAsFiles } from './agent-database.ts'
import { bestInTurn, type Measured, median, run } from './measure.ts'
import { createReport } from './report.ts'
import { node, reusedFolder, type Setup } from './setup.ts'
import { indexAnswerOf } from './store.ts'

const ADDED = 100
/** Rows of an earlier run are recognized by their seed and session. */
const SEED = 7
const SAME_RECORDS = { most: 1.2 }
const SELECT = 'SELECT event_json FROM transcript_events ORDER BY session_id, seq'

export function measureDatabases({ megabytes, program }: Setup): void {
  const size = megabytes / 2
  const state = reusedFolder(`agent-database-${size}`)
  if (!existsSync(state)) writeAgentDatabase(state, size)
  const path = databaseIn(state)
  const nothing = reusedFolder('empty-home')
  mkdirSync(nothing, { recursive: true })
  const home = reusedFolder(`home-of-agent-database-${size}`)
  const session = largestSession(path)
  forgetAdded(path, session)
  const report = createReport('databases')
  const over = `an agent's database of ${Math.round(statSync(path).size / 1e6)} MB`
  const scrollback = (folder: string, store: string): Measured =>
    run(node, [program, 'index', '--json', '--openclaw-dir', folder], {
      keep: true,
      memory: true,
      processor: true,
      variables: { HOME: nothing, SCROLLBACK_HOME: store },
    })
  const anew = (): Measured => {
    rmSync(home, { recursive: true, force: true })
    return scrollback(state, home)
  }

  const first = firstIndex()
  againstFiles()
  report.add(`peak memory of the first index of ${over}`, first.megabytes!, { most: 250, unit: 'MB' }, '')
  unchanged()
  added()
  report.print()

  /** The baseline pipes every uncompressed row, and does nothing else. */
  function firstIndex(): Measured {
    const what = `first index of ${over}, time against`
    const theirs = (): Measured =>
      spawnSync('sqlite3', ['--version']).status === 0
        ? run('sh', ['-c', `sqlite3 -readonly "${path}" '${SELECT}' | wc -c`])
        : run(node, ['-e', loopOver(path)])
    const sides = bestInTurn(3, { ours: anew, theirs })
    const named =
      spawnSync('sqlite3', ['--version']).status === 0
        ? '`sqlite3 …` through `wc -c`'
        : 'a loop of `node:sqlite`'
    report.slower(`${what} ${named}`, sides.ours, sides.theirs, { most: 3 })
    return sides.ours
  }

  /** The same records as transcripts. Both are read by the same process with the same threads. */
  function againstFiles(): void {
    const files = reusedFolder(`agent-files-${size}`)
    if (!existsSync(files)) writeAsFiles(path, files)
    const filesHome = reusedFolder(`home-of-agent-files-${size}`)
    const each = (folder: string, store: string) => (): Measured => {
      rmSync(store, { recursive: true, force: true })
      return scrollback(folder, store)
    }
    const { ours, theirs } = bestInTurn(3, { ours: each(state, home), theirs: each(files, filesHome) })
    const [own, other] = [indexAnswerOf(ours).store.messages, indexAnswerOf(theirs).store.messages]
    if (own !== other) throw new Error(`${own} messages in the database, ${other} in the same as files`)
    const what = `first index of ${over}`
    report.slower(`${what}, time against the same records as JSONL`, ours, theirs, SAME_RECORDS)
    report.costlier(`${what}, the same`, ours, theirs, SAME_RECORDS)
  }

  /** The time beyond that of the same command with nothing to read. */
  function unchanged(): void {
    const none = reusedFolder('no-databases')
    mkdirSync(none, { recursive: true })
    const empty = reusedFolder('home-of-no-databases')
    scrollback(none, empty)
    scrollback(state, home)
    const ours = median(15, () => scrollback(state, home))
    const theirs = median(15, () => scrollback(none, empty))
    if (indexAnswerOf(ours).read > 0) throw new Error('something was read although nothing had changed')
    report.add(
      `\`index\` of ${over} with nothing new, beyond the same without it`,
      (ours.seconds - theirs.seconds) * 1000,
      { most: 20, unit: 'ms' },
      `medians of 15: ${(ours.seconds * 1000).toFixed(1)} against ${(theirs.seconds * 1000).toFixed(1)} ms`,
    )
  }

  function added(): void {
    const bytes = addRows(path, session)
    const done = scrollback(state, home)
    const { read, readBytes } = indexAnswerOf(done)
    if (read !== 1) throw new Error(`${read} sessions were read where one had grown`)
    report.add(
      `bytes read for ${ADDED} rows added to its longest session, against theirs`,
      readBytes / bytes,
      { most: 1.2 },
      `${Math.round(readBytes / 1024)} of ${Math.round(bytes / 1024)} KiB; \`index\` took ${(done.seconds * 1000).toFixed(0)} ms`,
    )
    forgetAdded(path, session)
  }
}

const loopOver = (path: string): string =>
  `const { DatabaseSync } = require('node:sqlite'); let bytes = 0
  for (const { event_json } of new DatabaseSync(${JSON.stringify(path)}, { readOnly: true }).prepare(${JSON.stringify(SELECT)}).iterate())
    bytes += event_json === null ? 0 : Buffer.byteLength(event_json)`

function inside<Answer>(path: string, what: (database: DatabaseSync) => Answer): Answer {
  const database = new DatabaseSync(path)
  try {
    return what(database)
  } finally {
    database.close()
  }
}

const largestSession = (path: string): string =>
  inside(path, (database) =>
    String(
      database
        .prepare(
          'SELECT session_id AS id FROM transcript_events GROUP BY session_id ORDER BY count(*) DESC, id LIMIT 1',
        )
        .get()!.id,
    ),
  )

/** Returns the number of bytes in the records. */
function addRows(path: string, session: string): number {
  const next = createRecords(SEED)
  return inside(path, (database) => {
    const insert = database.prepare(`INSERT INTO transcript_events (session_id, seq, event_json, created_at)
      SELECT ?1, max(seq) + 1, ?2, 0 FROM transcript_events WHERE session_id = ?1`)
    let bytes = 0
    database.exec('BEGIN')
    for (let row = 0; row < ADDED; row++) {
      const { text } = next()
      bytes += Buffer.byteLength(text)
      insert.run(session, text)
    }
    database
      .prepare('UPDATE session_windows SET updated_at = updated_at + 1 WHERE session_id = ?')
      .run(session)
    database.exec('COMMIT')
    return bytes
  })
}

const forgetAdded = (path: string, session: string): void =>
  inside(path, (database) => {
    database.prepare('DELETE FROM transcript_events WHERE session_id = ? AND created_at = 0').run(session)
  })
