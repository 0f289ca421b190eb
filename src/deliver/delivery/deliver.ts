import { forgottenKey } from '../../model/artifact.ts'
import { createRedactor } from '../../redact/redactor.ts'
import type { Sink } from '../../sinks/sink.ts'
import { planDelivery, type Todo } from './backlog.ts'
import { createEnvelopes, idOf, redactorOptions, scopeOf } from './envelope.ts'
import type { Inventory, Source } from './inventory.ts'
import { createSender, type Part, recoverAnnounced, type SentCounts } from './send.ts'
import {
  createSkipped,
  type RecordSettings,
  type SliceCounts,
  type SliceResult,
  type SliceTask,
} from './slice.ts'
import { type Delivered, type DeliveryState, factsOf } from './state.ts'

interface DeliveryOptions {
  sink: Sink
  state: DeliveryState
  destination: number
  settings: RecordSettings
  prepare(task: SliceTask): Promise<SliceResult>
  /** Number of sources that are read at the same time. */
  concurrency: number
  nowMs(): number
  stop?: AbortSignal
  tries?: number
  random?: () => number
  /** Receives the number of bytes of finished sources. */
  progress?: { start(label: string, total: number): void; advance(bytes: number): void; stop(): void }
}

/** The result of one pass over all sources. */
export interface DeliveryReport extends SentCounts, SliceCounts {
  sources: number
  unchanged: number
  gone: number
  faults: { path: string; fault: string }[]
  /** Whether it was stopped before everything was delivered. */
  interrupted: boolean
}

export const nothingDelivered = (): DeliveryReport => ({
  records: 0,
  bytes: 0,
  batches: 0,
  stubs: 0,
  quarantined: 0,
  retries: 0,
  read: 0,
  passedOver: 0,
  forgotten: 0,
  skipped: {},
  malformed: 0,
  redactions: {},
  sources: 0,
  unchanged: 0,
  gone: 0,
  faults: [],
  interrupted: false,
})

/**
 * Delivers everything new to one destination. Throws the `SinkError` that ended the delivery; `report` then
 * contains what was acknowledged until then.
 */
export async function deliver(
  found: Inventory,
  options: DeliveryOptions,
  report: DeliveryReport = nothingDelivered(),
): Promise<DeliveryReport> {
  const { sink, state, destination, settings, nowMs, stop, progress } = options
  await sink.check?.(stop)
  await recoverAnnounced(options)
  const plan = planDelivery(found, state.checkpoints(destination))
  report.unchanged = plan.unchanged
  const forgotten = new Set(settings.forgotten)
  const isForgotten = ({
    platform,
    session,
    parent,
  }: Pick<Source, 'platform' | 'session' | 'parent'>): boolean =>
    [session, parent].some((id) => typeof id === 'string' && forgotten.has(forgottenKey(platform, id)))
  const sender = createSender({ ...options, limits: settings })
  progress?.start(
    `Delivering to ${sink.name}`,
    plan.todo.reduce((sum, each) => sum + costOf(each), 0),
  )
  let left = plan.todo.length
  try {
    const waiting = [...plan.todo]
    const work = async (): Promise<void> => {
      for (let each = waiting.shift(); each && !stop?.aborted; each = waiting.shift()) await one(each)
    }
    await settled(Array.from({ length: Math.max(1, options.concurrency) }, work))
    if (!stop?.aborted)
      for (const { key, delivered } of plan.gone) {
        if (isForgotten(delivered.facts)) continue
        await sender.take(gonePart(key, delivered, settings, nowMs()))
        report.gone++
      }
    report.interrupted = left > 0 || (stop?.aborted === true && plan.gone.length > 0)
    await sender.flush()
  } finally {
    await sender.end()
    progress?.stop()
    const { stubs, ...sent } = sender.counts
    Object.assign(report, sent)
    report.stubs += stubs
    if (report.read > 0)
      for (const pattern of settings.skip ?? [])
        if (!Object.keys(report.skipped).some(createSkipped([pattern]))) report.skipped[pattern] = 0
  }
  return report

  /** Reads a source slice by slice. */
  async function one({ source, key, checkpoint, from }: Todo): Promise<void> {
    let at = checkpoint
    let more = true
    while (more && !stop?.aborted) {
      const slice = await options.prepare({ source, checkpoint: at, settings, nowMs: nowMs() })
      if ('fault' in slice) {
        report.faults.push(slice)
        left--
        return
      }
      count(slice)
      const facts = factsOf(source)
      for (const chunk of slice.chunks) await sender.take({ ...chunk, key, facts, formerly: from })
      // Skipped records and changes of time alone also move the checkpoint.
      if (slice.chunks.length === 0)
        await sender.take({
          key,
          facts,
          next: slice.next,
          ids: [],
          lengths: [],
          bytes: NOTHING,
          formerly: from,
        })
      at = slice.next
      more = slice.more
    }
    if (more) return
    left--
    report.sources++
    progress?.advance(costOf({ source, key, checkpoint }))
  }

  function count({ read, passedOver, forgotten, skipped, malformed, stubs, redactions }: SliceCounts): void {
    report.read += read
    report.passedOver += passedOver
    report.forgotten += forgotten
    report.malformed += malformed
    report.stubs += stubs
    for (const [type, found] of Object.entries(skipped))
      report.skipped[type] = (report.skipped[type] ?? 0) + found
    for (const [kind, found] of Object.entries(redactions))
      report.redactions[kind] = (report.redactions[kind] ?? 0) + found
  }
}

const NOTHING = new Uint8Array()

/** Approximate number of bytes that will be read. */
const costOf = ({ source, checkpoint }: Todo): number =>
  Math.max(0, source.bytes - (source.row.mode === 'incremental' ? (checkpoint?.offset ?? 0) : 0))

/** Waits for all of them, then throws the error of the first that failed. */
async function settled(works: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(works)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** A part that reports a source as gone. What was delivered stays at the destination. */
function gonePart(
  key: string,
  { facts, checkpoint }: Delivered,
  settings: RecordSettings,
  nowMs: number,
): Part {
  const source = { ...facts, bytes: 0, modifiedMs: nowMs, identity: checkpoint.identity } as Source
  const { generation, line, offset, project = null } = checkpoint
  const id = idOf(scopeOf(source), 'gone', facts.path.split(/[\\/]/).at(-1)!, generation, line)
  const write = createEnvelopes(source, settings, createRedactor(redactorOptions(settings)))
  const raw = JSON.stringify({ kind: facts.row.kind, lines: line - 1, bytes: offset })
  const [head, tail] = write({
    id,
    atMs: nowMs,
    session: facts.session,
    project,
    line,
    offset,
    generation,
    redactions: 0,
    kind: 'artifact',
    state: 'gone',
  })
  const bytes = Buffer.from(head + raw + tail)
  return { key, facts, next: { ...checkpoint, gone: true }, bytes, ids: [id], lengths: [bytes.length] }
}
