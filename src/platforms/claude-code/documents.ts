import { join } from 'node:path'
import {
  fileInside,
  identityOf,
  isFolderInside,
  isOneName,
  isPlainFolder,
  listDirectory,
} from '../../io/directories.ts'
import type { Artifact, Root } from '../../model/artifact.ts'

const NOTE = /^[^./][^/]*\.md$/

/** The agent's memory of a project: `projects/<slug>/memory/*.md`. */
export function documents(root: Root): Artifact[] {
  const projects = join(root.path, 'projects')
  if (!isPlainFolder(projects)) return []
  return listDirectory(projects).entries.flatMap((entry) => {
    const memory = join(projects, entry.name, 'memory')
    const project = join(projects, entry.name)
    if (!isFolderInside(projects, project, entry, isOneName) || !isPlainFolder(memory)) return []
    return listDirectory(memory).entries.flatMap(({ name }): Artifact | [] => {
      const path = join(memory, name)
      const stats = NOTE.test(name) ? fileInside(memory, path, (target) => NOTE.test(target)) : undefined
      if (!stats) return []
      return {
        platform: 'claude-code',
        root: root.path,
        path,
        kind: 'memory',
        state: 'live',
        sessionId: name,
        agent: 'claude',
        slug: entry.name,
        bytes: stats.size,
        modifiedMs: stats.mtimeMs,
        identity: identityOf(stats),
      }
    })
  })
}
