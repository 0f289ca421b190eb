import type { DatabaseSync } from 'node:sqlite'

/** Writes which project each file belongs to, where that changed. */
export function assignProjects(
  database: DatabaseSync,
  projects: ReadonlyMap<number, { name: string; path?: string } | undefined>,
): void {
  const stored = new Map(
    database
      .prepare('SELECT artifact, project, project_path FROM session')
      .all()
      .map((row) => [Number(row.artifact), row] as const),
  )
  const update = database.prepare('UPDATE session SET project = ?, project_path = ? WHERE artifact = ?')
  database.exec('BEGIN IMMEDIATE')
  for (const [id, project] of projects) {
    const before = stored.get(id)
    if (!before) continue
    const [name, path] = [project?.name ?? null, project?.path ?? null]
    if (before.project !== name || before.project_path !== path) update.run(name, path, id)
  }
  database.exec('COMMIT')
}
