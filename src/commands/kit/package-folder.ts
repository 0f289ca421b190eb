import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A path in our own package, run from the bundle or from the sources. Undefined if the package does not
 * contain it.
 */
export function inPackage(name: string): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, name))) {
    if (dirname(folder) === folder) return undefined
    folder = dirname(folder)
  }
  return join(folder, name)
}
