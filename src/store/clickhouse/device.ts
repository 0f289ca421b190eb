import type { Session } from '../../model/session.ts'
import type { Preview } from '../stored.ts'
import { sql } from './connection/literal.ts'
import type { Scope } from './scope.ts'

/** What each device has for itself: previews of files that are not stored yet, and what its disk was like. */
export function createDevice(scope: Scope) {
  const { connection, device, writer } = scope
  return {
    /** Without those of files that were stored since. */
    previews: (): Preview[] =>
      connection
        .select<[string, string]>(
          sql`SELECT p.stamp, p.row FROM preview AS p FINAL
            LEFT JOIN (SELECT path, stamp FROM artifact FINAL WHERE device = ${device} AND settled = generation) AS a
            ON a.path = p.path WHERE p.device = ${device} AND p.version > a.stamp ORDER BY p.path`,
        )
        .map(([stamp, row]) => ({ stamp, session: JSON.parse(row) as Session })),
    writePreviews(previews: readonly Preview[]): void {
      const version = scope.stamp()
      connection.insert(
        'preview',
        ['device', 'path', 'version', 'deleted', 'stamp', 'row'],
        previews.map(({ stamp, session }) => [
          device,
          session.path,
          version,
          0,
          stamp,
          JSON.stringify(session),
        ]),
      )
    },
    dropPreviews(): void {
      const [[count] = [0]] = connection.select<[number]>(
        sql`SELECT count() FROM preview FINAL WHERE device = ${device}`,
      )
      if (count > 0)
        connection.run(sql`INSERT INTO preview SELECT * REPLACE (${scope.stamp()} AS version, 1 AS deleted)
          FROM preview FINAL WHERE device = ${device}`)
    },
    /** An inventory holds until the device writes. */
    settled: (scopeName: string): string | undefined =>
      connection.select<[string]>(
        sql`SELECT inventory FROM settled FINAL WHERE device = ${device} AND scope = ${scopeName}
          AND version > (SELECT max(stamp) FROM artifact WHERE device = ${device})`,
      )[0]?.[0],
    /** Skipped if a file may have changed unnoticed, because it was written just before it was read. */
    settle(scopeName: string, inventory: string): void {
      const [[racy] = [0]] = connection.select<[number]>(
        sql`SELECT count() FROM artifact FINAL WHERE device = ${device} AND racy = 1 AND gone IS NULL`,
      )
      if (racy === 0)
        connection.insert(
          'settled',
          ['device', 'scope', 'version', 'deleted', 'inventory'],
          [[device, scopeName, scope.stamp(), 0, inventory]],
        )
    },
    /** Of every device, so that none hides with a late time what the others write. */
    othersWrote: (): number =>
      connection.select<[number]>(
        sql`SELECT bitShiftRight(cityHash64(arraySort(groupArray((device, newest)))), 11)
          FROM (SELECT device, max(stamp) AS newest FROM artifact WHERE writer <> ${writer} GROUP BY device)`,
      )[0]![0],
  }
}
