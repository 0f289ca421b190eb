import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The name of the file or folder below a folder that fits and was changed last, but for this one. */
export function newestIn(home: string, below: string, name: RegExp, but?: string): string {
  const found = readdirSync(join(home, below), { recursive: true, withFileTypes: true })
    .filter((entry) => name.test(entry.name) && entry.name !== but)
    .map((entry) => ({ name: entry.name, at: statSync(join(entry.parentPath, entry.name)).mtimeMs }))
    .sort((one, other) => other.at - one.at)
  if (!found[0]) throw new Error(`nothing below ${below} is called ${name}`)
  return found[0].name
}
