import { expect, onTestFinished, test } from 'vitest'
import { packFrame } from '../../io/frames.ts'
import { type Batch, linesOf, type Sink, SinkError } from '../../sinks/sink.ts'
import { createSender, type Part, recoverAnnounced } from './send.ts'
import type { Checkpoint } from './slice.ts'
import { type Announced, type DeliveryState, openDeliveryState, type SourceFacts } from './state.ts'

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

test('the records of a source arrive in their order, and other sources do not wait', async () => {
  const written: string[] = []
  const sink: Sink = {
    name: 'any',
    window: 4,
    async write({ ids }) {
      // The first batch takes longest.
      for (let turns = ids.includes('a1') ? 20 : 1; turns > 0; turns--) await Promise.resolve()
      written.push(...ids)
    },
  }
  const state = { advance() {}, failed() {} } as unknown as DeliveryState
  const limits = { maxRecords: 1, maxBytes: 1e6 }
  const sender = createSender({ sink, state, destination: 1, limits, nowMs: () => 0 })
  for (const name of ['a1', 'b1', 'a2', 'b2', 'a3'])
    await sender.take({ ...partOf([name]), key: name.slice(0, 1) })
  await sender.flush()
  expect(written.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
  expect(written.filter((name) => name.startsWith('b'))).toEqual(['b1', 'b2'])
  expect(written[0]).toBe('b1')
})

test('the records of a source keep their order at a destination that has failed for a while', async () => {
  const written: string[] = []
  let fails = 2
  const sink: Sink = {
    name: 'any',
    window: 4,
    inOrder: true,
    async write({ ids }) {
      await Promise.resolve()
      if (fails-- > 0) throw new SinkError('retry', 'the disk is full')
      written.push(...ids)
    },
  }
  const state = { advance() {}, failed() {} } as unknown as DeliveryState
  const limits = { maxRecords: 1, maxBytes: 1e6 }
  // The second waits less than the first.
  const waits = [0.9, 0]
  const random = (): number => waits.shift() ?? 0
  const sender = createSender({ sink, state, destination: 1, limits, nowMs: () => 0, random })
  for (const name of ['a1', 'a2', 'a3', 'a4']) await sender.take({ ...partOf([name]), key: 'a' })
  await sender.flush()
  expect(written).toEqual(['a1', 'a2', 'a3', 'a4'])
})

test('what arrived of other sources counts when a batch fails for good, and nothing behind it', async () => {
  const sink: Sink = {
    name: 'any',
    window: 8,
    inOrder: true,
    async write({ ids: [name = ''] }) {
      // What is sent last takes longest.
      for (let turns = Number(name.slice(1)) * 10; turns > 0; turns--) await Promise.resolve()
      if (name === 'b1') throw new SinkError('stop', 'the disk is full')
    },
  }
  const counted: string[] = []
  const state = {
    advance: (_: number, advances: { key: string }[]) => counted.push(...advances.map(({ key }) => key)),
    failed() {},
  } as unknown as DeliveryState
  const limits = { maxRecords: 1, maxBytes: 1e6 }
  const sender = createSender({ sink, state, destination: 1, limits, nowMs: () => 0 })
  for (const name of ['b1', 'a2', 'b3', 'c4', 'a5'])
    await sender.take({ ...partOf([name]), key: name.slice(0, 1) })
  await expect(sender.flush()).rejects.toThrow('the disk is full')
  await sender.end()
  expect(counted).toEqual(['a', 'c', 'a'])
})

test('a record that is refused as a stub, too, is neither sent nor a stub, and a last attempt is no retry', async () => {
  const answers = ['too-large', 'too-large', 'retry', 'retry'] as const
  let asked = 0
  const sink: Sink = {
    name: 'any',
    window: 1,
    write: () => Promise.reject(new SinkError(answers[asked++]!, 'no')),
  }
  const state = { advance() {}, failed() {}, quarantine() {} } as unknown as DeliveryState
  const limits = { maxRecords: 1, maxBytes: 1e6 }
  const options = { sink, state, destination: 1, limits, nowMs: () => 0, tries: 2, random: () => 0 }
  const sender = createSender(options)
  const record = `${JSON.stringify({ path: 'p', line: 1, raw: { words: 'many' } })}\n`
  const part = { ...partOf(['a']), bytes: Buffer.from(record), lengths: [record.length] }
  await sender.take(part)
  await sender.flush()
  expect(sender.counts).toMatchObject({ records: 0, stubs: 0, quarantined: 1, retries: 0 })
  await sender.take(part)
  await expect(sender.flush()).rejects.toThrow('no')
  expect(sender.counts.retries).toBe(1)
})

/** A state with one destination. */
function oneDestination() {
  const state = openDeliveryState(':memory:')
  onTestFinished(() => state.close())
  return { state, destination: state.addDestination('file:moss', 'all', null, 0).id, nowMs: () => 0 }
}

const announcedOf = (position: string, ...sources: string[]): Announced => ({
  position,
  advances: sources.map((key) => ({
    key,
    facts: { path: key } as SourceFacts,
    checkpoint: { line: Number(position) } as Checkpoint,
  })),
  dropped: [],
  records: 1,
  bytes: 10,
})

/** An archive that has the batches of some positions. */
const archiveWith = (...positions: string[]): Sink => ({
  name: 'moss',
  window: 16,
  inOrder: true,
  has: async (position) => positions.includes(position),
  write: async () => {},
})

test('the checkpoints of what arrived before a kill move, and none past what did not arrive', async () => {
  const { state, destination, nowMs } = oneDestination()
  for (const [position, ...sources] of [
    ['1', 'fern', 'moss'],
    ['2', 'fern'],
    ['3', 'oak'],
    ['4', 'moss', 'oak'],
    ['5', 'fern'],
  ] as const)
    state.announce(destination, announcedOf(position, ...sources))
  await recoverAnnounced({ sink: archiveWith('1', '3', '4', '5'), state, destination, nowMs })
  const lines = [...state.checkpoints(destination)].map(([key, { checkpoint }]) => [key, checkpoint.line])
  expect(new Map(lines as [string, number][])).toEqual(
    new Map([
      ['fern', 1],
      ['moss', 4],
      ['oak', 4],
    ]),
  )
  expect(state.destination('file:moss')).toMatchObject({ records: 3, bytes: 30 })
  expect(state.announced(destination).size).toBe(0)
})

test('what was forgotten after a kill comes back with no batch that was announced', async () => {
  const { state, destination, nowMs } = oneDestination()
  state.announce(destination, announcedOf('1', 'fern'))
  state.erase(({ path }) => path === 'fern', '/home/ann')
  await recoverAnnounced({ sink: archiveWith('1'), state, destination, nowMs })
  expect(state.checkpoints(destination).size).toBe(0)
})

test('a batch that follows one of its source that was not announced is not announced either', async () => {
  const { state, destination, nowMs } = oneDestination()
  const waiting: Batch[] = []
  const limits = { maxRecords: 1, maxBytes: 1e6 }
  const sink: Sink = {
    ...archiveWith(),
    write: (batch) => {
      waiting.push(batch)
      return new Promise(() => {})
    },
  }
  const sender = createSender({ sink, state, destination, limits, nowMs })
  for (const [id, key] of [
    ['a', 'fern'],
    ['b', 'fern'],
    ['c', 'oak'],
    ['', ''],
  ] as const)
    await sender.take({ ...partOf([id]), key })
  const [a, b, c] = waiting
  b!.announce!('2')
  c!.announce!('3')
  expect([...state.announced(destination).values()].map(({ position }) => position)).toEqual(['3'])
  a!.announce!('4')
  b!.announce!('5')
  // Written again elsewhere.
  a!.announce!('6')
  expect([...state.announced(destination).values()].map(({ position }) => position)).toEqual(['3', '6', '5'])
})

test('what was announced is forgotten with the checkpoints of its destination, and with the destination', () => {
  const { state, destination } = oneDestination()
  state.announce(destination, announcedOf('1', 'fern'))
  state.forget(destination)
  expect(state.announced(destination).size).toBe(0)
  state.announce(destination, announcedOf('1', 'fern'))
  state.drop(destination)
  expect(state.announced(destination).size).toBe(0)
})
