import { deliver } from '../collect/delivery/deliver.ts'
import { createLookout, type Lookout } from '../collect/delivery/lookout.ts'
import { noteFailure } from '../collect/delivery/note-failure.ts'
import { preparerHere } from '../collect/delivery/preparer.ts'
import { pause } from '../collect/delivery/retry.ts'
import type { DeliveryState, DestinationRow } from '../collect/delivery/state.ts'
import { storedAddress } from '../collect/delivery/stored-address.ts'
import { type Sink, SinkError } from '../sinks/sink.ts'
import { chosenDestination, openKnown, ownSettings, preparerFor } from './collect-run.ts'
import { type CollectSettings, type DestinationSettings, recordSettings } from './collect-settings.ts'
import type { Context } from './command.ts'
import { faultOf } from './index-job.ts'
import { counted, readableBytes } from './table.ts'

/** What stops a destination for good is tried again so often: somebody may have mended it. */
const STOPPED_MS = 300_000

/**
 * Delivers whatever is written, to each destination by itself, until it is stopped; then what was taken is acknowledged and left. Answers
 * true when the settings are to be read again.
 */
export async function deliverOn(
  settings: CollectSettings,
  state: DeliveryState,
  context: Context,
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
  const lookout = createLookout(context.environment, ending.signal)
  const folders = lookout.found().roots.filter(({ found }) => found)
  context.note(
    `Watching ${folders.map(({ path }) => path).join(', ') || 'for the first transcript'}. Ctrl-C ends it.`,
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
  lookout: Lookout
  context: Context
  stop: AbortSignal
}

async function keepOne(
  destination: DestinationSettings,
  row: DestinationRow,
  { settings, state, lookout, context, stop }: Keeping,
): Promise<void> {
  let sink: Sink | undefined
  let seen = 0
  /** Only what has much to read is worth other threads. */
  let preparer = preparerFor(lookout.found(), context)
  const told = new Set<string>()
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

  /** The same fault is told once, however often it is met. */
  function once(message: string): void {
    if (told.has(message)) return
    told.add(message)
    context.note(message, 'partly')
  }
}
