import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  createIntake,
  formOf,
  KnownRecords,
  type ReceivedAnswer,
  readKnownRecords,
  TooLarge,
} from '../../src/deliver/receive/intake.ts'
import { createFileSink } from '../../src/sinks/file.ts'
import { type Batch, linesOf, packedOf, type Sink, SinkError } from '../../src/sinks/sink.ts'
import { startReceiver } from '../../src/surfaces/http/receiver.ts'
import { envelope, idOfNumber } from '../envelopes.ts'
import { sharedHome } from '../records.ts'

const top = sharedHome()
const token = 'a-token-of-the-tests'
const MAX_BODY = 100_000

/** A sink whose writes end when the test allows it. */
function heldSink() {
  const written: Batch[] = []
  const waiting: { resolve(): void; reject(error: unknown): void }[] = []
  const sink: Sink = {
    name: 'held',
    window: 16,
    write: (batch) => {
      written.push(batch)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
  }
  return { sink, written, waiting }
}

const freeSink = (written: Batch[] = []): Sink => ({
  name: 'free',
  window: 16,
  async write(batch) {
    written.push(batch)
  },
})

async function receiver(sink: Sink = freeSink(), names: string[] = []) {
  const intake = createIntake({ sink, known: new KnownRecords(), maxRecord: 10_000, maxRecords: 200 })
  const faults: string[] = []
  let taken = 0
  const { port, close } = await startReceiver({
    host: '127.0.0.1',
    port: 0,
    token,
    names,
    maxBody: MAX_BODY,
    fault: (message) => faults.push(message),
    async take(body, packed) {
      taken++
      try {
        const answer = await intake.take(body, packed)
        return { answer, partly: answer.rejected.length > 0 }
      } catch (error) {
        if (error instanceof TooLarge) return 'too-large'
        throw error
      }
    },
  })
  return { port, faults, taken: () => taken, close, [Symbol.asyncDispose]: close }
}

interface Answered {
  status: number
  headers: IncomingHttpHeaders
  body: ReceivedAnswer & { error?: string }
}

const SOUND = { 'content-type': 'application/x-ndjson', authorization: `Bearer ${token}` }

/** Sends requests that no well-behaved client would send. */
function send(
  port: number,
  body: string | Buffer,
  headers: Record<string, string | undefined> = {},
  path = '/v1/records',
  method = 'POST',
): Promise<Answered> {
  const given = Object.entries({ ...SOUND, ...headers }).filter((pair): pair is [string, string] => !!pair[1])
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: Object.fromEntries(given) })
    sent.on('error', reject)
    sent.on('response', async (response) => {
      const pieces: Buffer[] = []
      for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece)
      const { statusCode: status = 0, headers } = response
      resolve({ status, headers, body: JSON.parse(Buffer.concat(pieces).toString()) as Answered['body'] })
    })
    sent.end(body)
  })
}

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => envelope(from + index)).join('')

describe('access to the receiver', () => {
  it('requires the token', async () => {
    await using server = await receiver()
    expect((await send(server.port, lines(0, 1))).status).toBe(200)
    for (const authorization of [
      undefined,
      'Bearer',
      'Bearer x',
      `Basic ${token}`,
      token,
      `Bearer ${token}x`,
    ]) {
      const { status, headers } = await send(server.port, lines(0, 1), { authorization })
      expect([status, headers['www-authenticate']], authorization).toEqual([401, 'Bearer'])
    }
    expect(server.taken()).toBe(1)
  })

  it('requires a name of the receiver as host, and is denied to pages in a browser', async () => {
    await using server = await receiver(freeSink(), ['laptop.lan'])
    const { port } = server
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', 'laptop.lan:80'])
      expect((await send(port, '', { host }, '/v1/health', 'GET')).status, host).toBe(200)
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      '10.0.0.1',
      '[::1]',
    ])
      expect((await send(port, lines(0, 1), { host })).status, host).toBe(403)
    expect((await send(port, lines(0, 1), { origin: 'http://localhost' })).status).toBe(403)
    expect(server.taken()).toBe(0)
  })

  it('without the token only shows that the receiver runs', async () => {
    await using server = await receiver()
    const health = await send(server.port, '', { authorization: undefined }, '/v1/health', 'GET')
    expect(health.body).toEqual({ version: 1, ok: true })
    expect((await send(server.port, '', {}, '/')).status).toBe(404)
    expect((await send(server.port, '', {}, '/v1/records/../x')).status).toBe(404)
    const wrong = await send(server.port, '', {}, '/v1/records', 'PUT')
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST'])
  })
})

/** A frame that decoders skip. */
const SKIPPABLE = Buffer.from([0x57, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4])

describe('the input of the receiver', () => {
  it('may be plain lines, gzip or zstd, and nothing else', async () => {
    await using server = await receiver()
    const body = Buffer.from(lines(0, 3))
    const packed = { zstd: zstdCompressSync(body), gzip: gzipSync(body), identity: body }
    for (const [encoding, bytes] of Object.entries(packed)) {
      const { status, body: answer } = await send(server.port, bytes, { 'content-encoding': encoding })
      expect([status, answer.accepted + answer.repeated], encoding).toEqual([200, 3])
    }
    expect((await send(server.port, body, { 'content-encoding': 'br' })).status).toBe(415)
    expect((await send(server.port, body, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send(server.port, body, { 'content-encoding': 'gzip' })).status).toBe(400)
  })

  it('may be several frames of zstd, of which all count, and none may be damaged', async () => {
    const [first, second] = [zstdCompressSync(lines(0, 1)), zstdCompressSync(lines(1, 3))]
    const accepted = [
      [first, second],
      [SKIPPABLE, first, second],
      [first, SKIPPABLE, zstdCompressSync(''), second, SKIPPABLE],
    ]
    for (const body of accepted) {
      await using server = await receiver()
      const answer = await send(server.port, Buffer.concat(body), { 'content-encoding': 'zstd' })
      expect([answer.status, answer.body.accepted]).toEqual([200, 3])
    }
    const refused = [
      [first.subarray(0, 40)],
      [first, second.subarray(0, -1)],
      [first, second.subarray(0, 3)],
      [first, Buffer.from('more')],
      [first, SKIPPABLE.subarray(0, 10)],
      [SKIPPABLE],
    ]
    for (const body of refused) {
      await using server = await receiver()
      const answer = await send(server.port, Buffer.concat(body), { 'content-encoding': 'zstd' })
      expect(answer.status).toBe(400)
    }
  })

  it('is limited in size, compressed and unpacked: decompression bombs are rejected', async () => {
    await using server = await receiver()
    const bomb = Buffer.alloc(50_000_000, 0x0a)
    expect((await send(server.port, gzipSync(bomb), { 'content-encoding': 'gzip' })).status).toBe(413)
    expect((await send(server.port, zstdCompressSync(bomb), { 'content-encoding': 'zstd' })).status).toBe(413)
    expect((await send(server.port, Buffer.alloc(MAX_BODY + 1, 0x20))).status).toBe(413)
    expect((await send(server.port, Buffer.alloc(MAX_BODY, 0x0a))).status).toBe(200)
    expect((await send(server.port, envelope(0, JSON.stringify('x'.repeat(10_000))))).status).toBe(413)
    expect((await send(server.port, '{}\n'.repeat(201))).status).toBe(413)
  })

  it('is checked record by record, and errors are reported by index', async () => {
    const written: Batch[] = []
    await using server = await receiver(freeSink(written))
    const sound = JSON.parse(envelope(9)) as Record<string, unknown>
    const wrong = (more: Record<string, unknown>): string => JSON.stringify({ ...sound, ...more })
    const faulty = [
      'no JSON',
      '[]',
      'null',
      '"text"',
      wrong({ v: 2 }),
      wrong({ id: 'short' }),
      wrong({ id: 'X'.repeat(32) }),
      wrong({ kind: 'password' }),
      wrong({ platform: '../..' }),
      wrong({ line: -1 }),
      wrong({ path: 7 }),
      wrong({ raw: undefined }),
      wrong({ stub: { bytes: 1, sha256: '', reason: '' } }),
      '{"\xff":1}',
    ]
    const body = [envelope(0).trim(), ...faulty, '', envelope(1).trim()].join('\n')
    const { status, body: answer } = await send(server.port, Buffer.from(body, 'latin1'))
    expect(status).toBe(207)
    expect(answer).toMatchObject({ version: 1, accepted: 2, repeated: 0 })
    expect(answer.rejected.map(({ index }) => index)).toEqual(faulty.map((_, index) => index + 1))
    expect(answer.rejected.every(({ reason }) => reason !== '')).toBe(true)
    expect(written.map(({ bytes }) => String(bytes))).toEqual([envelope(0) + envelope(1)])
  })

  it('may contain fields that a later collector adds', async () => {
    await using server = await receiver()
    const { body } = await send(server.port, envelope(0, '{}', ',"later":{"a":1}'))
    expect(body).toMatchObject({ accepted: 1, rejected: [] })
  })
})

describe('a duplicate at the receiver', () => {
  it('is stored once, within a request and across requests', async () => {
    const written: Batch[] = []
    await using server = await receiver(freeSink(written))
    expect((await send(server.port, lines(0, 5) + lines(3, 6))).body).toMatchObject({
      accepted: 6,
      repeated: 2,
    })
    expect((await send(server.port, lines(4, 8))).body).toMatchObject({ accepted: 2, repeated: 2 })
    expect(written.flatMap(({ ids }) => ids)).toEqual(
      Array.from({ length: 8 }, (_, number) => idOfNumber(number)),
    )
  })

  it('gets the same answer by its key, without being read', async () => {
    await using server = await receiver()
    const keyed = { 'idempotency-key': 'k' }
    const first = await send(server.port, lines(0, 3), keyed)
    expect((await send(server.port, lines(0, 3), keyed)).body).toEqual(first.body)
    expect(server.taken()).toBe(1)
    expect((await send(server.port, lines(3, 5), keyed)).body).toMatchObject({ accepted: 2 })
  })

  it('is not acknowledged while another request is still writing it', async () => {
    const held = heldSink()
    const intake = createIntake({ sink: held.sink, known: new KnownRecords(), maxRecord: 10_000 })
    const first = intake.take(Buffer.from(lines(0, 2)))
    let answered = false
    const second = intake.take(Buffer.from(lines(1, 3))).finally(() => {
      answered = true
    })
    await new Promise(setImmediate)
    expect([answered, held.written.length]).toEqual([false, 1])
    held.waiting[0]!.reject(new SinkError('retry', 'full'))
    await expect(first).rejects.toThrow('full')
    await new Promise(setImmediate)
    held.waiting[1]!.resolve()
    expect(await second).toMatchObject({ accepted: 2, repeated: 0 })
  })

  it('is stored if it is whole after a stub, but not if it is a stub after the whole', async () => {
    const intake = createIntake({ sink: freeSink(), known: new KnownRecords(), maxRecord: 10_000 })
    const stub = envelope(0, 'null', ',"stub":{"bytes":9,"sha256":"00","reason":"large"}')
    const take = (text: string) => intake.take(Buffer.from(text))
    expect(await take(stub)).toMatchObject({ accepted: 1 })
    expect(await take(stub)).toMatchObject({ accepted: 0, repeated: 1 })
    expect(await take(envelope(0))).toMatchObject({ accepted: 1 })
    expect(await take(envelope(0) + stub)).toMatchObject({ accepted: 0, repeated: 2 })
  })

  it('is stored again if its generation or its content differs', async () => {
    const written: Batch[] = []
    const intake = createIntake({ sink: freeSink(written), known: new KnownRecords(), maxRecord: 10_000 })
    const later = envelope(0).replace('"generation":1', '"generation":2')
    for (const line of [envelope(0), later, envelope(0, '{"other":1}'), envelope(0, '{"other":1}')])
      await intake.take(Buffer.from(line))
    expect(written.map(({ bytes }) => String(bytes))).toEqual([
      envelope(0),
      later,
      envelope(0, '{"other":1}'),
    ])
  })

  it('leaves a request compressed as it came only if the whole request is stored', async () => {
    const sound = lines(0, 3)
    const packed = zstdCompressSync(sound)
    const cases: [body: Buffer, stored: string, asItCame: boolean][] = [
      [packed, sound, true],
      [Buffer.concat([packed, zstdCompressSync(lines(3, 4))]), lines(0, 4), false],
      [Buffer.concat([SKIPPABLE, packed]), sound, false],
      [zstdCompressSync(sound.trimEnd()), sound, false],
      [zstdCompressSync(`\n${sound.trimEnd()}`), sound, false],
      [zstdCompressSync(sound.replaceAll('\n', '\r\n')), sound, false],
      [zstdCompressSync(`${sound}\n`), sound, false],
      [zstdCompressSync(sound + lines(0, 1)), sound, false],
      [zstdCompressSync(`${sound}{}\n`), sound, false],
    ]
    for (const [body, stored, asItCame] of cases) {
      const written: Batch[] = []
      await using server = await receiver({ ...freeSink(written), frames: true })
      await send(server.port, body, { 'content-encoding': 'zstd' })
      const [batch] = written
      expect(String(linesOf(batch!))).toBe(stored)
      expect(batch!.framed).toBe(asItCame)
      if (asItCame) expect(packedOf(batch!)).toEqual(body)
    }
  })

  it('is detected from the directory after a restart, whoever wrote it', async () => {
    const folder = join(top, 'known')
    const sink = await createFileSink({ folder, nowMs: Date.now, lock: () => ({ release() {} }) })
    const turned = Object.fromEntries(Object.entries(JSON.parse(envelope(3)) as object).reverse())
    const body = Buffer.from(`${lines(0, 3)}${JSON.stringify(turned)}\n`)
    const take = (known: KnownRecords) => createIntake({ sink, known, maxRecord: 10_000 }).take(body)
    expect(await take(new KnownRecords())).toMatchObject({ accepted: 4 })
    const known = new KnownRecords()
    readKnownRecords(folder, known)
    expect(known.size).toBe(4)
    expect(await take(known)).toMatchObject({ accepted: 0, repeated: 4 })
    await sink.close?.()
  })

  it('is detected up to a number of records, and the first ones remain known', () => {
    const known = new KnownRecords(1000)
    const form = formOf(Buffer.from('a'))
    for (let number = 0; number < 1001; number++) known.add(idOfNumber(number), form)
    expect([known.size, known.full]).toEqual([1000, true])
    expect(known.statusOf(idOfNumber(999), form)).toBe('same')
    expect(known.statusOf(idOfNumber(1000), form)).toBe('new')
    known.add(idOfNumber(5), formOf(Buffer.from('b')))
    expect(known.statusOf(idOfNumber(5), form)).toBe('changed')
  })
})

describe('the receiver under load', () => {
  it('rejects excess requests for a retry, and answers those it accepted', async () => {
    const held = heldSink()
    await using server = await receiver(held.sink)
    const under = Array.from({ length: 16 }, (_, number) => send(server.port, envelope(number)))
    while (held.written.length < 16) await new Promise(setImmediate)
    const { status, headers } = await send(server.port, envelope(99))
    expect([status, headers['retry-after']]).toEqual([429, '1'])
    for (const { resolve } of held.waiting) resolve()
    expect((await Promise.all(under)).map((each) => each.status)).toEqual(Array(16).fill(200))
    const later = send(server.port, envelope(99))
    while (held.waiting.length < 17) await new Promise(setImmediate)
    held.waiting[16]!.resolve()
    expect((await later).status).toBe(200)
  })

  it('asks for a retry if its disk is full, and forgets the records', async () => {
    let full = true
    const sink: Sink = {
      name: 'full',
      window: 1,
      async write() {
        if (full) throw new SinkError('retry', 'its disk is full')
      },
    }
    await using server = await receiver(sink)
    const keyed = { 'idempotency-key': 'k' }
    const refused = await send(server.port, lines(0, 2), keyed)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(server.faults).toEqual(['its disk is full'])
    full = false
    expect((await send(server.port, lines(0, 2), keyed)).body).toMatchObject({ accepted: 2, repeated: 0 })
  })

  it('answers current requests before it ends, and accepts no new ones', async () => {
    const held = heldSink()
    const server = await receiver(held.sink)
    const under = send(server.port, envelope(0))
    while (held.written.length < 1) await new Promise(setImmediate)
    const closed = server.close()
    await expect(send(server.port, envelope(1))).rejects.toThrow('ECONNREFUSED')
    held.waiting[0]!.resolve()
    const { body, headers } = await under
    expect([body.accepted, headers.connection]).toEqual([1, 'close'])
    await closed
  })
})
