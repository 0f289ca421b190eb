import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createIntake, KnownRecords } from '../../src/deliver/receive/intake.ts'
import { segmentsIn } from '../../src/io/archive/segments.ts'
import { createFileSink } from '../../src/sinks/file.ts'
import { createHttpSink } from '../../src/sinks/http.ts'
import { createStdoutSink } from '../../src/sinks/index.ts'
import { createOtlpSink } from '../../src/sinks/otlp.ts'
import type { Sink } from '../../src/sinks/sink.ts'
import { startReceiver } from '../../src/surfaces/http/receiver.ts'
import { linesIn } from '../deliveries.ts'
import { batchOf, batchOfNumbers, envelope, idOfNumber } from '../envelopes.ts'
import { readLogs } from '../otlp-reader.ts'
import { sharedHome } from '../records.ts'
import { scriptedServer } from '../scripted-server.ts'

const top = sharedHome()
let folders = 0
const token = 'a-token-of-the-tests'

/** What a destination received, record by record, with `raw` as text. */
type Stored = { id: string; raw: string }[]

interface Subject extends AsyncDisposable {
  sink: Sink
  stored(): Stored
}

const recordsOf = (text: string): Stored =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({
      id: line.slice(13, 45),
      raw: line.slice(line.indexOf('"raw":') + 6, line.lastIndexOf(',"redactions"')),
    }))

const inFolder = (folder: string): Stored =>
  segmentsIn(folder).flatMap((path) => recordsOf(linesIn(path).join('\n')))

const fileSink = (folder: string): Promise<Sink> =>
  createFileSink({ folder, nowMs: Date.now, lock: () => ({ release() {} }) })

const overHttp = (address: string) => ({
  address,
  tokenEnv: 'TOKEN',
  variables: { TOKEN: token },
  nowMs: Date.now,
})

const subjects: Record<string, () => Promise<Subject>> = {
  async file() {
    const folder = join(top, String(++folders))
    const sink = await fileSink(folder)
    return { sink, stored: () => inFolder(folder), async [Symbol.asyncDispose]() {} }
  },
  async stdout() {
    let text = ''
    const sink = createStdoutSink(async (bytes) => {
      text += Buffer.from(bytes).toString('utf8')
    })
    return { sink, stored: () => recordsOf(text), async [Symbol.asyncDispose]() {} }
  },
  async 'http to another server'() {
    const server = await scriptedServer((_, response) => response.end())
    const stored = (): Stored => server.seen.flatMap(({ body }) => recordsOf(body.toString('utf8')))
    return {
      sink: createHttpSink(overHttp(server.address)),
      stored,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  },
  async 'http to our own receiver'() {
    const folder = join(top, String(++folders))
    const file = await fileSink(folder)
    const intake = createIntake({ sink: file, known: new KnownRecords(), maxRecord: 2 ** 21 })
    const receiver = await startReceiver({
      host: '127.0.0.1',
      port: 0,
      token,
      names: [],
      maxBody: 2 ** 24,
      take: async (body, packed) => ({ answer: await intake.take(body, packed), partly: false }),
      fault: (message) => expect.unreachable(message),
    })
    return {
      sink: createHttpSink(overHttp(`http://127.0.0.1:${receiver.port}`)),
      stored: () => inFolder(folder),
      async [Symbol.asyncDispose]() {
        await receiver.close()
        await file.close?.()
      },
    }
  },
  async otlp() {
    const server = await scriptedServer((_, response) => response.end())
    const stored = (): Stored =>
      server.seen.flatMap(({ body }) =>
        readLogs(body).map(({ attributes, body: text }) => ({
          id: String(attributes['scrollback.id']),
          raw: String(text),
        })),
      )
    return {
      sink: createOtlpSink(overHttp(server.address)),
      stored,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  },
}

const idsOf = (stored: Stored): string[] => [...new Set(stored.map(({ id }) => id))].sort()
const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => idOfNumber(from + index)).sort()

/** Raw records, as JSON, that a component on the way may not handle. */
const HOSTILE = [
  JSON.stringify({ text: 'a\u2028b\u2029c\u0085d' }),
  JSON.stringify({ text: 'nothing \0 and \u0007 bell' }),
  '{"half":"\\ud800","other half":"\\udc00x"}',
  JSON.stringify({ text: '🦀'.repeat(1000), '': { '': null } }),
  JSON.stringify({ text: 'x'.repeat(900_000) }),
  '{"large":1e300,"beyond":9007199254740993,"minus":-0,"__proto__":{"a":1}}',
  '[[[]]]',
  '"only a text\\r\\n"',
  'null',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
]

describe.each(Object.keys(subjects))('a sink: %s', (name) => {
  const opened = (): Promise<Subject> => subjects[name]!()

  it('has stored the records when a write resolves', async () => {
    await using subject = await opened()
    for (let from = 0; from < 30; from += 10) {
      await subject.sink.write(batchOfNumbers(from, from + 10))
      expect(idsOf(subject.stored())).toEqual(numbered(0, from + 10))
    }
    await subject.sink.close?.()
    expect(idsOf(subject.stored())).toEqual(numbered(0, 30))
  })

  it('accepts a batch twice, and another that overlaps with it', async () => {
    await using subject = await opened()
    await subject.sink.write(batchOfNumbers(0, 10))
    await subject.sink.write(batchOfNumbers(0, 10))
    await subject.sink.write(batchOfNumbers(5, 15))
    await subject.sink.close?.()
    expect(idsOf(subject.stored())).toEqual(numbered(0, 15))
  })

  it('accepts as many batches at a time as it declares', async () => {
    await using subject = await opened()
    const { sink } = subject
    const batches = Array.from({ length: sink.window * 3 }, (_, index) =>
      batchOfNumbers(index * 5, index * 5 + 5),
    )
    const under = batches.splice(0, sink.window).map((batch) => sink.write(batch))
    await Promise.all(under)
    await Promise.all(batches.map((batch) => sink.write(batch)))
    await sink.close?.()
    expect(idsOf(subject.stored())).toEqual(numbered(0, sink.window * 15))
  })

  it('returns hostile records unchanged', async () => {
    await using subject = await opened()
    await subject.sink.write(batchOf(HOSTILE.map((raw, number) => envelope(number, raw))))
    await subject.sink.close?.()
    const stored = new Map(subject.stored().map(({ id, raw }) => [id, raw]))
    for (const [number, raw] of HOSTILE.entries())
      expect(stored.get(idOfNumber(number)) === raw, raw.slice(0, 80)).toBe(true)
  })

  it('accepts ten thousand records at a time', async () => {
    await using subject = await opened()
    await subject.sink.write(batchOfNumbers(0, 10_000))
    await subject.sink.close?.()
    expect(idsOf(subject.stored())).toEqual(numbered(0, 10_000))
  })

  it('has a name without the token', async () => {
    await using subject = await opened()
    expect(subject.sink.name).not.toContain(token)
    await subject.sink.close?.()
  })
})
