import type { Artifact } from '../../model/artifact.ts'
import { mapStrings } from '../../model/map-strings.ts'
import type { Item, Session } from '../../model/session.ts'
import { redact } from '../../redact/redact.ts'
import type { Increment } from '../../store/increment.ts'
import { storedPath } from '../index/stored-path.ts'

/** Removes secrets and lone surrogates, which cannot be stored. */
export const withoutSecrets = <Value>(value: Value): Value =>
  mapStrings(value, (text) => redact(text).toWellFormed())

/**
 * Redacts the names in an item before it becomes a row. Its texts were already redacted when they were
 * folded.
 */
export function sealItem(item: Item): Item {
  const { tool, label, marker, media, stopReason, readFiles, modifiedFiles } = item
  const text = item.text === undefined ? undefined : withoutSecrets(item.text)
  return {
    ...item,
    text,
    ...withoutSecrets({ tool, label, marker, media, stopReason, readFiles, modifiedFiles }),
  }
}

/**
 * Redacts an increment. Only the result may be passed to a store. Rows come from `messageRow` and are already
 * redacted.
 */
export function seal(increment: Increment): Increment {
  const { artifact, messages, prompts, session, usages, checkpoint, ...others } = increment
  return {
    ...others,
    ...{ messages, prompts, checkpoint },
    usages: usages.some(({ model }) => model !== null) ? withoutSecrets(usages) : usages,
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

/** Redacts a session and stores its paths under their names in the store. */
export const sealSession = (session: Session): Session => ({
  ...withoutSecrets(session),
  ...{ path: storedPath(session.path), root: storedPath(session.root) },
})
