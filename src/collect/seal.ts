import type { Artifact } from '../model/artifact.ts'
import { mapStrings } from '../model/map-strings.ts'
import type { Item, Session } from '../model/session.ts'
import { redact } from '../redact/redact.ts'
import type { Increment } from '../store/store.ts'
import { storedPath } from './stored-path.ts'

/** What no store can hold goes with the secrets: halves of characters. */
export const withoutSecrets = <Value>(value: Value): Value =>
  mapStrings(value, (text) => redact(text).toWellFormed())

/** An item before a row is made of it. Its texts went through the same when they were folded; its names did not. */
export function sealItem(item: Item): Item {
  const { tool, label, marker, media, stopReason } = item
  const text = item.text === undefined ? undefined : withoutSecrets(item.text)
  return { ...item, text, ...withoutSecrets({ tool, label, marker, media, stopReason }) }
}

/** The only form in which an increment is given to a store: rows come out of `messageRow`, all else is cleaned here. */
export function seal(increment: Increment): Increment {
  const { artifact, messages, prompts, session, usages, checkpoint, ...others } = increment
  return {
    ...others,
    ...{ messages, prompts, checkpoint },
    usages: usages.some(([, , model]) => model !== null) ? withoutSecrets(usages) : usages,
    artifact: sealArtifact(artifact),
    session: session && sealSession(session),
  }
}

function sealArtifact(artifact: Artifact): Artifact {
  const { path, root, database } = artifact
  return {
    ...withoutSecrets(artifact),
    ...{ path: storedPath(path), root: storedPath(root) },
    ...(database === undefined ? {} : { database: storedPath(database) }),
  }
}

const sealSession = (session: Session): Session => ({
  ...withoutSecrets(session),
  ...{ path: storedPath(session.path), root: storedPath(session.root) },
})
