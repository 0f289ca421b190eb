import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { agentDatabase } from '../../../../test/agent-databases.ts'
import { openclaw as records, temporaryHome } from '../../../../test/records.ts'
import { ask, type Connection, closeConnections, hold } from './connection.ts'

afterEach(closeConnections)

const begun = () => {
  const made = agentDatabase(temporaryHome(), 23)
  made.session('moss', [records.header('moss'), records.user(1, 'water it')])
  return made
}
const rowsIn = ({ database }: Connection): number =>
  Number(database.prepare('SELECT count(*) AS rows FROM transcript_events').get()?.rows)
/** What another program does that is started, writes and ends. */
function writtenBy(path: string): void {
  const database = new DatabaseSync(path)
  database.exec("INSERT INTO transcript_events VALUES ('moss', 9, '{}', 0, NULL, NULL, NULL)")
  database.close()
}

describe('a database that is held', () => {
  it('is the same for all who hold it until the last has let go, and is the newest for whoever comes then', () => {
    const made = begun()
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

  it('says on release that what was read may be wrong where nobody could be kept from writing into it', () => {
    const made = begun()
    made.close()
    const { release } = hold(made.path)
    writtenBy(made.path)
    expect(release).toThrow(expect.objectContaining({ code: 'ERR_WRITTEN_MEANWHILE' }))
    expect(ask(made.path, rowsIn)).toBe(3)
  })

  it('is asked again where somebody wrote meanwhile, and gives up where that never ends', () => {
    const made = begun()
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

  it('is another one where another file took its place', () => {
    const made = begun()
    expect(ask(made.path, rowsIn)).toBe(2)
    made.replace()
    made.append('moss', [records.user(2, 'again')])
    expect(ask(made.path, rowsIn)).toBe(3)
    made.close()
  })

  it('has the tables that it has now', () => {
    const made = begun()
    expect(ask(made.path, ({ tables }) => tables.has('session_transcript_cold_archives'))).toBe(true)
    made.database.exec('DROP TABLE session_transcript_cold_archives')
    expect(ask(made.path, ({ tables }) => tables.has('session_transcript_cold_archives'))).toBe(false)
    made.close()
  })
})
