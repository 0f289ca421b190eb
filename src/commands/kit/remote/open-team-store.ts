import type { TeamStore } from '../../../store/clickhouse/open.ts'
import type { ReadingContext } from '../context.ts'

/** Opens the team store that `--store` names, with the files of all machines. It closes with the command. */
export async function openTeamStore({ remote, machine, atEnd }: ReadingContext): Promise<TeamStore> {
  const { openClickHouseStore } = await import('../../../store/clickhouse/open.ts')
  const store = openClickHouseStore({ ...remote!.address, device: machine.device, everyone: true })
  atEnd?.(() => store.close())
  return store
}
