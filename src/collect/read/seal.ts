import { mapStrings } from '../../model/json.ts'
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
  const { artifact, session, usages } = increment
  const names = { artifact, session, models: [...new Set(usages.map(({ model }) => model))] }
  if (withoutSecrets(names) === names) return increment
  return {
    ...increment,
    usages: withoutSecrets(usages),
    artifact: withStoredPaths(artifact),
    session: session && withStoredPaths(session),
  }
}

/** Without secrets, and with paths under their names in the store. */
function withStoredPaths<Value extends { path: string; root: string; database?: string }>(
  value: Value,
): Value {
  const { path, root, database } = value
  return {
    ...withoutSecrets(value),
    ...{ path: storedPath(path), root: storedPath(root) },
    ...(database === undefined ? {} : { database: storedPath(database) }),
  }
}
