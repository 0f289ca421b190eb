import { hash } from 'node:crypto'
import { join } from 'node:path'
import { openClickHouseStore, type TeamStore } from '../../../store/clickhouse/open.ts'
import { holdLock } from '../../../store/sqlite/lock.ts'
import { makeOwnFolder } from '../../../store/sqlite/store-path.ts'
import type { Storage } from '../context.ts'
import type { storeAddress } from './address.ts'

/**
 * Opens a team store to write the files of one device. Its lock is the same for every command, so that only
 * one process of this machine writes as that device at a time.
 */
export function openDeviceStore(
  server: ReturnType<typeof storeAddress>,
  device: string,
  { dataFolder, machine }: Pick<Storage, 'dataFolder'> & { machine: { user: string } },
): TeamStore {
  const name = hash('sha256', `${server.url} ${server.database} ${device}`, 'hex').slice(0, 16)
  makeOwnFolder(dataFolder)
  return openClickHouseStore({
    ...{ ...server, device, person: machine.user },
    lock: () => holdLock(join(dataFolder, `team-${name}.lock`)),
  })
}
