import type { Artifact } from '../src/model/artifact.ts'
import type { Item, Session } from '../src/model/session.ts'
import type { Store } from '../src/store/store.ts'
import type { StoredMessage } from '../src/store/stored.ts'
import { readSession } from '../src/sync/read/read-session.ts'
import { readIncrement } from '../src/sync/read-increment.ts'
import type { Json } from './program.ts'

/** Refreshes one file of a store, without looking for other files. Returns the bytes read. */
export function keep(store: Store, artifact: Artifact, options: { slice?: number } = {}): number {
  let bytes = 0
  for (;;) {
    const known = store.known().get(artifact.path)
    const { increment, bytesRead } = readIncrement({ artifact, base: known, ...options })
    bytes += bytesRead
    store.write([increment])
    if (!increment.more) return bytes
  }
}

/** A session with its messages. */
export interface FileContent {
  session: Session
  messages: readonly (StoredMessage | Item)[]
}

/** The content of a file in a store. */
export function contentIn(store: Store, path: string): FileContent {
  const { session } = store.sessions().find((each) => each.session.path === path)!
  return { session, messages: store.messages(path) }
}

/** The same without what differs between stores. */
export const storedContent = (store: Store, path: string) => comparableFile(contentIn(store, path))

/** The same from the file itself. */
export function fileContent(artifact: Artifact) {
  const { session, items } = readSession(artifact)
  return comparableFile({ session, messages: items })
}

/** Without what differs between stores. */
export const comparableFile = (content: FileContent): { session: Json; messages: Json[] } =>
  JSON.parse(comparableText(content))

/** The same as text. Undefined fields are omitted. */
export const comparableText = ({ session, messages }: FileContent): string =>
  JSON.stringify({ session, messages: messages.map(comparable) })

/** Ids of the store are ignored. */
const comparable = (message: StoredMessage | Item) => {
  const { who, at, text, tool, line, offset, length, order, label, marker, sure, media, offBranch } = message
  return { who, at, text, tool, line, offset, length, order, label, marker, sure, media, offBranch }
}
