import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { directoryOrHome, sameDirectory } from '../../io/directories.ts'
import type { Environment, Root } from '../../model/artifact.ts'
import { claudeCodeIdentity } from './identity.ts'

/** The configuration directories of Claude Code without duplicates, including those that do not exist. */
export function roots(environment: Environment): Root[] {
  const candidates: [path: string, reason: string][] = []
  const given = environment.dirs?.[claudeCodeIdentity.id]
  if (given)
    for (const path of given) candidates.push([directoryOrHome(path, '.claude', hasProjects), '--claude-dir'])
  else {
    const variable = environment.variables.CLAUDE_CONFIG_DIR?.trim()
    // The client treats the variable as one path. Other tools allow several.
    if (variable)
      for (const path of existsSync(variable) ? [variable] : variable.split(','))
        if (path.trim()) candidates.push([expand(path.trim(), environment.home), 'CLAUDE_CONFIG_DIR'])
    candidates.push([join(environment.home, '.claude'), 'default'])
    const configHome = environment.variables.XDG_CONFIG_HOME || join(environment.home, '.config')
    if (hasProjects(join(configHome, 'claude'))) candidates.push([join(configHome, 'claude'), 'default'])
  }
  const found: Root[] = []
  for (const [path, reason] of candidates)
    if (!found.some((root) => sameDirectory(root.path, path)))
      found.push({ platform: claudeCodeIdentity.id, path, reason, found: existsSync(path) })
  return found
}

const hasProjects = (path: string): boolean => existsSync(join(path, 'projects'))

const expand = (path: string, home: string): string =>
  path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path
