import { expect, test } from 'vitest'
import { packFrame } from '../../io/frames.ts'
import { type Batch, linesOf, type Sink } from '../../sinks/sink.ts'
import { createSender, type Part } from './send.ts'
import type { Checkpoint } from './slice.ts'
import type { DeliveryState, SourceFacts } from './state.ts'

function partOf(names: readonly string[], framed = false): Part {
  const lines = names.map((name) => Buffer.from(`${name}\n`))
  const bytes = Buffer.concat(lines)
  return {
    key: names.join(),
    facts: {} as SourceFacts,
    next: {} as Checkpoint,
    bytes: framed ? packFrame(bytes, names.length) : bytes,
    framed,
    ids: names,
    lengths: lines.map(({ length }) => length),
  }
}

test('every acknowledged record was sent, whatever frame it came with', async () => {
  const written: Batch[] = []
  const sink: Sink = {
    name: 'any',
    window: 16,
    frames: true,
    write: async (batch) => void written.push(batch),
  }
  const state = { advance() {}, failed() {} } as unknown as DeliveryState
  const limits = { maxRecords: 200, maxBytes: 1e6 }
  const sender = createSender({ sink, state, destination: 1, limits, nowMs: () => 0 })
  const parts = [[], ['a', 'b'], ['c'], [], ['d'], ['e', 'f'], [], ['g']]
  for (const names of parts) await sender.take(partOf(names, names.length === 2))
  await sender.flush()
  for (const batch of written)
    expect(Buffer.from(linesOf(batch)).toString()).toBe(batch.ids.map((id) => `${id}\n`).join(''))
  expect(written.flatMap(({ ids }) => ids)).toEqual(parts.flat())
  expect(sender.counts.records).toBe(7)
})
