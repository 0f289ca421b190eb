import { readIncrement } from '../src/collect/read-increment.ts'
import { readSession } from '../src/collect/read-session.ts'
import type { Artifact } from '../src/model/artifact.ts'
import type { Item, Session } from '../src/model/session.ts'
import type { Store, StoredMessage } from '../src/store/store.ts'

/** Brings one file of a store up to date, as a refresh does, without looking for other files. Returns the bytes read. */
export function keep(store: Store, artifact: Artifact, options: { slice?: number } = {}): number {
  let bytes = 0
  for (;;) {
    const known = store.known().get(artifact.path)
    const base = known && { ...known, state: store.state(known.id) }
    const { increment, bytes: state, bytesRead } = readIncrement({ artifact, base, ...options })
    bytes += bytesRead
    store.write([{ increment, state }])
    if (!increment.more) return bytes
  }
}

/** What a store tells of a file, without what differs from store to store. */
export function toldBy(store: Store, path: string) {
  const { session } = store.sessions().find((each) => each.session.path === path)!
  return { session: comparableSession(session), messages: store.messages(path).map(comparable) }
}

/** The same from the file itself. */
export function toldByFile(artifact: Artifact) {
  const { session, items } = readSession(artifact, { purpose: 'read' })
  return { session: comparableSession(session), messages: items.map(comparable) }
}

/** Undefined fields are none, and ids of the store are its own affair. */
const comparable = (message: StoredMessage | Item) => {
  const { who, at, text, tool, line, offset, length, order, label, marker, sure, media, offBranch } = message
  return JSON.parse(
    JSON.stringify({
      ...{ who, at, text, tool, line, offset, length, order, label, marker, sure, media, offBranch },
    }),
  )
}

const comparableSession = (session: Session) => JSON.parse(JSON.stringify(session))
