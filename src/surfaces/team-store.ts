import type { Storage } from '../context/context.ts'
import type { GlobalFlags } from '../context/flags.ts'
import { ScrollbackError } from '../errors.ts'
import type { Environment } from '../model/artifact.ts'
import { identities } from '../platforms/identities.ts'

/** Commands that answer from a store. The others are about files, jobs or services of this machine. */
const READING = new Set([
  'overview',
  'projects',
  'sessions',
  'session',
  'read',
  'search',
  'stats',
  'runs',
  'memory',
  'devlog',
  'export',
  'serve',
  'mcp',
  'tag',
  'forget',
  'store',
])

/** What a team store has not of some commands, and what answers nearly the same. */
const ELSEWHERE: Readonly<Record<string, { because: string; instead: string }>> = {
  cron: {
    because: 'jobs are in files of the machine that runs them, and a team store has only their sessions',
    instead:
      'Run it on that machine. To list sessions of jobs: scrollback sessions --all --kind cron --store …',
  },
  changes: {
    because: 'it compares what tools wrote, and a team store has only the names of the files',
    instead:
      'Run it on the machine of the session. To see its calls with their files: scrollback read <session> --store …',
  },
}

/** Whether a command answers from a team store. */
export const answersFromTeamStore = (command: string): boolean => READING.has(command)

/**
 * The team store that `--store` names. Its code is loaded only then. Throws a `ScrollbackError` if the
 * command or another flag is about this machine.
 */
export async function teamStore(
  command: string,
  flags: GlobalFlags,
  env: NodeJS.ProcessEnv,
): Promise<NonNullable<Storage['remote']>> {
  const elsewhere = ELSEWHERE[command]
  if (elsewhere)
    throw new ScrollbackError(
      'bad-option',
      `--store: not with "${command}": ${elsewhere.because}.`,
      elsewhere.instead,
    )
  if (!answersFromTeamStore(command))
    throw new ScrollbackError(
      'bad-option',
      `--store: "${command}" only works on this machine.`,
      `With --store: ${[...READING].join(', ')}.`,
    )
  const given = Object.entries({
    '--from': flags.from !== undefined,
    '--demo': flags.demo === true,
    '--no-redact': flags.redact === false,
  }).flatMap(([name, isGiven]) => (isGiven ? name : []))
  if (given.length > 0)
    throw new ScrollbackError('bad-option', `--store: not with ${given[0]}.`, 'Drop one of the two.')
  const { storeAddress } = await import('../commands/store/team-store.ts')
  return remoteAt(
    storeAddress(flags.store!, {
      password: env.SCROLLBACK_STORE_PASSWORD,
      passwordFile: flags.storePasswordFile,
    }),
  )
}

/** The store at an address. */
export async function remoteAt(
  address: NonNullable<Storage['remote']>['address'],
): Promise<NonNullable<Storage['remote']>> {
  const { openRemote } = await import('../commands/store/team-store.ts')
  return { address, open: (context, part) => openRemote(address, context, part) }
}

/** With a team store, nothing is discovered on this machine. */
export const withoutDisk = (environment: Environment): Environment => ({
  ...environment,
  dirs: Object.fromEntries(identities.map(({ id }) => [id, []])),
})
