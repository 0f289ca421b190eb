import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import json5 from 'json5'
import { fileInside, isFolderInside, listDirectory, NO_LINKS } from '../../../io/directories.ts'
import { readSmall } from '../../../io/source.ts'
import { databaseFault, openReadOnly } from '../../../io/sqlite.ts'
import type { Notice, Root } from '../../../model/artifact.ts'
import { asArray, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { beginOfRun, type SubagentBook, type SubagentRun } from '../../../model/subagent-run.ts'
import { mergedRun, runOf, runOfTask } from './run.ts'
import { SUBAGENT_STATEMENTS } from './statements.ts'

const LIMIT = 64 * 1024 * 1024
const FILE = /^runs\.json(?:\.migrated(?:\.\d+)?)?$/

/**
 * The subagent runs of a state directory. The allow-list: `subagents/runs.json` with the copies that a
 * migration left, and named columns of `state/openclaw.sqlite`. What cannot be read becomes a notice.
 */
export function subagentRuns(root: Root): SubagentBook {
  const notices: Notice[] = []
  const runs = new Map<string, SubagentRun>()
  let strange = 0
  const add = (run: SubagentRun | undefined): void => {
    if (!run) strange++
    else runs.set(run.id, runs.has(run.id) ? mergedRun(runs.get(run.id)!, run) : run)
  }
  database(join(root.path, 'state', 'openclaw.sqlite'))
  if (enters(root.path, 'subagents'))
    for (const name of names(join(root.path, 'subagents'))) file(join(root.path, 'subagents', name))
  const begin = (run: SubagentRun): number => beginOfRun(run) ?? 0
  return { runs: [...runs.values()].sort((a, b) => begin(b) - begin(a) || (a.id < b.id ? -1 : 1)), notices }

  function database(path: string): void {
    if (!enters(root.path, 'state') || !fileInside(dirname(path), path, NO_LINKS)) return
    attempt(path, () => {
      const { database: connection } = openReadOnly(path)
      try {
        read(connection, path)
      } finally {
        connection.close()
      }
    })
  }

  function read(connection: DatabaseSync, path: string): void {
    const rows = (statement: string): JsonObject[] => connection.prepare(statement).all() as JsonObject[]
    const columns = new Set(
      connection
        .prepare(SUBAGENT_STATEMENTS.columns)
        .all()
        .map(({ name, column }) => `${name}.${column}`),
    )
    const has = (table: string, ...wanted: string[]): boolean =>
      wanted.every((name) => columns.has(`${table}.${name}`))
    if (has('subagent_runs', 'run_id', 'payload_json'))
      for (const { id, payload } of connection.prepare(SUBAGENT_STATEMENTS.runs).iterate())
        add(runOf(parsed(payload), { root, path, id: asText(id) }))
    if (
      has('task_runs', 'runtime', 'source_id', 'child_session_key', 'requester_session_key', 'task') &&
      has('task_runs', 'label', 'status', 'error', 'terminal_summary', 'progress_summary', 'created_at')
    )
      for (const row of rows(SUBAGENT_STATEMENTS.tasks)) add(runOfTask(row, root, path))
  }

  function file(path: string): void {
    attempt(path, () => {
      const content = readSmall(path, LIMIT)
      if (!content) throw new Error(`larger than ${LIMIT} bytes`)
      const value = json(content.toString('utf8').replace(/^\uFEFF/, ''))
      const found = asObject(value)?.runs ?? value
      for (const each of asArray(found) ?? Object.entries(asObject(found) ?? {}))
        add(Array.isArray(each) ? runOf(each[1], { root, path, id: each[0] }) : runOf(each, { root, path }))
    })
  }

  /** The file itself, then its copies. */
  function names(folder: string): string[] {
    return listDirectory(folder)
      .entries.flatMap(({ name }) =>
        FILE.test(name) && fileInside(folder, join(folder, name), (target) => FILE.test(target)) ? name : [],
      )
      .sort()
  }

  function enters(directory: string, name: string): boolean {
    const entry = listDirectory(directory).entries.find((each) => each.name === name)
    return entry !== undefined && isFolderInside(directory, join(directory, name), entry, NO_LINKS)
  }

  function attempt(path: string, work: () => void): void {
    const before = strange
    try {
      work()
    } catch (error) {
      const reason =
        error instanceof SyntaxError
          ? error.message
          : path.endsWith('.sqlite')
            ? databaseFault(error).what
            : String(error)
      notice(path, `its subagent runs cannot be read (${reason})`)
    }
    const left = strange - before
    if (left > 0) notice(path, `${left === 1 ? 'an entry' : `${left} entries`} not valid as a subagent run`)
  }

  function notice(path: string, message: string): void {
    notices.push({ platform: 'openclaw', path, message })
  }
}

/** The client reads its files as JSON5. */
function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return json5.parse(text)
  }
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
