import type { DatabaseSync } from 'node:sqlite'
import type { ProjectMembers } from '../../model/project-facts.ts'
import { prepareWrite } from './write-statement.ts'

/** Writes the project of each file where it has changed. */
export function assignProjects(database: DatabaseSync, projects: readonly ProjectMembers[]): void {
  // SQLite compares the values, so the stored ones need not be read into memory.
  const update = prepareWrite(
    database,
    `UPDATE session SET project = ?1, project_path = ?2
    WHERE artifact = ?3 AND (project IS NOT ?1 OR project_path IS NOT ?2)`,
  )
  database.exec('BEGIN IMMEDIATE')
  for (const { project, artifacts } of projects)
    for (const id of artifacts) update.run(project?.name ?? null, project?.path ?? null, id)
  database.exec('COMMIT')
}
