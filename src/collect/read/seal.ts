import type { Artifact } from '../../model/artifact.ts'
import { mapStrings } from '../../model/map-strings.ts'
import type { Session } from '../../model/session.ts'
import { redact } from '../../redact/redact.ts'
import type { Increment } from '../../store/increment.ts'
import { storedPath } from '../index/stored-path.ts'

/** Separates texts, so that nothing is recognized because of its neighbors. */
const BETWEEN = '\n.\n'

/** Removes secrets and lone surrogates, which cannot be stored. */
export function withoutSecrets<Value>(value: Value): Value {
  const texts = new Set<string>()
  mapStrings(value, (text) => {
    texts.add(text)
    return text
  })
  if (texts.size === 0) return value
  // Hardly any name or path contains a secret, so all of them are searched at once.
  const all = [...texts].join(BETWEEN)
  if (all.isWellFormed() && redact(all) === all) return value
  return mapStrings(value, (text) => redact(text).toWellFormed())
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
const sealSession = (session: Session): Session => ({
  ...withoutSecrets(session),
  ...{ path: storedPath(session.path), root: storedPath(session.root) },
})
