import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { directoryOrHome, listDirectory, sameDirectory } from '../../io/directories.ts'
import type { Environment, Root } from '../../model/artifact.ts'

/** The product was renamed twice. Its migrations left the old directory, or a link to the new one. */
const LEGACY = ['.clawdbot', '.moltbot', '.moldbot']

/**
 * The state directories of OpenClaw, without duplicates. Checks all that exist, not only the one the client
 * would use today, because a renamed home, a profile or an old version may each contain part of the history.
 */
export function roots(environment: Environment): Root[] {
  const found: Root[] = []
  for (const [path, reason] of candidates(environment))
    if (!found.some((root) => sameDirectory(root.path, path)))
      found.push({ platform: 'openclaw', path, reason, found: existsSync(path) })
  return found
}

function candidates(environment: Environment): [path: string, reason: string][] {
  const given = environment.dirs?.openclaw
  if (given) return given.map((path) => [directoryOrHome(path, '.openclaw', hasAgents), '--openclaw-dir'])
  const list: [path: string, reason: string][] = []
  const home = expand(environment.variables.OPENCLAW_HOME?.trim() || environment.home, environment.home)
  for (const name of ['OPENCLAW_STATE_DIR', 'CLAWDBOT_STATE_DIR']) {
    const given = environment.variables[name]?.trim()
    if (given) list.push([expand(given, home), name])
  }
  list.push([join(home, '.openclaw'), 'default'])
  for (const name of profiles(home)) list.push([join(home, name), 'profile'])
  for (const name of LEGACY) if (existsSync(join(home, name))) list.push([join(home, name), 'legacy name'])
  return list
}

const hasAgents = (path: string): boolean => existsSync(join(path, 'agents'))

const profiles = (home: string): string[] =>
  listDirectory(home)
    .entries.filter(
      (entry) => entry.name.startsWith('.openclaw-') && (entry.isDirectory() || entry.isSymbolicLink()),
    )
    .map((entry) => entry.name)
    .sort()

const expand = (path: string, home: string): string =>
  path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path
