import { setTimeout as delay } from 'node:timers/promises'
import type { DeliveringContext } from '../../context/context.ts'
import { synced } from '../../context/fresh-store.ts'
import { type DeliveryReport, nothingDelivered } from '../../deliver/delivery/deliver.ts'
import { createLiveInventory } from '../../deliver/live-inventory.ts'
import { ScrollbackError } from '../../errors.ts'
import { keepHeapSmall } from '../../io/process.ts'
import { OWN_MEMORY } from '../../model/artifact.ts'
import { finish } from '../../model/iteration.ts'
import { counted, readableBytes } from '../../render/table.ts'
import { asOnlyWriter, type Store } from '../../store/store.ts'
import type { TeamStore } from '../../store/team.ts'
import { cleanStore } from '../../sync/clean-store.ts'
import { forgottenTest, isForgottenArtifact } from '../../sync/forgotten.ts'
import { openDeviceStore, storeAddress } from '../store/team-store.ts'

/** How long to wait for a server that cannot be reached, in ms. */
const RETRY_MS = 30_000

interface TeamStoreOptions {
  /** `clickhouse://user@host/database`. */
  address: string
  /** The name of this machine in the store. */
  device?: string
  /** Continue until the process is stopped. */
  watch: boolean
  /** Read every transcript again. */
  rebuild: boolean
}

/** What a team store got. */
interface TeamStoreReport extends DeliveryReport {
  url: string
  error: null
}

/**
 * Brings a team store up to date with this machine, as `index` does with the store of the machine itself:
 * only what is new is read, secrets are redacted, and a repeated write changes nothing. Sessions that were
 * forgotten here are erased there. Throws a `ScrollbackError` if the server cannot be reached or refuses, but
 * waits for it with `watch` once it has answered.
 */
export async function fillTeamStore(
  { address, device, watch, rebuild }: TeamStoreOptions,
  context: DeliveringContext,
): Promise<TeamStoreReport> {
  const { password, passwordFile } = {
    password: context.storePasswords?.to,
    passwordFile: context.globalFlags?.storePasswordFile,
  }
  const server = storeAddress(address, { password, passwordFile }, 'collect')
  // Before its connection starts a thread.
  keepHeapSmall()
  const opened = openDeviceStore(server, device ?? context.machine.device, context)
  const store: TeamStore = { ...opened, ...cleanStore(opened) }
  const report: TeamStoreReport = { url: `clickhouse://${store.path}`, error: null, ...nothingDelivered() }
  try {
    fill(store, context, report, rebuild)
    if (watch) await follow(store, context, report)
  } finally {
    store.close()
  }
  return report
}

function fill(store: TeamStore, given: DeliveringContext, report: TeamStoreReport, rebuild = false): number {
  const context = { ...given, environment: { ...given.environment, leftOut: store.team.leftOut() } }
  const before = store.team.added()
  eraseForgotten(store, context)
  const found = finish(synced(store, { ...context, fresh: undefined }, { words: true, rebuild, patience: 0 }))
  if (found.obstacle === 'busy')
    throw new ScrollbackError(
      'unreadable',
      `Another process is already writing to ${report.url} for this machine.`,
      'Wait until it ends, or stop it.',
    )
  const fresh = store.team.added() - before
  report.records += fresh
  report.bytes += found.bytes
  report.read += found.bytes
  report.sources += found.read
  report.unchanged = found.unchanged
  report.gone += found.gone
  report.faults = found.faults
  return fresh
}

/** What was forgotten, on this machine or in the team store, is erased from what this machine has written. */
function eraseForgotten(store: Store, { environment }: DeliveringContext): void {
  const isForgotten = forgottenTest(environment)
  if (!isForgotten) return
  const ids = [...store.known().values()]
    .filter(({ artifact }) =>
      artifact.kind === 'memory'
        ? isForgotten(artifact.platform, OWN_MEMORY)
        : isForgottenArtifact(artifact, isForgotten),
    )
    .map(({ id }) => id)
  if (ids.length === 0) return
  asOnlyWriter(store, () => store.erase(ids))
}

/** Writes whatever changes, until it is stopped. A server that is away is asked again. */
async function follow(store: TeamStore, context: DeliveringContext, report: TeamStoreReport): Promise<void> {
  const { environment, stop = new AbortController().signal } = context
  const lookout = createLiveInventory(environment, stop)
  const timed = (): string => new Date().toISOString()
  context.note(`Writing to ${report.url} as transcripts grow. Ctrl-C ends it.`)
  try {
    for (let seen = 0; !stop.aborted; ) {
      const version = await lookout.changed(seen)
      if (stop.aborted) break
      try {
        const current = { ...context, now: Date.now(), progress: undefined }
        const bytes = report.bytes
        const fresh = fill(store, current, report)
        seen = version
        if (report.bytes > bytes)
          context.note(`${timed()} ${counted(fresh, 'message')}, ${readableBytes(report.bytes - bytes)} read`)
      } catch (error) {
        if (!(error instanceof ScrollbackError) || error.code !== 'store-unreachable') throw error
        context.note(`${timed()} ${error.message}`)
        await delay(RETRY_MS, undefined, { signal: stop }).catch(() => {})
      }
    }
  } finally {
    lookout.close()
  }
}
