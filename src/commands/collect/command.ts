import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { DeliveringContext, Lifetime, Machine, Programs } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { importState, stateIn } from '../../deliver/delivery/import-state.ts'
import { inventory } from '../../deliver/delivery/inventory.ts'
import {
  type DeliveryState,
  openDeliveryState,
  passingState,
  storedAddress,
} from '../../deliver/delivery/state.ts'
import { envelopeJsonSchema } from '../../deliver/receive/envelope-schema.ts'
import { ScrollbackError } from '../../errors.ts'
import { readSmall } from '../../io/source.ts'
import { REDACT_LEVELS } from '../../redact/redactor.ts'
import { printableJson } from '../../render/terminal.ts'
import { COMPRESSIONS } from '../../sinks/http-request.ts'
import { normalAddress } from '../../sinks/index.ts'
import { holdLock } from '../../store/sqlite/files.ts'
import { type CollectAnswer, collectShape, collectText } from './answer.ts'
import { repaired, verified } from './archive.ts'
import { chosenDestination, deliverDry, deliverOn, deliverOnce } from './run.ts'
import { serviceFile, serviceFlags } from './service.ts'
import {
  type CollectFlags,
  type CollectSettings,
  historyFrom,
  readConfiguration,
  recordSettings,
  settingsFrom,
} from './settings.ts'
import { listing, parseLag, statusOf } from './status.ts'

export const input = z.object({
  destination: field.texts({
    description:
      'file:<dir>, stdout:, https://…, otlp:https://…, clickhouse://…; or run (the default), list, status, verify <dir>, repair <dir>, forget <destination>',
    positional: true,
  }),
  history: field.text({
    description: 'how much of the past a new destination gets: all, none, or a span (30d)',
    placeholder: 'span',
  }),
  watch: field.flag({ description: 'keep running, and deliver records as they are written' }),
  list: field.flag({ description: 'the same as list', hidden: true }),
  status: field.flag({ description: 'the same as status', hidden: true }),
  maxLag: field.text({
    description: 'with status, exit with code 3 if the backlog is older (15m)',
    placeholder: 'span',
  }),
  dryRun: field.flag({ description: 'read, count and redact, but deliver nothing' }),
  redeliver: field.flag({
    description: 'forget the checkpoints, and deliver everything again',
  }),
  forget: field.text({ description: 'the same as forget', placeholder: 'destination', hidden: true }),
  verify: field.text({ description: 'the same as verify', placeholder: 'dir', path: 'dir', hidden: true }),
  repair: field.text({ description: 'the same as repair', placeholder: 'dir', path: 'dir', hidden: true }),
  schema: field.flag({ description: 'print the JSON Schema of an envelope' }),
  service: field.text({
    description: 'print a service unit for --watch: systemd, launchd or windows',
    placeholder: 'kind',
  }),
  importState: field.text({
    description: 'continue from the state file of another collector',
    placeholder: 'file',
    path: 'file',
  }),
  config: field.text({
    description: 'read settings from this TOML or JSON file',
    placeholder: 'file',
    path: 'file',
  }),
  state: field.text({ description: 'keep the checkpoints in this file', placeholder: 'file', path: 'file' }),
  device: field.text({ description: 'name of this machine in the records', placeholder: 'name' }),
  projects: field.text({
    description: "for a space: the projects that it gets, separated by commas: 'shop*,api'",
    placeholder: 'patterns',
  }),
  person: field.text({ description: 'for a space: whose sessions these are', placeholder: 'name' }),
  redact: field.choice(REDACT_LEVELS, {
    description: 'strict: also redact what only looks like a secret; off: redact nothing',
    placeholder: 'level',
  }),
  identities: field.flag({ description: 'also redact people: home, user names, e-mail, phone numbers' }),
  toolResults: field.flag({
    description: 'also collect outputs of tools that are in files of their own, for restore',
  }),
  normalized: field.flag({ description: 'add how Scrollback interprets each record' }),
  skip: field.text({
    description: "skip records of these types, separated by commas: 'api-request*'",
    placeholder: 'types',
  }),
  maxRecords: field.count({ description: 'at most n records in a batch (1000)', placeholder: 'n' }),
  maxBytes: field.text({ description: 'at most this size in a batch (5MB)', placeholder: 'size' }),
  recordLimit: field.text({ description: 'replace a larger record with a stub', placeholder: 'size' }),
  tokenEnv: field.text({ description: 'read the token from this environment variable', placeholder: 'name' }),
  tokenFile: field.text({
    description: 'read the token from this file, which only you may read',
    placeholder: 'file',
    path: 'file',
  }),
  compression: field.choice(COMPRESSIONS, {
    description: 'compression of requests (zstd)',
    placeholder: 'kind',
  }),
})

type Input = z.output<typeof input>
type CollectContext = DeliveringContext & Programs

export const collect = defineCommand({
  stays: true,
  name: 'collect',
  summary: 'deliver new records to a destination: nothing lost, nothing twice, no secrets',
  details:
    'Delivers transcripts, the session index, jobs and their runs, memory and personality, one JSON record each, to a directory (the ' +
    'default), a pipe or a server. Each run continues where the last one stopped. A record that the destination has not acknowledged is ' +
    'sent again with the same `id`: reading an archive shows it once, and any destination that keys on `id` stores it once.\n\n' +
    '`list` prints what is collected and skipped, with the amounts on this machine; `status` prints how far each destination is, and its backlog. ' +
    '`verify` checks every byte of an archive, `repair` recovers the intact records of a damaged one. `forget` removes a destination and its ' +
    'checkpoints; its data remains.\n\n`collect keep` archives on this machine by a service, `collect receive` takes in what others deliver, and ' +
    '`collect store` sets up a space of a team. Each has a help of its own: scrollback help collect store',
  examples: [
    {
      command: 'scrollback collect --history all',
      description: 'archive everything before clients delete it',
    },
    {
      command: 'scrollback collect file:/backup/agents --watch',
      description: 'keep an archive in a directory of your choice up to date',
    },
    { command: 'scrollback collect list', description: 'list what is collected, what is skipped, and why' },
    { command: 'scrollback collect stdout: --history 7d | jq .kind', description: 'write to a pipe' },
    {
      command: 'scrollback collect forget https://old.example/collect',
      description: 'forget a destination that no longer exists',
    },
    { command: 'scrollback collect status --max-lag 15m', description: 'for monitoring' },
    {
      command:
        "scrollback collect clickhouse://device_oak@db.example.org/web --projects 'shop*' --person ann",
      description: 'send some projects to a space of a team, which --store reads',
    },
    { command: 'scrollback read --all --from ~/archive', description: 'read an archive: every command can' },
  ],
  input,
  output: collectShape,
  run(given: Input, context: CollectContext) {
    const { toolResults } = given
    return answerOf(withAction(given), { ...context, environment: { ...context.environment, toolResults } })
  },
  render: collectText,
  /** A schema and a unit are for programs. */
  isVerbatim: ({ schema, service }) => (schema ?? service) !== undefined,
  isJson: ({ schema }) => schema !== undefined,
  /** A pipe that receives records must receive nothing else. */
  *json(answer) {
    if (answer.destinations?.some(({ url }) => url === 'stdout:')) return
    yield printableJson(`${JSON.stringify(answer, null, 2)}\n`)
  },
})

/** What else the command does, as its first word. Each is also a flag of the same name. */
const ACTIONS = {
  list: 'alone',
  status: 'alone',
  verify: 'dir',
  repair: 'dir',
  forget: 'destination',
} as const

/** The first word as the flag of the same name. A directory with that name is given as `./status`. */
function withAction(given: Input): Input {
  const [word = '', ...rest] = given.destination
  if (word === 'run') return { ...given, destination: rest }
  if (!Object.hasOwn(ACTIONS, word)) return given
  const action = word as keyof typeof ACTIONS
  const wanted = ACTIONS[action]
  if (wanted === 'alone') return { ...given, destination: rest, [action]: true }
  if (rest.length !== 1)
    throw new ScrollbackError(
      'bad-option',
      `collect ${action}: ${rest.length === 0 ? `the ${wanted} is missing` : 'takes one argument'}`,
      `Use: scrollback collect ${action} <${wanted}>`,
    )
  return { ...given, destination: [], [action]: rest[0] }
}

interface Configured {
  settings: CollectSettings
  maxLag?: string
}

/** Reads the settings. If the file is invalid now, the previous settings stay. */
function configured(given: Input, context: CollectContext, before?: Configured): Configured {
  try {
    const file = given.config === undefined ? {} : readConfiguration(resolve(context.here, given.config))
    const settings = settingsFrom(given as CollectFlags, file, context)
    return { settings, maxLag: given.maxLag ?? file.maxLag }
  } catch (error) {
    if (!before || !(error instanceof ScrollbackError)) throw error
    context.note(`${error.message}\nThe previous settings remain in use.`)
    return before
  }
}

/** Closes something once: on request, or when the answer is written. */
function closing(context: Lifetime, close: () => void): () => void {
  let isOpen = true
  const end = (): void => {
    if (isOpen) close()
    isOpen = false
  }
  context.atEnd?.(end)
  return end
}

/** What does not apply to a space, which has sessions and messages and not records. */
const RECORDS_ONLY = [
  'status',
  'maxLag',
  'dryRun',
  'importState',
  'config',
  'state',
  'redact',
  'identities',
  'normalized',
  'skip',
  'maxRecords',
  'maxBytes',
  'recordLimit',
  'tokenEnv',
  'tokenFile',
  'compression',
] as const

/** What is about archives, other destinations, or nothing that is delivered. */
const WITHOUT_DELIVERY = ['list', 'schema', 'verify', 'repair', 'forget'] as const

/** Sends to a space. Undefined if no destination is one. Throws a `ScrollbackError` for other flags. */
async function spaceAnswer(given: Input, context: CollectContext): Promise<CollectAnswer | undefined> {
  const [address, ...others] = given.destination.filter((each) => each.startsWith('clickhouse:'))
  if (address === undefined || given.forget !== undefined) {
    const other = (['projects', 'person'] as const).find((name) => given[name] !== undefined)
    if (other === undefined) return undefined
    throw new ScrollbackError(
      'bad-option',
      `--${other}: only a space gets some projects of a person`,
      'Give its address: scrollback collect clickhouse://user@host/database',
    )
  }
  if (others.length > 0 || given.destination.length > 1)
    throw new ScrollbackError(
      'bad-option',
      'A space needs a separate command.',
      'Give one destination: scrollback collect clickhouse://user@host/database',
    )
  const action = WITHOUT_DELIVERY.find((name) => given[name] !== undefined && given[name] !== false)
  if (action !== undefined)
    throw new ScrollbackError(
      'bad-option',
      `${action}: does not work on a space.`,
      `Leave out ${address.replace(/\/\/.*@/, '//')}, or ${action}.`,
    )
  const other = RECORDS_ONLY.find((name) => given[name] !== undefined && given[name] !== false)
  if (other !== undefined || (given.history ?? 'all') !== 'all')
    throw new ScrollbackError(
      'bad-option',
      `--${other === undefined ? 'history' : flagName(other)}: not available for a space, which gets whole sessions with secrets redacted`,
      'Leave it out.',
    )
  if (!context.redact)
    throw new ScrollbackError('bad-option', '--no-redact: a space contains no secrets.', 'Leave it out.')
  if (given.service !== undefined) return spaceService(given, given.service, context)
  const { fillSpace } = await import('./space.ts')
  const { device, person, projects, watch, redeliver: again } = given
  const report = await fillSpace({ address, device, person, projects, watch, again }, context)
  for (const { path, fault } of report.faults) context.note(`${path} ${fault}`, 'partly')
  return { version: 1, state: report.url, destinations: [report] }
}

/** A service has no terminal that could give it the password of the store. */
function spaceService(given: Input, kind: string, context: CollectContext): CollectAnswer {
  if (context.globalFlags?.storePasswordFile === undefined)
    throw new ScrollbackError(
      'bad-option',
      '--service: the service needs the password of the space.',
      'Write it to a file that only you may read, and add --store-password-file <file>.',
    )
  return { version: 1, state: given.destination[0]!, service: serviceOf(given, kind, context) }
}

const serviceOf = (given: Input, kind: string, context: CollectContext): string =>
  serviceFile(kind, serviceFlags(input, given, context), context)

/** `maxLag` as it is typed: `max-lag`. */
const flagName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

async function answerOf(given: Input, context: CollectContext, before?: Configured): Promise<CollectAnswer> {
  const filled = await spaceAnswer(given, context)
  if (filled) return filled
  const current = configured(given, context, before)
  const { settings, maxLag } = current
  const base = { version: 1, state: settings.state } as const
  if (given.schema) return { ...base, schema: envelopeJsonSchema() }
  if (given.service !== undefined) return { ...base, service: serviceOf(given, given.service, context) }
  if (given.list) return { ...base, list: listing(context) }
  if (given.verify !== undefined)
    return { ...base, verified: verified(resolve(context.here, given.verify), context) }
  if (given.repair !== undefined)
    return { ...base, repaired: await repaired(resolve(context.here, given.repair), context) }
  const state = openDeliveryState(settings.state)
  const closeState = closing(context, () => state.close())
  if (given.status)
    return {
      ...base,
      status: await statusOf(settings, state, maxLag === undefined ? undefined : parseLag(maxLag), context),
    }
  if (given.dryRun) return { ...base, dryRun: true, destinations: await deliverDry(settings, state, context) }
  const lock = holdLock(`${settings.state}.lock`)
  if (!lock)
    throw new ScrollbackError(
      'unreadable',
      `Another process is already collecting with ${settings.state}.`,
      'Wait until it ends, stop it, or use another state file with --state.',
    )
  const unlock = closing(context, () => lock.release())
  if (given.importState !== undefined)
    return {
      ...base,
      imported: await imported(resolve(context.here, given.importState), settings, state, context),
    }
  for (const { url, history } of settings.destinations) {
    const row = state.destination(url)
    const isOther = row && history !== undefined && history !== row.history
    if (row && given.redeliver) {
      state.forget(row.id)
      if (isOther) state.changeHistory(row.id, history, historyFrom(history, context.now))
    } else if (isOther && given.history !== undefined)
      context.note(
        `${storedAddress(url)} was begun with --history ${row.history}, which stays. To deliver what it lacks: ${context.suggest.again({ flags: ['--redeliver'] })}`,
      )
  }
  if (given.forget !== undefined) {
    const name = given.forget
    const url = name.startsWith('clickhouse:')
      ? (await import('./space.ts')).forgetTarget(name, context)
      : name
    return { ...base, forgotten: forgotten(url, state, context) }
  }
  if (!given.watch)
    return { ...base, destinations: await deliverOnce(settings, stateFor(given, settings, state), context) }
  const { reload } = await deliverOn(settings, state, context)
  if (!reload || context.stop?.aborted) return { ...base, destinations: [] }
  // With the time, because the same text can be printed repeatedly.
  context.note(`${new Date().toISOString()} Reloading the settings.`)
  unlock()
  closeState()
  return answerOf({ ...given, redeliver: false }, context, current)
}

/**
 * The state of delivery. A one-time pipe is not remembered, unless the user names a state for it or it was
 * used with one before.
 */
function stateFor(given: Input, { destinations }: CollectSettings, state: DeliveryState): DeliveryState {
  const isOnce = given.state === undefined && given.config === undefined
  const isPipe = destinations.every(({ url }) => url === 'stdout:')
  return isOnce && isPipe && !state.destination('stdout:') ? passingState(state) : state
}

/** Forgets a destination and returns its address. */
function forgotten(name: string, state: DeliveryState, { environment, here }: Machine): string {
  const known = state.destinations()
  const row =
    known.find(({ url }) => url === name) ??
    state.destination(normalAddress(name, { home: environment.home, directory: here }))
  if (!row)
    throw new ScrollbackError(
      'bad-option',
      `forget ${storedAddress(name)}: unknown destination.`,
      known.length === 0 ? 'No destination is known.' : `Known: ${known.map(({ url }) => url).join(', ')}`,
    )
  state.drop(row.id)
  return row.url
}

const STATE_LIMIT = 256 * 1024 * 1024

async function imported(
  path: string,
  settings: CollectSettings,
  state: DeliveryState,
  context: CollectContext,
): Promise<NonNullable<CollectAnswer['imported']>> {
  const other = stateIn(parsedState(path))
  if (!other)
    throw new ScrollbackError(
      'bad-option',
      `--import-state ${path}: unsupported state`,
      'Supported are JSON of these forms: {"version":1,"sources":{"<tool>":{"files":{"<path>":{"offset":…}}}}}, {"files":{…}}, or {"<path>":<offset>}.',
    )
  const found = inventory(context.environment)
  const answers: NonNullable<CollectAnswer['imported']> = []
  for (const destination of settings.destinations) {
    const row = await chosenDestination(
      state,
      { ...destination, history: destination.history ?? 'all' },
      context,
    )
    const own = { historyFromMs: null, recordLimit: undefined }
    const records = recordSettings(settings, destination, own, context)
    const { home } = context.environment
    answers.push({
      url: storedAddress(destination.url),
      ...importState(other, found, state, row.id, records, home),
    })
  }
  return answers
}

function parsedState(path: string): unknown {
  try {
    return JSON.parse(readSmall(path, STATE_LIMIT)?.toString('utf8') ?? '')
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw new ScrollbackError(
      'bad-option',
      `--import-state ${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`,
      'Name the state file of the other collector.',
    )
  }
}
