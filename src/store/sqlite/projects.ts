import type { DatabaseSync } from 'node:sqlite'

/** Writes which project each file belongs to, where that changed. */
export function assignProjects(
  database: DatabaseSync,
  projects: ReadonlyMap<number, { name: string; path?: string } | undefined>,
): void {
  // The engine compares: what is stored of many files need not stand in memory beside what is to be.
  const update = database.prepare(`UPDATE session SET project = ?1, project_path = ?2
    WHERE artifact = ?3 AND (project IS NOT ?1 OR project_path IS NOT ?2)`)
  database.exec('BEGIN IMMEDIATE')
  for (const [id, project] of projects) update.run(project?.name ?? null, project?.path ?? null, id)
  database.exec('COMMIT')
}
