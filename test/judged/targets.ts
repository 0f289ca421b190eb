import type { StoreOptions } from '../../src/index.ts'
import { contextOf } from '../../src/surfaces/library/operations.ts'
import type { Databases } from '../clickhouse/databases.ts'
import { machineStore, send } from '../contract/space.ts'
import { bringUpToDate } from '../store-audit.ts'

/** Stores the sessions of a machine in an engine, and says how the library reads them there. */
export type Target = (machine: StoreOptions) => StoreOptions

export const inMemory: Target = (machine) => ({ ...machine, storePath: ':memory:' })

export const inTeamStore =
  (databases: Databases): Target =>
  (machine) => {
    const address = databases.take()
    const store = machineStore()
    bringUpToDate(store, contextOf(machine).environment)
    send(store, address, { device: 'moss' })
    store.close()
    const { user, url, database, password } = address
    return {
      store: `clickhouse://${user}@${new URL(url).host}/${database}?tls=off`,
      storePassword: password,
    }
  }
