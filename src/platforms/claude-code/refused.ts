import { join } from 'node:path'
import { listDirectory } from '../../io/directories.ts'
import type { Refusal, Root } from '../../model/artifact.ts'

const STEERING = 'keys for controlling background sessions'

/**
 * What is never opened in a configuration directory, with the reason. Only the allow-list is opened anyway.
 */
const NEVER: readonly [name: RegExp, reason: string][] = [
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

/** Key files next to the files of open sessions. */
const KEYS = /\.key$/

/** The files and folders of a root that exist but are never opened. */
export function refused(root: Root): Refusal[] {
  const named = listDirectory(root.path).entries.flatMap(({ name }) => {
    const reason = NEVER.find(([pattern]) => pattern.test(name))?.[1]
    return reason === undefined ? [] : { path: join(root.path, name), reason }
  })
  const sessions = join(root.path, 'sessions')
  const keys = listDirectory(sessions).entries.filter(({ name }) => KEYS.test(name))
  return [...named, ...keys.map(({ name }) => ({ path: join(sessions, name), reason: STEERING }))]
}
