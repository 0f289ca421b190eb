import type { DeliveringContext, Dialog, Machine } from '../../context/context.ts'
import { faultOf, workerUrl } from '../../context/read-files.ts'
import { type DeliveryReport, deliver, nothingDelivered } from '../../deliver/delivery/deliver.ts'
import { type Inventory, inventory } from '../../deliver/delivery/inventory.ts'
import { type Preparer, preparerHere, preparerOnThreads } from '../../deliver/delivery/prepare.ts'
import { pause } from '../../deliver/delivery/retry.ts'
import { noteFailure } from '../../deliver/delivery/send.ts'
import { type DeliveryState, type DestinationRow, storedAddress } from '../../deliver/delivery/state.ts'
import { createLiveInventory, type LiveInventory } from '../../deliver/live-inventory.ts'
import { ScrollbackError } from '../../errors.ts'
import { keepHeapSmall } from '../../io/process.ts'
import { counted, readableBytes } from '../../render/table.ts'
import { exposesToken } from '../../sinks/http-request.ts'
import { openSink } from '../../sinks/index.ts'
import { type KnownSink, type Sink, SinkError } from '../../sinks/sink.ts'
import { type CollectSettings, type DestinationSettings, historyFrom, recordSettings } from './settings.ts'
import { sinkContext } from './sinks.ts'

/** The result of one destination. */
interface DestinationReport extends Omit<DeliveryReport, 'interrupted'> {
  url: string
  /** The error that ended delivery early. */
  error: string | null
}

/** Attempts per batch in a single run. */
const TRIES = 4
/** For fewer bytes, starting another thread takes longer than it saves. */
const WORTH_BYTES = 24 * 1024 * 1024

/** Requires a choice of how much of the past to deliver, once for each destination. There is no default. */
export async function chosenDestination(
  state: DeliveryState,
  { url, history }: DestinationSettings,
  context: DeliveringContext,
): Promise<DestinationRow> {
  const known = state.destination(url)
  if (known) return known
  const wanted = history ?? (await askHistory(url, context))
  if (wanted === undefined)
    throw new ScrollbackError(
      'bad-option',
      `${storedAddress(url)} is a new destination: how much of the past should it get?`,
      'Use --history all, --history none, or a span such as --history 30d. You are asked only once.',
    )
  return state.addDestination(url, wanted, historyFrom(wanted, context.now), context.now)
}

async function askHistory(url: string, { choose }: Dialog): Promise<string | undefined> {
  const options = [
    { label: 'all', hint: 'everything on this machine' },
    { label: '30d', hint: 'the last thirty days' },
    { label: 'none', hint: 'only what is written from now on' },
  ]
  const picked = await choose?.(`How much of the past should ${storedAddress(url)} get?`, options)
  return picked === undefined ? undefined : options[picked]!.label
}

/** Delivers once to every destination, in parallel: a slow one does not delay the others. */
export async function deliverOnce(
  settings: CollectSettings,
  state: DeliveryState,
  context: DeliveringContext,
): Promise<DestinationReport[]> {
  keepHeapSmall()
  const rows: DestinationRow[] = []
  for (const destination of settings.destinations)
    rows.push(await chosenDestination(state, destination, context))
  const found = inventory(context.environment)
  for (const { path, message } of found.notices) context.note(`${path}: ${message}`, 'partly')
  const preparer = preparerFor(found, context)
  try {
    return await Promise.all(
      settings.destinations.map((destination, index) =>
        toOne(destination, rows[index]!, { settings, state, found, preparer, context }),
      ),
    )
  } finally {
    await preparer.close()
  }
}

function preparerFor(found: Inventory, { threads }: Machine): Preparer {
  const bytes = found.sources.reduce((sum, source) => sum + source.bytes, 0)
  if (threads < 2 || bytes < WORTH_BYTES) return preparerHere(faultOf)
  return preparerOnThreads(workerUrl(), threads)
}

/** Computes what a run would deliver. Nothing is sent, and no checkpoint moves. */
export async function deliverDry(
  settings: CollectSettings,
  state: DeliveryState,
  context: DeliveringContext,
): Promise<DestinationReport[]> {
  const found = inventory(context.environment)
  for (const { path, message } of found.notices) context.note(`${path}: ${message}`, 'partly')
  const preparer = preparerFor(found, context)
  const reports: DestinationReport[] = []
  try {
    for (const destination of settings.destinations) {
      const row = state.destination(destination.url)
      const history = destination.history ?? 'all'
      const own = {
        historyFromMs: row ? row.historyFromMs : historyFrom(history, context.now),
        recordLimit: destination.recordLimit,
      }
      const report = await deliver(found, {
        sink: { name: destination.url, window: 1, write: async () => {} },
        state: {
          ...state,
          advance: () => {},
          checkpoints: () => (row ? state.checkpoints(row.id) : new Map()),
        },
        destination: row?.id ?? 0,
        settings: recordSettings(settings, destination, own, context),
        prepare: preparer.prepare,
        concurrency: preparer.concurrency,
        nowMs: Date.now,
        stop: context.stop,
        progress: context.progress,
      })
      reports.push(outcomeOf(destination, report, found, context))
    }
    return reports
  } finally {
    await preparer.close()
  }
}

interface Pass {
  settings: CollectSettings
  state: DeliveryState
  found: Inventory
  preparer: Preparer
  context: DeliveringContext
}

async function toOne(
  destination: DestinationSettings,
  row: DestinationRow,
  { settings, state, found, preparer, context }: Pass,
): Promise<DestinationReport> {
  const report = nothingDelivered()
  let sink: Sink | undefined
  try {
    sink = await openKnown(destination, row, state, context)
    await deliver(
      found,
      {
        sink,
        state,
        destination: row.id,
        tries: TRIES,
        settings: recordSettings(settings, destination, ownSettings(row, sink, state), context),
        prepare: preparer.prepare,
        concurrency: preparer.concurrency,
        nowMs: Date.now,
        stop: context.stop,
        progress: settings.destinations.length === 1 ? context.progress : undefined,
      },
      report,
    )
    return outcomeOf(destination, report, found, context)
  } catch (error) {
    // If the state is on the full disk, the report is still printed.
    const isReported = error instanceof SinkError || (error instanceof ScrollbackError && sink !== undefined)
    if (!isReported) throw error
    if (error instanceof SinkError) {
      if (error.fault === 'closed') return outcomeOf(destination, report, found, context)
      noteFailure(state, row.id, error.message, false)
    }
    context.note(`${error.message}${error.wayOut ? ` ${error.wayOut}` : ''}`, 'partly')
    return { ...outcomeOf(destination, report, found, context), error: error.message }
  } finally {
    for (const { path, fault } of report.faults) context.note(`${path} ${fault}`, 'partly')
    await sink?.close?.()
  }
}

/** The report of a destination that got everything, unless it refused records or the delivery was stopped. */
function outcomeOf(
  { url }: DestinationSettings,
  { interrupted, ...report }: DeliveryReport,
  { notices }: Inventory,
  context: DeliveringContext,
): DestinationReport {
  const address = storedAddress(url)
  if (report.quarantined > 0) context.note(refusedText(report.quarantined, address, context), 'partly')
  if (interrupted) context.note(`${address}: stopped. The next run delivers the rest.`, 'partly')
  return {
    ...{ url: address, error: interrupted ? 'stopped before everything was delivered' : null, ...report },
    faults: [...notices.map(({ path, message }) => ({ path, fault: message })), ...report.faults],
  }
}

const refusedText = (records: number, address: string, { suggest }: DeliveringContext): string =>
  `${address} refused ${counted(records, 'record')}. To see which: ${suggest('collect', ['status'])}`

/**
 * Opens a destination as the archive that records were delivered to before, remembers its id, and reports
 * damage in it.
 */
async function openKnown(
  destination: DestinationSettings,
  row: DestinationRow,
  state: DeliveryState,
  context: DeliveringContext,
): Promise<Sink> {
  const known = state.destination(row.url) ?? row
  const { url, tokenEnv, tokenFile } = destination
  if ((tokenEnv !== undefined || tokenFile !== undefined) && exposesToken(url))
    context.note(
      `${new URL(url).host}: not encrypted, so others can read the token and the records. Use https, or a tunnel.`,
    )
  const sink = await openSink(
    destination.url,
    { ...destination, known: knownOf(known) },
    sinkContext(context),
  )
  for (const note of sink.notes ?? []) context.note(note, 'partly')
  const archive = sink.archive?.()
  if (archive) state.know(row.id, archive)
  return sink
}

/** What a destination must still be. Undefined if nothing was delivered to it yet. */
export const knownOf = ({ archive, position, records }: DestinationRow): KnownSink | undefined =>
  archive === null && records === 0
    ? undefined
    : { id: archive ?? undefined, position: position ?? undefined }

const ownSettings = ({ historyFromMs }: DestinationRow, sink: Sink, state: DeliveryState) => ({
  historyFromMs,
  recordLimit: sink.recordLimit,
  frames: sink.frames,
  forgotten: sink.forgotten,
  random: { tagKey: state.tagKey(), installation: state.installation() },
})

/** How often a failed destination is retried, because it may have been repaired. */
const STOPPED_MS = 300_000

/**
 * Delivers new records to each destination independently until it is stopped. Then it waits for open batches
 * to be acknowledged. Returns true if the settings must be read again.
 */
export async function deliverOn(
  settings: CollectSettings,
  state: DeliveryState,
  context: DeliveringContext,
): Promise<{ reload: boolean }> {
  const rows: DestinationRow[] = []
  for (const destination of settings.destinations)
    rows.push(await chosenDestination(state, destination, context))
  const ending = new AbortController()
  let reload = false
  const forget = context.onReload?.(() => {
    reload = true
    ending.abort()
  })
  const stopped = (): void => ending.abort()
  context.stop?.addEventListener('abort', stopped, { once: true })
  if (context.stop?.aborted) ending.abort()
  const lookout = createLiveInventory(context.environment, ending.signal)
  const folders = lookout.found().roots.filter(({ found }) => found)
  context.note(
    `Watching ${folders.map(({ path }) => path).join(', ') || 'for the first transcript'}. Press Ctrl-C to stop.`,
  )
  try {
    await Promise.all(
      settings.destinations.map((destination, index) =>
        deliverToOne(destination, rows[index]!, { settings, state, lookout, context, stop: ending.signal }),
      ),
    )
    return { reload }
  } finally {
    lookout.close()
    forget?.()
    context.stop?.removeEventListener('abort', stopped)
  }
}

interface Delivering {
  settings: CollectSettings
  state: DeliveryState
  lookout: LiveInventory
  context: DeliveringContext
  stop: AbortSignal
}

async function deliverToOne(
  destination: DestinationSettings,
  row: DestinationRow,
  { settings, state, lookout, context, stop }: Delivering,
): Promise<void> {
  let sink: Sink | undefined
  let seen = 0
  /** Other threads are only worth it if there is much to read. */
  let preparer = preparerFor(lookout.found(), context)
  const reported = new Set<string>()
  try {
    while (!stop.aborted) {
      const version = await lookout.changed(seen)
      if (stop.aborted) break
      try {
        sink ??= await openKnown(destination, row, state, context)
        const own = ownSettings(row, sink, state)
        const report = await deliver(lookout.found(), {
          sink,
          state,
          destination: row.id,
          nowMs: Date.now,
          stop,
          settings: recordSettings(settings, destination, own, context),
          prepare: preparer.prepare,
          concurrency: preparer.concurrency,
        })
        seen = version
        for (const { path, fault } of report.faults) once(`${path} ${fault}`)
        if (report.quarantined > 0)
          once(refusedText(report.quarantined, storedAddress(destination.url), context))
        if (report.records > 0)
          context.note(
            `${new Date().toISOString()} ${counted(report.records, 'record')}, ${readableBytes(report.bytes)} to ${storedAddress(destination.url)}`,
          )
        await preparer.close()
        preparer = preparerHere(faultOf)
      } catch (error) {
        if (!(error instanceof SinkError)) throw error
        if (error.fault === 'closed') return
        await sink?.close?.()
        sink = undefined
        if (stop.aborted) break
        noteFailure(state, row.id, error.message, false)
        once(`${error.message}${error.wayOut ? ` ${error.wayOut}` : ''}`)
        await pause(STOPPED_MS, stop)
      }
    }
  } finally {
    await preparer.close()
    await sink?.close?.()
  }

  /** Reports a fault once, however often it occurs. */
  function once(message: string): void {
    if (reported.has(message)) return
    reported.add(message)
    context.note(message, 'partly')
  }
}
