import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sameDirectory } from '../../io/directories.ts'
import type { Environment, Root } from '../../model/artifact.ts'

/** The configuration directories of Claude Code, each once, those that do not exist included. */
export function roots(environment: Environment): Root[] {
  const candidates: [path: string, reason: string][] = []
  if (environment.claudeDirs)
    for (const path of environment.claudeDirs) candidates.push([path, '--claude-dir'])
  else {
    const given = environment.variables.CLAUDE_CONFIG_DIR?.trim()
    // The client takes the variable for one path; others let it hold several.
    if (given)
      for (const path of existsSync(given) ? [given] : given.split(','))
        if (path.trim()) candidates.push([expand(path.trim(), environment.home), 'CLAUDE_CONFIG_DIR'])
    candidates.push([join(environment.home, '.claude'), 'default'])
    const configHome = environment.variables.XDG_CONFIG_HOME || join(environment.home, '.config')
    if (existsSync(join(configHome, 'claude', 'projects')))
      candidates.push([join(configHome, 'claude'), 'default'])
  }
  const found: Root[] = []
  for (const [path, reason] of candidates)
    if (!found.some((root) => sameDirectory(root.path, path)))
      found.push({ platform: 'claude-code', path, reason, found: existsSync(path) })
  return found
}

const expand = (path: string, home: string): string =>
  path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path
