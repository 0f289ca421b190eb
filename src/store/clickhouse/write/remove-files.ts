import { sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'
import { NO_LINKS, writeLinks } from './link-rows.ts'

/** A file that is to be removed, and the version of the row that says so. */
interface RemovedFile {
  id: number
  version: number
}

/** Those of some files that this device has. */
export const ownFiles = ({ connection, device }: Scope, ids: readonly number[]): RemovedFile[] =>
  ids.length === 0
    ? []
    : connection
        .select<[number, number]>(
          sql`SELECT id, version FROM artifact FINAL WHERE device = ${device} AND id IN ${ids}`,
        )
        .map(([id, version]) => ({ id, version: version + 1 }))

/** Notes that files are removed. Whatever else is stored of them is in no answer from now on. */
export function noteRemoved(scope: Scope, files: readonly RemovedFile[]): void {
  const { connection, device, person, writer } = scope
  writeLinks(
    scope,
    files.map((file) => ({ file, links: NO_LINKS })),
  )
  const stamp = scope.stamp()
  connection.insert(
    'artifact',
    ['id', 'version', 'deleted', 'device', 'person', 'writer', 'stamp'],
    files.map(({ id, version }) => [id, version, 1, device, person, writer, stamp]),
  )
}
