import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { fileInside, NO_LINKS } from '../../../io/directories.ts'
import { databaseFault } from '../../../io/sqlite.ts'
import { isAskedFor } from '../../../model/artifact.ts'
import { append } from '../../../model/iteration.ts'
import { archivesOf } from '../eras/archived-sessions.ts'
import { ask } from '../eras/connection.ts'
import { sessionsOf } from '../eras/database-sessions.ts'
import type { Findings } from './findings.ts'

const DATABASE = 'openclaw-agent.sqlite'
const UNKNOWN_TABLES =
  'a database without known session tables. If OpenClaw has not created them yet, start it once. A newer OpenClaw needs a newer scrollback.'

/** Adds the sessions in an agent's database. `folder` contains it, and `entry` is that folder. */
export function addDatabase(
  { root, environment, artifacts, notice, enters }: Findings,
  agent: string,
  folder: string,
  entry: Dirent | undefined,
): void {
  if (!entry || !enters(folder, entry)) return
  const path = join(folder, DATABASE)
  if (!fileInside(folder, path, NO_LINKS)) return
  try {
    const found = ask(path, (connection) => {
      const live = sessionsOf(connection, path, root.path, agent)
      return live && [...live, ...archivesOf(connection, path, root.path, agent)]
    })
    if (found)
      append(
        artifacts,
        found.filter(({ state }) => isAskedFor(state, environment)),
      )
    else notice(path, UNKNOWN_TABLES)
  } catch (error) {
    const { what, then } = databaseFault(error)
    notice(path, `a database of sessions that cannot be read (${what}). ${then}`)
  }
}
