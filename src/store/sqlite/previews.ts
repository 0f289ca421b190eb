import type { DatabaseSync } from 'node:sqlite'
import type { Session } from '../../model/session.ts'
import type { Preview } from '../stored.ts'
import { prepareWrite } from './write-statement.ts'

/** The sessions of files that are not indexed yet. Each is deleted when its file is. */
export function createPreviews(database: DatabaseSync) {
  const all = database.prepare('SELECT stamp, row FROM preview')
  return {
    previews: (): Preview[] =>
      Array.from(all.iterate(), ({ stamp, row }) => ({
        stamp: String(stamp),
        session: JSON.parse(String(row)) as Session,
      })),
    writePreviews(previews: readonly Preview[]): void {
      const put = prepareWrite(database, 'INSERT OR REPLACE INTO preview (path, stamp, row) VALUES (?, ?, ?)')
      database.exec('BEGIN IMMEDIATE')
      try {
        for (const { stamp, session } of previews) put.run(session.path, stamp, JSON.stringify(session))
        database.exec('COMMIT')
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    },
    dropPreviews(): void {
      if (database.prepare('SELECT 1 FROM preview LIMIT 1').get() !== undefined)
        prepareWrite(database, 'DELETE FROM preview').run()
    },
  }
}
