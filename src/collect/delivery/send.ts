import type { Batch } from '../../sinks/sink.ts'
import { type Arrived, type AttemptOptions, createAttempts, type SentCounts } from './attempt.ts'
import { combine, createGathering, type Part } from './batch.ts'
import type { RecordSettings } from './slice.ts'
import type { Advance } from './state/state.ts'

export type SenderOptions = Omit<AttemptOptions, 'checkFault' | 'count'> & {
  limits: Pick<RecordSettings, 'maxRecords' | 'maxBytes'>
}

/** A batch that was sent. `arrived` is set once it is durable. */
interface Flight {
  parts: Part[]
  arrived?: Arrived
}

/**
 * Combines parts into batches, in order, and sends as many at a time as the destination accepts. A checkpoint
 * only moves after its records were acknowledged, and never past records that were not. After an error
 * nothing more is accepted: `take` and `flush` throw it.
 */
export function createSender({ limits, ...options }: SenderOptions) {
  const { sink, state, destination, nowMs } = options
  const counts: SentCounts = { records: 0, bytes: 0, batches: 0, stubs: 0, quarantined: 0, retries: 0 }
  const flights: Flight[] = []
  const gathering = createGathering(limits)
  let fault: unknown
  let waiting: (() => void)[] = []
  const checkFault = (): void => {
    if (fault !== undefined) throw fault
  }
  const deliver = createAttempts({
    ...options,
    checkFault,
    count(more) {
      for (const [name, number] of Object.entries(more)) counts[name as keyof SentCounts] += number
    },
  })

  return {
    counts,
    /** Resolves when there is room for more. */
    async take(part: Part): Promise<void> {
      checkFault()
      if (!gathering.hasRoomFor(part)) send(gathering.take())
      gathering.add(part)
      await until(() => flights.length < sink.window)
    },
    /** Resolves when everything taken is durable. */
    async flush(): Promise<void> {
      if (!gathering.isEmpty()) send(gathering.take())
      await until(() => flights.length === 0)
      checkFault()
    },
  }

  async function until(condition: () => boolean): Promise<void> {
    while (fault === undefined && !condition()) await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function send(parts: Part[]): void {
    const flight: Flight = { parts }
    flights.push(flight)
    const batch: Batch = combine(parts)
    const nothing = { records: 0, bytes: 0, stubs: 0 }
    const work = batch.ids.length === 0 ? Promise.resolve(nothing) : deliver(batch)
    work.then((arrived) => {
      flight.arrived = arrived
      settle()
    }, fail)
  }

  /** Moves the checkpoints of all parts up to the first that was not acknowledged. */
  function settle(): void {
    try {
      for (let [first] = flights; first?.arrived; [first] = flights) {
        advance(first.parts, first.arrived)
        flights.shift()
      }
    } catch (error) {
      fail(error)
    }
    wakeAll()
  }

  function advance(parts: readonly Part[], arrived: Arrived): void {
    const latest = new Map(parts.map((part) => [part.key, part]))
    const advances: Advance[] = [...latest.values()].map(({ key, facts, next }) => ({
      ...{ key, facts, checkpoint: next },
    }))
    const dropped = parts.flatMap(({ formerly }) => formerly ?? [])
    state.advance(destination, advances, { ...arrived, nowMs: nowMs(), archive: sink.archive?.() }, dropped)
  }

  function fail(error: unknown): void {
    fault ??= error
    flights.length = 0
    wakeAll()
  }

  function wakeAll(): void {
    const all = waiting
    waiting = []
    for (const wake of all) wake()
  }
}
