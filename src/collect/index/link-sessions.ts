import type { Artifact, SessionLinks } from '../../model/artifact.ts'
import type { Known } from '../../store/increment.ts'
import type { Writer } from '../../store/store.ts'
import { readIncrement } from './read-increment.ts'

/**
 * Decides the speakers again in files about which others say something new: a prompt that another session
 * sent, or one that many sessions share. Reads these files again. Files that are gone stay as they are.
 */
export function linkSessions(store: Writer): void {
  const ids = store.unlinked()
  if (ids.length === 0) return
  for (const id of ids) {
    const known = store.knownFile({ id })
    if (known && known.goneMs === undefined) linkOne(store, known)
  }
  store.linked(ids)
}

function linkOne(store: Writer, known: Known): void {
  const links = store.links(known.id)
  if (JSON.stringify(links) === JSON.stringify(known.artifact.links)) return
  const artifact: Artifact = { ...known.artifact, links }
  try {
    store.write([
      readIncrement({ artifact, base: known, relinked: true, again: !store.isIntact(known.id) }).increment,
    ])
  } catch {
    // The file disappeared since it was read. The next refresh reports it.
  }
}

/** The artifact with what other sessions say about it so far. */
export const withLinks = (artifact: Artifact, links: SessionLinks | undefined): Artifact =>
  links === undefined ? artifact : { ...artifact, links }
