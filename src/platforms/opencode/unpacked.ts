import { join } from 'node:path'
import { fileInside, identityOf, listDirectory, NO_LINKS } from '../../io/directories.ts'
import type { Artifact } from '../../model/artifact.ts'
import { opencodeIdentity } from './identity.ts'

const { id: platform, defaultAgent: agent } = opencodeIdentity

const UNPACKED = /^(ses_\w+)\.jsonl$/

/** Sessions that were unpacked from an archive, each as the lines that were delivered. */
export function unpackedSessions(root: string): Artifact[] {
  const folder = join(root, 'sessions')
  return listDirectory(folder).entries.flatMap(({ name }): Artifact | [] => {
    const sessionId = UNPACKED.exec(name)?.[1]
    const path = join(folder, name)
    const stats = sessionId === undefined ? undefined : fileInside(folder, path, NO_LINKS)
    if (sessionId === undefined || !stats) return []
    return {
      platform,
      agent,
      root,
      path,
      kind: 'transcript',
      state: 'live',
      sessionId,
      bytes: stats.size,
      modifiedMs: stats.mtimeMs,
      identity: identityOf(stats),
    }
  })
}
