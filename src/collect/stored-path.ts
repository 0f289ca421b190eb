import { hash } from 'node:crypto'
import { redact } from '../redact/redact.ts'

/** Letters of a hash that tell two paths apart which are the same without their secrets; too few to find a secret by. */
const TELLING = 5

/** Of paths that hold a secret: what the store calls them, and what they are. Only paths that were found are here. */
const real = new Map<string, string>()

/** What the store calls a path: nearly always the path itself. One that holds a secret is called otherwise, always the same. */
export function storedPath(path: string): string {
  const shown = redact(path)
  return shown === path ? path : `${shown}~${hash('sha256', path, 'base64url').slice(0, TELLING)}`
}

/** The path that the store calls so; itself where it was not found on this machine. */
export const realPath = (stored: string): string => real.get(stored) ?? stored

/** Whether `realPath` may answer anything else. */
export const hasSecretPaths = (): boolean => real.size > 0

/** Remembers which of the paths that were found the store calls otherwise. */
export function rememberPaths(paths: readonly string[]): void {
  const all = paths.join('\n')
  if (redact(all) === all) return
  for (const path of paths) {
    const stored = storedPath(path)
    if (stored !== path) real.set(stored, path)
  }
}
