import { join } from 'node:path'
import { fileInside, identityOf, isFolderInside, listDirectory } from '../../io/directories.ts'
import type { Artifact, Root } from '../../model/artifact.ts'

const NOTE = /^[^.].*\.md$/

/** What the agent noted for a project: `projects/<slug>/memory/*.md`. */
export function documents(root: Root): Artifact[] {
  const projects = join(root.path, 'projects')
  return listDirectory(projects).entries.flatMap((entry) => {
    const memory = join(projects, entry.name, 'memory')
    if (!isFolderInside(projects, join(projects, entry.name), entry)) return []
    return listDirectory(memory).entries.flatMap(({ name }): Artifact | [] => {
      const path = join(memory, name)
      const stats = NOTE.test(name) ? fileInside(memory, path) : undefined
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
