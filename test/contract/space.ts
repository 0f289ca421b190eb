import { join } from 'node:path'
import { pushChanges, wantedFiles } from '../../src/deliver/push.ts'
import { finish } from '../../src/model/iteration.ts'
import type { Changes } from '../../src/store/changes.ts'
import { openInbox } from '../../src/store/clickhouse/inbox.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { Inbox, SpaceAddress } from '../../src/store/team.ts'
import { temporaryHome } from '../records.ts'

/** Which machine sends, and what. By default everything, at a moment long ago, as with a clock that is wrong. */
interface Sending {
  device: string
  person?: string
  now?: number
  isWanted?: Parameters<typeof wantedFiles>[1]['isWanted']
  /** What is between the machine and the space. */
  through?(inbox: Inbox): Inbox
}

/** Sends what has changed in the store of a machine. */
export function send(
  local: Store,
  address: SpaceAddress,
  { device, person = 'ann', now = 0, isWanted = () => true, through = (inbox) => inbox }: Sending,
) {
  const inbox = openInbox(address, device)
  try {
    return finish(
      pushChanges(local as Store & { changes: Changes }, through(inbox), {
        address: `${address.database} ${device}`,
        wanted: wantedFiles(local, { isWanted }),
        person,
        program: '1.0.0',
        now,
      }),
    )
  } finally {
    inbox.close()
  }
}

/** An empty store of a machine. */
export const machineStore = (folder = temporaryHome()): Store =>
  openSqliteStore(join(folder, 'index.sqlite'), 0).store
