import type { Artifact } from '../model/artifact.ts'
import type { SessionLinks } from '../model/session-links.ts'
import type { Known, Store } from '../store/store.ts'
import { readIncrement } from './read-increment.ts'

/**
 * Settles anew who spoke in the files of which others tell something new: a prompt that another session sent, an opening that many
 * share. Each is opened where its reading stopped, and no other file is looked at. Files that are gone stay as they are.
 */
export function linkSessions(store: Store): void {
  const ids = store.unlinked()
  if (ids.length === 0) return
  const wanted = new Set(ids)
  for (const known of store.known().values())
    if (wanted.has(known.id) && known.goneMs === undefined) linkOne(store, known)
  store.linked(ids)
}

function linkOne(store: Store, known: Known): void {
  const links = store.links(known.id)
  if (JSON.stringify(links) === JSON.stringify(known.artifact.links)) return
  const artifact: Artifact = { ...known.artifact, links }
  const { id, revision, checkpoint } = known
  try {
    const { increment, bytes } = readIncrement({
      artifact,
      base: { id, revision, checkpoint, state: store.state(id) },
    })
    store.write([{ increment, state: bytes }])
  } catch {
    // It vanished since it was read: the next refresh says so.
  }
}

/** The artifact as it was found, with what other sessions told of it so far. */
export const withLinks = (artifact: Artifact, links: SessionLinks | undefined): Artifact =>
  links === undefined ? artifact : { ...artifact, links }
