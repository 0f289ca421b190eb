import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { dirFlags, type GivenDirs } from '../commands/kit/dir-flags.ts'
import { ScrollbackError } from '../errors.ts'
import { identities } from '../platforms/identities.ts'

const home = (): string => process.env.HOME || homedir()

/** The folders in the flags: those of one platform, and `--dir <platform>=<folder>`. */
export function dirsOf(flags: Readonly<Record<string, unknown>>): GivenDirs {
  const dirs: GivenDirs = {}
  for (const { field, platform } of dirFlags) {
    const given = (flags[field] ?? []) as string[]
    if (given.length > 0) dirs[platform] = [...given]
  }
  for (const pair of (flags.dir as string[] | undefined) ?? []) {
    const [, platform, path] = /^([^=]+)=(.+)$/s.exec(pair) ?? []
    if (platform === undefined || !identities.some(({ id }) => id === platform))
      throw new ScrollbackError(
        'bad-option',
        `--dir: invalid value "${pair}"`,
        `Name a platform and a folder: ${identities.map(({ id, folder }) => `--dir ${id}=~/${folder}`).join(', ')}`,
      )
    // Shells do not expand a tilde after `=`.
    dirs[platform] = [...(dirs[platform] ?? []), path!.replace(/^~(?=\/|$)/, home)]
  }
  return dirs
}

/**
 * Folders as absolute paths. If one folder is given, only given folders are read. Undefined if none is given.
 */
export function onlyDirs(given: GivenDirs): GivenDirs | undefined {
  if (Object.keys(given).length === 0) return undefined
  return Object.fromEntries(identities.map(({ id }) => [id, (given[id] ?? []).map((path) => resolve(path))]))
}
