import type { Operations } from './protocol.ts'
import type { StoreOptions } from './shapes.ts'
import { findSessionsHere, readSessionHere } from './thread-sessions.ts'
import { openStoreHere } from './thread-store.ts'

/** The operations of a library thread. The store is opened by the first request that needs it. */
export function operationsFor(options: StoreOptions): Operations {
  let opened: ReturnType<typeof openStoreHere> | undefined
  const store = () => {
    opened ??= openStoreHere(options)
    return opened
  }
  return {
    open: () => once(() => void store()),
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

async function* once(work: () => void): AsyncGenerator<undefined, void> {
  yield work() as undefined
}
