import { deliver } from '../../collect/delivery/deliver.ts'
import { noteFailure } from '../../collect/delivery/note-failure.ts'
import { preparerHere } from '../../collect/delivery/records/preparer.ts'
import { pause } from '../../collect/delivery/retry.ts'
import type { DeliveryState, DestinationRow } from '../../collect/delivery/state/state.ts'
import { storedAddress } from '../../collect/delivery/state/stored-address.ts'
import { createLiveInventory, type LiveInventory } from '../../collect/follow/live-inventory.ts'
import { counted } from '../../render/counted.ts'
import { readableBytes } from '../../render/table.ts'
import { type Sink, SinkError } from '../../sinks/sink.ts'
import type { DeliveringContext } from '../kit/context.ts'
import { faultOf } from '../kit/read-files.ts'
import { chosenDestination, openKnown, ownSettings, preparerFor } from './run.ts'
import { type CollectSettings, type DestinationSettings, recordSettings } from './settings.ts'

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
        keepOne(destination, rows[index]!, { settings, state, lookout, context, stop: ending.signal }),
      ),
    )
    return { reload }
  } finally {
    lookout.close()
    forget?.()
    context.stop?.removeEventListener('abort', stopped)
  }
}

interface Keeping {
  settings: CollectSettings
  state: DeliveryState
  lookout: LiveInventory
  context: DeliveringContext
  stop: AbortSignal
}

async function keepOne(
  destination: DestinationSettings,
  row: DestinationRow,
  { settings, state, lookout, context, stop }: Keeping,
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
          ...{ sink, state, destination: row.id, nowMs: Date.now, stop },
          settings: recordSettings(settings, destination, own, context),
          ...{ prepare: preparer.prepare, concurrency: preparer.concurrency },
        })
        seen = version
        for (const { path, fault } of report.faults) once(`${path} ${fault}`)
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
