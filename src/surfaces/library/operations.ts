import type { Context } from '../../commands/kit/context.ts'
import { remoteAt } from '../team-store.ts'
import type { Operations } from './protocol.ts'
import type { StoreOptions } from './shapes.ts'
import { findSessionsHere, readSessionHere } from './thread-sessions.ts'
import { openStoreHere } from './thread-store.ts'

/** The operations of a library thread. The store is opened by the first request that needs it. */
export function operationsFor(options: StoreOptions): Operations {
  let opened: ReturnType<typeof openStoreHere> | undefined
  let remote: Context['remote']
  const store = () => {
    opened ??= openStoreHere(options, remote)
    return opened
  }
  return {
    async *open() {
      remote = await teamStoreOf(options)
      yield void store()
    },
    refresh: () => once(() => store().refresh()),
    sessions: (filter) => store().sessions(filter),
    messages: (session) => store().messages(session),
    search: (query, wanted) => store().search(query, wanted),
    stats: (wanted) => store().stats(wanted),
    evidence: (wanted) => store().evidence(wanted),
    close: () => once(() => opened?.close()),
    readSession: (pathOrId, redact) => readSessionHere(pathOrId, redact, options),
    findSessions: (filter) => findSessionsHere(filter, options),
  }
}

/** The team store of these options. Its code is loaded only then. */
async function teamStoreOf({ store, storePassword }: StoreOptions): Promise<Context['remote']> {
  if (store === undefined) return undefined
  const { storeAddress } = await import('../../commands/kit/team-store-address.ts')
  return remoteAt(storeAddress(store, { password: storePassword }))
}

async function* once(work: () => void): AsyncGenerator<undefined, void> {
  yield work() as undefined
}
