import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { importState, stateIn } from '../collect/delivery/import-state.ts'
import { inventory } from '../collect/delivery/inventory.ts'
import { envelopeJsonSchema } from '../collect/delivery/schema.ts'
import { type DeliveryState, openDeliveryState, passingState } from '../collect/delivery/state.ts'
import { storedAddress } from '../collect/delivery/stored-address.ts'
import { printableJson } from '../condense/printable.ts'
import { ScrollbackError } from '../errors.ts'
import { readSmall } from '../io/source.ts'
import { REDACT_LEVELS } from '../redact/redact-settings.ts'
import { COMPRESSIONS } from '../sinks/http-compression.ts'
import { normalAddress } from '../sinks/index.ts'
import { holdLock } from '../store/sqlite/lock.ts'
import { type CollectAnswer, collectShape } from './collect-answer.ts'
import { repaired, verified } from './collect-archive.ts'
import { readConfiguration } from './collect-config.ts'
import { listing } from './collect-list.ts'
import { chosenDestination, deliverDry, deliverOnce } from './collect-run.ts'
import { serviceFile } from './collect-service.ts'
import { serviceFlags, serviceVariables } from './collect-service-flags.ts'
import { type CollectFlags, type CollectSettings, recordSettings, settingsFrom } from './collect-settings.ts'
import { parseLag, statusOf } from './collect-status.ts'
import { collectText } from './collect-text.ts'
import { deliverOn } from './collect-watch.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'

const input = z.object({
  destination: field.texts({
    description: 'file:<dir>, stdout:, https://…, otlp:https://…',
    positional: true,
  }),
  history: field.text({
    description: 'what a new destination gets of the past: all, none, or a span (30d)',
    placeholder: 'span',
  }),
  watch: field.flag({ description: 'stay, and deliver what is written as it is written' }),
  list: field.flag({ description: 'what is collected and what is not, and what of it is here' }),
  status: field.flag({ description: 'how far each destination is, and what waits' }),
  maxLag: field.text({
    description: 'with --status: exit code 3 where more waits (15m)',
    placeholder: 'span',
  }),
  dryRun: field.flag({ description: 'read, count and take out secrets, and deliver nothing' }),
  redeliver: field.flag({
    description: 'forget how far was delivered, and deliver everything again that is here',
  }),
  forget: field.text({
    description: 'drop a destination and all that is known of it; what lies there stays',
    placeholder: 'destination',
  }),
  verify: field.text({ description: 'check every bit of an archive', placeholder: 'dir' }),
  repair: field.text({ description: 'recover what is whole of a damaged archive', placeholder: 'dir' }),
  schema: field.flag({ description: 'the envelope of a record as JSON Schema' }),
  service: field.text({
    description: 'a file that keeps --watch running: systemd, launchd or windows',
    placeholder: 'kind',
  }),
  importState: field.text({
    description: 'go on where another collector stopped, by its state file',
    placeholder: 'file',
  }),
  config: field.text({ description: 'settings, in TOML or JSON', placeholder: 'file' }),
  state: field.text({ description: 'the file that says how far was delivered', placeholder: 'file' }),
  device: field.text({ description: 'what this machine is called in the records', placeholder: 'name' }),
  redact: field.choice(REDACT_LEVELS, {
    description: 'strict: also what only looks like a secret; off: none',
    placeholder: 'level',
  }),
  identities: field.flag({ description: 'take people out too: home, user names, e-mail, phone numbers' }),
  normalized: field.flag({ description: 'our reading of each record beside it' }),
  skip: field.text({
    description: "leave out records of these types, separated by commas: 'api-request*'",
    placeholder: 'types',
  }),
  maxRecords: field.count({ description: 'records of a batch at most (200)', placeholder: 'n' }),
  maxBytes: field.text({ description: 'bytes of a batch at most (5MB)', placeholder: 'size' }),
  recordLimit: field.text({ description: 'a larger record becomes a stub', placeholder: 'size' }),
  tokenEnv: field.text({ description: 'environment variable that holds the token', placeholder: 'name' }),
  tokenFile: field.text({ description: 'file that holds the token, yours alone', placeholder: 'file' }),
  compression: field.choice(COMPRESSIONS, {
    description: 'how requests are packed (zstd)',
    placeholder: 'kind',
  }),
})

type Input = z.output<typeof input>

export const collect = defineCommand({
  stays: true,
  name: 'collect',
  summary:
    'deliver what is new to a place of your choice: nothing lost, each record once by its id, no secrets',
  details:
    'Transcripts, the session index, jobs and their runs, memory and personality, as one JSON record each, to a directory (the default), a ' +
    'pipe or a server. It goes on where it stopped; what the destination has not acknowledged is sent again ' +
    'under the same id: an archive keeps it once, as does any place that keeps records by `id`.',
  examples: [
    {
      command: 'scrollback collect --history all',
      tells: 'an archive of everything, which the agents cannot clean up',
    },
    {
      command: 'scrollback collect file:/backup/agents --watch',
      tells: 'kept up to date, in a directory of your choice',
    },
    { command: 'scrollback collect --list', tells: 'what is collected, what is not, and why' },
    { command: 'scrollback collect stdout: --history 7d | jq .kind', tells: 'into a pipe' },
    {
      command: 'scrollback collect --forget https://old.example/collect',
      tells: 'a destination that is no more',
    },
    { command: 'scrollback collect --status --max-lag 15m', tells: 'for whoever watches over it' },
    { command: 'scrollback read --all --from ~/archive', tells: 'every command reads such an archive' },
  ],
  input,
  output: collectShape,
  run: (given: Input, context: Context) => answerOf(given, context),
  render: collectText,
  /** A pipe that gets records gets nothing else. */
  *json(answer) {
    if (answer.destinations?.some(({ url }) => url === 'stdout:')) return
    yield printableJson(`${JSON.stringify(answer, null, 2)}\n`)
  },
})

async function answerOf(given: Input, context: Context): Promise<CollectAnswer> {
  const configuration =
    given.config === undefined ? {} : readConfiguration(resolve(context.here, given.config))
  const settings = settingsFrom(given as CollectFlags, configuration, context)
  const base = { version: 1, state: settings.state } as const
  if (given.schema) return { ...base, schema: envelopeJsonSchema() }
  if (given.service !== undefined)
    return {
      ...base,
      service: serviceFile(
        given.service,
        context.started,
        serviceFlags(given, context),
        serviceVariables(context),
      ),
    }
  if (given.list) return { ...base, list: listing(context) }
  if (given.verify !== undefined)
    return { ...base, verified: verified(resolve(context.here, given.verify), context) }
  if (given.repair !== undefined)
    return { ...base, repaired: await repaired(resolve(context.here, given.repair), context) }
  const maxLag = given.maxLag ?? configuration.maxLag
  const state = openDeliveryState(settings.state)
  context.atEnd?.(() => state.close())
  if (given.status)
    return {
      ...base,
      status: statusOf(settings, state, maxLag === undefined ? undefined : parseLag(maxLag), context),
    }
  if (given.dryRun) return { ...base, dryRun: true, destinations: await deliverDry(settings, state, context) }
  const lock = holdLock(`${settings.state}.lock`)
  if (!lock)
    throw new ScrollbackError(
      'unreadable',
      `Another process is collecting with ${settings.state}.`,
      'Wait for it or end it. Another state, named with --state, delivers by itself.',
    )
  context.atEnd?.(() => lock.release())
  if (given.importState !== undefined)
    return {
      ...base,
      imported: await imported(resolve(context.here, given.importState), settings, state, context),
    }
  if (given.redeliver)
    for (const { url } of settings.destinations) {
      const row = state.destination(url)
      if (row) state.forget(row.id)
    }
  if (given.forget !== undefined) return { ...base, forgotten: forgotten(given.forget, state, context) }
  if (!given.watch)
    return { ...base, destinations: await deliverOnce(settings, stateFor(given, settings, state), context) }
  const { reload } = await deliverOn(settings, state, context)
  if (!reload || context.stop?.aborted) return { ...base, destinations: [] }
  context.note('Reading the settings again.')
  lock.release()
  return answerOf({ ...given, redeliver: false }, context)
}

/** A pipe that is filled once is not remembered, unless a state for it is named or it was filled so before. */
function stateFor(given: Input, { destinations }: CollectSettings, state: DeliveryState): DeliveryState {
  const isOnce = given.state === undefined && given.config === undefined
  const isPipe = destinations.every(({ url }) => url === 'stdout:')
  return isOnce && isPipe && !state.destination('stdout:') ? passingState(state) : state
}

/** Drops a destination, and says what it was called. */
function forgotten(name: string, state: DeliveryState, { environment, here }: Context): string {
  const known = state.destinations()
  const row =
    known.find(({ url }) => url === name) ??
    state.destination(normalAddress(name, { home: environment.home, directory: here }))
  if (!row)
    throw new ScrollbackError(
      'bad-option',
      `--forget ${storedAddress(name)}: nothing was delivered there.`,
      known.length === 0
        ? 'Nothing was delivered anywhere.'
        : `Known: ${known.map(({ url }) => url).join(', ')}`,
    )
  state.drop(row.id)
  return row.url
}

const STATE_LIMIT = 256 * 1024 * 1024

async function imported(
  path: string,
  settings: CollectSettings,
  state: DeliveryState,
  context: Context,
): Promise<NonNullable<CollectAnswer['imported']>> {
  const other = stateIn(parsedState(path))
  if (!other)
    throw new ScrollbackError(
      'bad-option',
      `--import-state ${path}: no state that I know`,
      'It has to be JSON: {"version":1,"sources":{"<tool>":{"files":{"<path>":{"offset":…}}}}}, {"files":{…}}, or {"<path>":<offset>}.',
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
