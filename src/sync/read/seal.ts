import { hash } from 'node:crypto'
import { mapStrings } from '../../model/json.ts'
import { areClean, redact } from '../../redact/redact.ts'
import type { Increment } from '../../store/increment.ts'

/** Removes secrets and lone surrogates, which cannot be stored. */
export function withoutSecrets<Value>(value: Value): Value {
  const texts = new Set<string>()
  let isWellFormed = true
  mapStrings(value, (text) => {
    isWellFormed &&= text.isWellFormed()
    texts.add(text)
    return text
  })
  if (isWellFormed && areClean(texts)) return value
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
    path: storedPath(path),
    root: storedPath(root),
    ...(database === undefined ? {} : { database: storedPath(database) }),
  }
}

/**
 * Hash digits that distinguish paths which only differ in their secrets, too few to recover a secret from.
 */
const TELLING = 5

/** The real paths of stored paths that contained a secret. Only contains paths found on this machine. */
const real = new Map<string, string>()

/**
 * The path as stored, which is nearly always the path itself. One that contains a secret is redacted, always
 * in the same way.
 */
export function storedPath(path: string): string {
  const shown = redact(path)
  return shown === path ? path : `${shown}~${hash('sha256', path, 'base64url').slice(0, TELLING)}`
}

/** The real path of a stored path. The stored path itself if it was not found on this machine. */
export const realPath = (stored: string): string => real.get(stored) ?? stored

/** Whether `realPath` can return anything but its argument. */
export const hasSecretPaths = (): boolean => real.size > 0

/** Paths that are searched at once: joined, because one call is faster, but not into many megabytes. */
const AT_ONCE = 1000

/** Remembers the paths that are stored in redacted form. */
export function rememberPaths(paths: readonly string[]): void {
  for (let from = 0; from < paths.length; from += AT_ONCE) remember(paths.slice(from, from + AT_ONCE))
}

function remember(paths: readonly string[]): void {
  if (areClean(paths)) return
  for (const path of paths) {
    const stored = storedPath(path)
    if (stored !== path) real.set(stored, path)
  }
}
