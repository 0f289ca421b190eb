import { resolve } from 'node:path'
import type { CollectFlags } from './collect-settings.ts'
import type { Context } from './command.ts'

type ServiceInput = CollectFlags & { config?: string }

/** What the system's own start of a program does not know, and we look at: where all that is ours lies, and the agents' folders. */
const VARIABLES = [
  ...['CLAUDE_CONFIG_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'],
  ...['OPENCLAW_HOME', 'OPENCLAW_STATE_DIR', 'CLAWDBOT_STATE_DIR', 'OPENCLAW_WORKSPACE_DIR'],
]

/** Variables that are set now and matter to where things lie; never those that hold a token. */
export function serviceVariables({ environment, dataFolder }: Context): Record<string, string> {
  const { variables } = environment
  const found: Record<string, string> = {}
  if (variables.SCROLLBACK_HOME) found.SCROLLBACK_HOME = dataFolder
  for (const name of VARIABLES) if (variables[name]) found[name] = variables[name]
  return found
}

/** A folder that is named from here is another one from where the system starts us. */
const absolute = (url: string, here: string): string =>
  url.startsWith('file:') && !url.startsWith('file://') && !url.startsWith('file:~')
    ? `file:${resolve(here, url.slice('file:'.length))}`
    : url

/** The flags again, as they were given, for a service that is started with them. */
export function serviceFlags(given: ServiceInput, { here, environment }: Context): string[] {
  const words = [...given.destination.map((url) => absolute(url, here))]
  const add = (name: string, value: string | number | undefined): void => {
    if (value !== undefined) words.push(`--${name}`, String(value))
  }
  add('config', given.config && resolve(here, given.config))
  add('state', given.state && resolve(here, given.state))
  add('history', given.history)
  add('device', given.device)
  add('skip', given.skip)
  add('redact', given.redact)
  add('max-records', given.maxRecords)
  add('max-bytes', given.maxBytes)
  add('record-limit', given.recordLimit)
  add('token-env', given.tokenEnv)
  add('token-file', given.tokenFile && resolve(here, given.tokenFile))
  add('compression', given.compression)
  if (given.identities) words.push('--identities')
  if (given.normalized) words.push('--normalized')
  for (const path of environment.claudeDirs ?? []) add('claude-dir', path)
  for (const path of environment.openclawDirs ?? []) add('openclaw-dir', path)
  if (environment.deleted) words.push('--deleted')
  if (environment.backups) words.push('--backups')
  return words
}
