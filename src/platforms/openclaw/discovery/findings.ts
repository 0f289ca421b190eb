import { type Dirent, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Allows, isFolderInside, listDirectory, NO_LINKS } from '../../../io/directories.ts'
import type { Artifact, Environment, NamedSession, Notice, Root, Unread } from '../../../model/artifact.ts'
import { openclawIdentity } from '../identity.ts'

/** What is found below one root, with what is needed to look further. */
export interface Findings {
  root: Root
  environment: Environment
  artifacts: Artifact[]
  unread: Unread[]
  named: NamedSession[]
  notices: Notice[]
  notice(path: string, message: string): void
  /** The entries of a folder. One that cannot be listed becomes a notice. */
  list(path: string): Dirent[]
  /** Whether a folder is entered. A link that is not followed becomes a notice. */
  enters(path: string, entry: Dirent, allows?: Allows): boolean
}

export function createFindings(root: Root, environment: Environment): Findings {
  const notices: Notice[] = []
  const notice = (path: string, message: string): void =>
    void notices.push({ platform: openclawIdentity.id, path, message })
  return {
    ...{ root, environment, artifacts: [], unread: [], named: [], notices, notice },
    list(path) {
      const { entries, error } = listDirectory(path)
      if (error && error !== 'ENOENT' && error !== 'ENOTDIR') notice(path, `cannot be listed (${error})`)
      return entries
    },
    enters(path, entry, allows = NO_LINKS) {
      if (isFolderInside(dirname(path), path, entry, allows)) return true
      if (entry.isSymbolicLink() && existsSync(path))
        notice(path, 'is a link to a folder that is not read under its own name; not followed')
      return false
    },
  }
}
