import * as z from 'zod/mini'
import { openDeliveryState } from '../collect/delivery/state.ts'
import { ScrollbackError } from '../errors.ts'
import { REDACT_LEVELS } from '../redact/settings.ts'
import { holdLock } from '../store/sqlite/lock.ts'
import { deliverOnce } from './collect-run.ts'
import { settingsFrom } from './collect-settings.ts'
import { defineCommand } from './command.ts'
import { field } from './fields.ts'
import { counted, homely, readableBytes } from './table.ts'

const count = () => z.number()

const output = () =>
  z.object({
    version: z.literal(1),
    state: z.string(),
    destinations: z.array(
      z.object({
        url: z.string(),
        error: z.nullable(z.string()),
        ...{ records: count(), bytes: count(), batches: count(), stubs: count(), quarantined: count() },
        ...{ retries: count(), read: count(), passedOver: count(), malformed: count() },
        ...{ sources: count(), unchanged: count(), gone: count() },
        redactions: z.record(z.string(), z.number()),
        faults: z.array(z.object({ path: z.string(), fault: z.string() })),
      }),
    ),
  })

export const collect = defineCommand({
  name: 'collect',
  summary: 'deliver what is new to a place of your choice: nothing lost, nothing twice, no secrets',
  details:
    'Transcripts, the session index, jobs and their runs, memory and personality, as one JSON record each, to a directory (the default), a ' +
    'pipe or a server. It goes on where it stopped; what the destination has not acknowledged is sent again.',
  examples: [
    {
      command: 'scrollback collect --history all',
      tells: 'an archive of everything, which the agents cannot clean up',
    },
    { command: 'scrollback collect file:/backup/agents', tells: 'the same in a directory of your choice' },
    { command: 'scrollback collect stdout: --history 7d | jq .kind', tells: 'into a pipe' },
  ],
  input: z.object({
    destination: field.texts({ description: 'file:<dir> or stdout:', positional: true }),
    history: field.text({
      description: 'what a new destination gets of the past: all, none, or a span (30d)',
      placeholder: 'span',
    }),
    state: field.text({ description: 'the file that says how far was delivered', placeholder: 'file' }),
    device: field.text({ description: 'what this machine is called in the records', placeholder: 'name' }),
    redact: field.choice(REDACT_LEVELS, {
      description: 'strict: also what only looks like a secret; off: none',
      placeholder: 'level',
    }),
    identities: field.flag({ description: 'take people out too: home, user names, e-mail, phone numbers' }),
    normalized: field.flag({ description: 'our reading of each record beside it' }),
    maxRecords: field.count({ description: 'records of a batch at most (200)', placeholder: 'n' }),
    maxBytes: field.text({ description: 'bytes of a batch at most (5MB)', placeholder: 'size' }),
    recordLimit: field.text({ description: 'a larger record becomes a stub', placeholder: 'size' }),
  }),
  output,
  async run(input, context): Promise<z.output<ReturnType<typeof output>>> {
    const settings = settingsFrom(input, context)
    const state = openDeliveryState(settings.state)
    const lock = holdLock(`${settings.state}.lock`)
    if (!lock) {
      state.close()
      throw new ScrollbackError(
        'unreadable',
        `Another process is collecting with ${settings.state}.`,
        'Wait for it or end it. Another state, named with --state, delivers by itself.',
      )
    }
    context.atEnd?.(() => {
      state.close()
      lock.release()
    })
    return { version: 1, state: settings.state, destinations: await deliverOnce(settings, state, context) }
  },
  *render({ destinations }, screen) {
    for (const each of destinations) {
      if (each.url === 'stdout:') continue
      const place = each.url.startsWith('file:') ? homely(each.url.slice(5), screen.home) : each.url
      yield each.records === 0
        ? `Nothing new for ${place}; ${counted(each.unchanged, 'source')} unchanged.\n`
        : `Delivered ${counted(each.records, 'record')} (${readableBytes(each.bytes)}) to ${place}; ${counted(each.unchanged, 'source')} unchanged.\n`
      yield* remarks(each)
    }
  },
})

/** What is worth knowing of a delivery beside how much it was. */
function* remarks(each: z.output<ReturnType<typeof output>>['destinations'][number]): Generator<string> {
  const secrets = Object.values(each.redactions).reduce((sum, one) => sum + one, 0)
  const told = [
    secrets > 0 ? `${counted(secrets, 'secret')} taken out` : '',
    each.passedOver > 0 ? `${counted(each.passedOver, 'record')} from before the history you chose` : '',
    each.stubs > 0 ? `${counted(each.stubs, 'record')} too large: sent as stubs` : '',
    each.malformed > 0 ? `${counted(each.malformed, 'line')} that are no JSON, sent as text` : '',
    each.quarantined > 0 ? `${counted(each.quarantined, 'record')} refused: see --status` : '',
    each.gone > 0 ? `${counted(each.gone, 'source')} gone since` : '',
  ].filter((one) => one !== '')
  if (told.length > 0) yield `  ${told.join('; ')}.\n`
}
