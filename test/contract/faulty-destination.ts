import type { Envelope } from '../../src/model/delivery.ts'
import { type Batch, type Refuse, recordsOf, type Sink, SinkError } from '../../src/sinks/sink.ts'

export const ANSWERS = [
  'takes it',
  'takes it',
  'takes it',
  'takes it',
  'takes it late',
  'takes it twice',
  'again',
  'takes it, and again',
  'takes half, and again',
  'too large',
  'rejected',
  'refuses one',
  'stop',
  'breaks',
  'takes half, and breaks',
] as const

export type Answer = (typeof ANSWERS)[number]

/** A destination that stores records by their id, and treats each batch as its script says. */
export function createFaultyDestination() {
  const records = new Map<string, Envelope>()
  /** Every record that arrived, in order. */
  const arrivals: Envelope[] = []
  const tooLarge = new Set<string>()
  let script: Answer[] = []
  let late: (() => void)[] = []

  function keep(batch: Batch, from = 0, to = batch.ids.length): void {
    for (const [index, bytes] of [...recordsOf(batch)].entries()) {
      if (index < from || index >= to) continue
      const envelope = JSON.parse(Buffer.from(bytes).toString()) as Envelope
      if (envelope.id !== batch.ids[index]) throw new Error('a record has the id of another')
      records.set(envelope.id, envelope)
      arrivals.push(envelope)
    }
  }

  const does: Record<Answer, (batch: Batch, refuse?: Refuse) => void | Promise<void>> = {
    'takes it': (batch) => keep(batch),
    async 'takes it late'(batch) {
      keep(batch)
      await new Promise<void>((resolve) => {
        late.push(resolve)
        setTimeout(resolve, 2)
      })
    },
    'takes it twice'(batch) {
      keep(batch)
      keep(batch)
    },
    again() {
      throw new SinkError('retry', 'again', { retryAfterMs: 1 })
    },
    'takes it, and again'(batch) {
      keep(batch)
      throw new SinkError('retry', 'its answer was lost')
    },
    'takes half, and again'(batch) {
      keep(batch, 0, batch.ids.length >> 1)
      throw new SinkError('retry', 'it broke off')
    },
    'too large'(batch) {
      for (const id of batch.ids) tooLarge.add(id)
      throw new SinkError('too-large', 'too large')
    },
    rejected() {
      throw new SinkError('rejected', 'one of them is at fault')
    },
    'refuses one'(batch, refuse) {
      keep(batch, 1)
      refuse?.(0, 'not this one')
    },
    stop() {
      throw new SinkError('stop', 'somebody has to mend it')
    },
    breaks() {
      throw new Error('a fault of the program')
    },
    'takes half, and breaks'(batch) {
      keep(batch, 0, batch.ids.length >> 1)
      throw new Error('a fault of the program')
    },
  }

  const sink: Sink = {
    name: 'faulty',
    window: 3,
    async write(batch, _stop, refuse) {
      const answer = script.shift() ?? 'takes it'
      if (answer !== 'takes it late') {
        const all = late
        late = []
        queueMicrotask(() => {
          for (const each of all) each()
        })
      }
      await does[answer](batch, refuse)
    },
  }
  return {
    sink,
    records,
    arrivals,
    tooLarge,
    follow(answers: readonly Answer[]): void {
      script = [...answers]
    },
  }
}

export type FaultyDestination = ReturnType<typeof createFaultyDestination>
