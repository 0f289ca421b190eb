import { join } from 'node:path'
import { listDirectory } from '../../io/directories.ts'
import { isRunning } from '../../io/process.ts'
import type { Root } from '../../model/artifact.ts'
import { asNumber, asText } from '../../model/json.ts'
import { readJson } from './small-files.ts'

/** Written by a running client. The key files next to it are never opened. */
const OF_PROCESS = /^(\d{1,10})\.json$/
/** Limit of files that are read. */
const MOST = 1000

/**
 * The ids of sessions that a client has open now. A crashed client leaves its file behind, so its process
 * must be running. A later process with the same id is not distinguished.
 */
export function openSessions(root: Root): ReadonlySet<string> {
  const folder = join(root.path, 'sessions')
  const open = new Set<string>()
  for (const { name } of listDirectory(folder).entries.slice(0, MOST)) {
    const pid = OF_PROCESS.exec(name)?.[1]
    if (pid === undefined || !isRunning(Number(pid))) continue
    const held = readJson(join(folder, name))
    const id = asText(held?.sessionId)
    if (id !== undefined && (asNumber(held?.pid) ?? Number(pid)) === Number(pid)) open.add(id)
  }
  return open
}
