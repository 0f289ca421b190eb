import { resolve } from 'node:path'
import type * as z from 'zod/mini'
import { identities } from '../../platforms/identities.ts'
import type { Machine, Storage, Wishes } from '../kit/context.ts'
import { flagsOf, machineWords, wordsOf } from '../kit/flags.ts'

/**
 * Variables that a service does not inherit but needs: they lead to our files and to those of the clients.
 */
const VARIABLES = [...identities.flatMap(({ variables }) => variables), 'XDG_DATA_HOME']

/** The variables that are set now and lead to files. Variables that hold a token are never included. */
export function serviceVariables({
  environment,
  dataFolder,
}: Pick<Machine & Storage, 'environment' | 'dataFolder'>): Record<string, string> {
  const { variables } = environment
  const found: Record<string, string> = {}
  if (variables.SCROLLBACK_HOME) found.SCROLLBACK_HOME = dataFolder
  for (const name of VARIABLES) if (variables[name]) found[name] = variables[name]
  return found
}

/** Flags that do something other than deliver, and flags that apply once and not at every start. */
const NOT_REPEATED = new Set([
  ...['watch', 'list', 'status', 'maxLag', 'dryRun', 'redeliver', 'forget', 'verify', 'repair'],
  ...['schema', 'service', 'importState'],
])

/** Repeats the flags for a service, which starts in another folder. */
export function serviceFlags(
  input: z.ZodMiniObject,
  given: Readonly<Record<string, unknown>> & { destination: readonly string[] },
  { here, globalFlags = {} }: Pick<Machine & Wishes, 'here' | 'globalFlags'>,
): string[] {
  const absolute = (path: string): string => (/^~(?:\/|$)/.test(path) ? path : resolve(here, path))
  const addressOf = (url: string): string =>
    url.startsWith('file:') && !url.startsWith('file://')
      ? `file:${absolute(url.slice('file:'.length))}`
      : url
  const own = flagsOf(input).filter(({ field }) => !NOT_REPEATED.has(field))
  const destination = given.destination.map(addressOf)
  return [...wordsOf(own, { ...given, destination }, absolute), ...machineWords(globalFlags, absolute)]
}
