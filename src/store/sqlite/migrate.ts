import type { DatabaseSync } from 'node:sqlite'

/** Upgrades the version before it, as SQL or as code. A step never changes after its release. */
export type Migration = string | ((database: DatabaseSync) => void)

export const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version)

/** Upgrades an older or empty database to the latest version, in one transaction. */
export function migrate(database: DatabaseSync, steps: readonly Migration[]): void {
  if (versionOf(database) >= steps.length) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have upgraded it while this one waited for the lock.
    for (let version = versionOf(database); version < steps.length; version++) {
      const step = steps[version]!
      if (typeof step === 'string') database.exec(step)
      else step(database)
      database.exec(`PRAGMA user_version = ${version + 1}`)
    }
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
