import type { DatabaseSync } from 'node:sqlite'
import { prepareWrite } from './write-statement.ts'

/** Writes the project of each file where it has changed. */
export function assignProjects(
  database: DatabaseSync,
  projects: ReadonlyMap<number, { name: string; path?: string } | undefined>,
): void {
  // SQLite compares the values, so the stored ones need not be read into memory.
  const update = prepareWrite(
    database,
    `UPDATE session SET project = ?1, project_path = ?2
    WHERE artifact = ?3 AND (project IS NOT ?1 OR project_path IS NOT ?2)`,
  )
  database.exec('BEGIN IMMEDIATE')
  for (const [id, project] of projects) update.run(project?.name ?? null, project?.path ?? null, id)
  database.exec('COMMIT')
}
