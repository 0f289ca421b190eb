import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { agentDatabase } from '../../../../test/agent-databases.ts'
import { openclaw as records, temporaryHome } from '../../../../test/records.ts'
import type { Connection } from '../../database-connections.ts'
import { ask, closeConnections, hold } from './connection.ts'

afterEach(closeConnections)

const twoRows = () => {
  const made = agentDatabase(temporaryHome(), 23)
  made.session('moss', [records.header('moss'), records.user(1, 'water it')])
  return made
}
const rowsIn = ({ database }: Connection): number =>
  Number(database.prepare('SELECT count(*) AS rows FROM transcript_events').get()?.rows)
/** Another program that starts, writes and exits. */
function writtenBy(path: string): void {
  const database = new DatabaseSync(path)
  database.exec("INSERT INTO transcript_events VALUES ('moss', 9, '{}', 0, NULL, NULL, NULL)")
  database.close()
}

describe('a shared database connection', () => {
  it('is the same for all users until the last one releases it, and then reads the newest state', () => {
    const made = twoRows()
    const one = hold(made.path)
    made.append('moss', [records.user(2, 'again')])
    const other = hold(made.path)
    expect([rowsIn(one.connection), rowsIn(other.connection)]).toEqual([2, 2])
    one.release()
    expect(rowsIn(other.connection)).toBe(2)
    other.release()
    expect(ask(made.path, rowsIn)).toBe(3)
    made.close()
  })

  it('reports on release that the result may be wrong if another program wrote meanwhile', () => {
    const made = twoRows()
    made.close()
    const { release } = hold(made.path)
    writtenBy(made.path)
    expect(release).toThrow(expect.objectContaining({ code: 'ERR_WRITTEN_MEANWHILE' }))
    expect(ask(made.path, rowsIn)).toBe(3)
  })

  it('repeats a query if another program wrote meanwhile, and gives up if that never ends', () => {
    const made = twoRows()
    made.close()
    let times = 0
    const question = (connection: Connection): number => {
      const rows = rowsIn(connection)
      if (times++ === 0) writtenBy(made.path)
      return rows
    }
    expect([ask(made.path, question), times]).toEqual([3, 2])
    const never = (): void => {
      const database = new DatabaseSync(made.path)
      database.exec('UPDATE transcript_events SET created_at = created_at + 1')
      database.close()
    }
    expect(() => ask(made.path, never)).toThrow(expect.objectContaining({ code: 'ERR_WRITTEN_MEANWHILE' }))
  })

  it('is replaced if the file was replaced', () => {
    const made = twoRows()
    expect(ask(made.path, rowsIn)).toBe(2)
    made.replace()
    made.append('moss', [records.user(2, 'again')])
    expect(ask(made.path, rowsIn)).toBe(3)
    made.close()
  })

  it('lists the current tables', () => {
    const made = twoRows()
    expect(ask(made.path, ({ tables }) => tables.has('session_transcript_cold_archives'))).toBe(true)
    made.database.exec('DROP TABLE session_transcript_cold_archives')
    expect(ask(made.path, ({ tables }) => tables.has('session_transcript_cold_archives'))).toBe(false)
    made.close()
  })
})
