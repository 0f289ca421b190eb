import { join } from 'node:path'
import { fileInside, identityOf, isFolderInside, listDirectory, NO_LINKS } from '../../io/directories.ts'
import type { Artifact, Environment, Root } from '../../model/artifact.ts'

/** Instructions and memory of an agent: the only files of a workspace that are opened. */
const NAMES = /^(?:MEMORY|memory|SOUL|IDENTITY|USER|AGENTS|TOOLS|HEARTBEAT|BOOT|BOOTSTRAP)\.md$/
const NOTE = /^[^./][^/]*\.md$/
const WORKSPACE = /^workspace(?:-([^/]+))?$/

/** Whether a name below a workspace is a memory document. */
export const isDocumentName = (name: string): boolean =>
  NAMES.test(name) || (name.startsWith('memory/') && NOTE.test(name.slice(7)))

/** The memory documents in the workspace of every agent. */
export function documents(root: Root, { variables }: Environment): Artifact[] {
  const found: Artifact[] = []
  for (const entry of listDirectory(root.path).entries) {
    const [whole, agent = 'main'] = WORKSPACE.exec(entry.name) ?? []
    const path = join(root.path, entry.name)
    if (whole !== undefined && isFolderInside(root.path, path, entry, (target) => WORKSPACE.test(target)))
      workspace(agent, path)
  }
  const given = variables.OPENCLAW_WORKSPACE_DIR?.trim()
  if (given && root.reason === 'default') workspace('main', given)
  return found

  function workspace(agent: string, folder: string): void {
    for (const entry of listDirectory(folder).entries) {
      if (NAMES.test(entry.name)) add(agent, folder, entry.name)
      if (entry.name !== 'memory') continue
      const notes = join(folder, entry.name)
      if (!isFolderInside(folder, notes, entry, NO_LINKS)) continue
      for (const { name } of listDirectory(notes).entries)
        if (NOTE.test(name)) add(agent, folder, `memory/${name}`)
    }
  }

  function add(agent: string, folder: string, name: string): void {
    const path = join(folder, name)
    const stats = fileInside(folder, path, isDocumentName)
    if (!stats || found.some((each) => each.path === path)) return
    found.push({
      platform: 'openclaw',
      root: root.path,
      path,
      kind: 'memory',
      state: 'live',
      sessionId: name,
      agent,
      bytes: stats.size,
      modifiedMs: stats.mtimeMs,
      identity: identityOf(stats),
    })
  }
}
