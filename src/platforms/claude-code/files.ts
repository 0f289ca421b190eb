import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  directoryOrHome,
  fileInside,
  isFolderInside,
  isOneName,
  isPlainFolder,
  listDirectory,
} from '../../io/directories.ts'
import type { Artifact, Environment, Refusal, Root } from '../../model/artifact.ts'
import { asObject } from '../../model/json.ts'
import { memoryDocument, type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { GivenFile } from '../platform.ts'
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
        if (path.trim()) candidates.push([withHome(path.trim(), environment.home), 'CLAUDE_CONFIG_DIR'])
    candidates.push([join(environment.home, '.claude'), 'default'])
    const configHome = environment.variables.XDG_CONFIG_HOME || join(environment.home, '.config')
    if (hasProjects(join(configHome, 'claude'))) candidates.push([join(configHome, 'claude'), 'default'])
  }
  return rootsAt(claudeCodeIdentity.id, candidates)
}

const hasProjects = (path: string): boolean => existsSync(join(path, 'projects'))

const STEERING = 'keys for controlling background sessions'

/**
 * What is never opened in a configuration directory, with the reason. Only the allow-list is opened anyway.
 */
const NEVER: Reasons = [
  [/^\.credentials\.json$/, 'keys of your account'],
  [/^\.claude\.json(?:\.backup.*)?$/, 'account and keys of servers'],
  [/^backups$/, 'copies of account and keys'],
  [
    /^(?:managed-)?settings(?:\.local)?\.json$/,
    'may contain keys; its retention period is therefore assumed',
  ],
  [/^hfi-auth\.json$/, 'keys of your account'],
  [/^daemon$/, STEERING],
  [/^(?:shell-snapshots|session-env)$/, 'environment variables'],
  [/^(?:plugins|ide)$/, 'configuration with tokens'],
  [/^(?:debug|telemetry|statsig)$/, 'logs that contain tokens'],
  [/^(?:paste-cache|image-cache|file-history)$/, 'copies of whole files, secrets included'],
]

/** Key files are next to the files of open sessions. */
const KEYS: Reasons = [[/\.key$/, STEERING]]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => [
  ...refusedIn(path, NEVER),
  ...refusedIn(join(path, 'sessions'), KEYS),
]

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
      return stats
        ? memoryDocument(root, path, stats, { sessionId: name, agent: 'claude', slug: entry.name })
        : []
    })
  })
}

/** Types of record that only Claude Code writes. */
const TYPES = /^(?:user|assistant|system|summary|progress|attachment|queue-operation|file-history-snapshot)$/
const FORK = /^agent-a([a-z_]+)-[0-9a-f]+\.jsonl$/

/** A transcript of Claude Code outside of its roots. */
export const given: GivenFile = {
  // Qwen Code writes the same envelope around messages of another form.
  isOwn: ({ type, provenance, message }) =>
    typeof type === 'string' &&
    TYPES.test(type) &&
    provenance === undefined &&
    asObject(message)?.parts === undefined,
  facts(path) {
    const name = basename(path)
    const subagent = name.startsWith('agent-')
      ? { kindHint: 'subagent' as const, fork: FORK.exec(name)?.[1] }
      : {}
    return { agent: 'claude', state: 'live', ...subagent }
  },
}
