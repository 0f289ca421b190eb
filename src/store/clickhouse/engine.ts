import type { TeamEngine } from '../team.ts'
import { accountStatements, memberStatements } from './access.ts'
import { addressIn } from './address.ts'
import { schemaStatements } from './migrate.ts'
import { openClickHouseStore } from './open.ts'
import { DEVICE_USER } from './schema.ts'

/** Team stores on ClickHouse servers: all that the rest of the program knows of this folder. */
export const clickhouse: TeamEngine = {
  addressIn,
  open: openClickHouseStore,
  deviceUser: DEVICE_USER,
  schemaStatements,
  accountStatements,
  memberStatements,
}
