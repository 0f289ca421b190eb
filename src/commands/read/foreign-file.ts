import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../kit/context.ts'

/**
 * Whether a name means a file that is not a transcript of this machine. Only the command line opens those.
 * `name` may end with the number of a line.
 */
export function isForeignFile(name: string, { fresh, directory }: Context): boolean {
  const base = /^(.+):\d{1,9}$/s.exec(name)?.[1] ?? name
  const known = fresh!.store.known()
  if (known.has(base) || known.has(name)) return false
  if (name.includes('\0')) return true
  return [base, name].some((each) => isOtherFile(resolve(directory, each)))

  function isOtherFile(path: string): boolean {
    return !known.has(path) && existsSync(path) && statSync(path).isFile()
  }
}
