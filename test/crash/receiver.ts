import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import type { Envelope } from '../../src/model/delivery.ts'
import type { Random } from '../random.ts'

/** What can happen to a request. */
const FAULTS = [
  'none',
  'none',
  'none',
  'none',
  'none',
  'none',
  'none',
  'none',
  'stalls',
  '500',
  '500 although it took it',
  '503',
  '429',
  '413',
  'closes before',
  'closes after',
  'half an answer',
  'half a request',
  'answers twice',
  'takes half',
] as const
type Fault = (typeof FAULTS)[number]

const LONGEST_STALL = 1500
const LARGEST = 40_000

/**
 * A server that stores records by their id, in the order of their arrival, and lets its requests fail in
 * every way. It reports the moments `came`, `stored` and `answered` of each request to `moment`.
 */
export async function createReceiver(random: Random, moment: (what: string) => void) {
  const records = new Map<string, Envelope>()
  const befell: Record<string, number> = {}
  let arrivals = 0
  let faulty = true

  function keep(lines: readonly string[]): number {
    let repeated = 0
    for (const line of lines) {
      const envelope = JSON.parse(line) as Envelope
      if (records.has(envelope.id)) repeated++
      records.set(envelope.id, envelope)
      arrivals++
    }
    moment('stored')
    return repeated
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault: Fault = faulty ? FAULTS[random(FAULTS.length)]! : 'none'
    befell[fault] = (befell[fault] ?? 0) + 1
    moment('came')
    if (fault === 'half a request') {
      request.once('data', () => request.socket.destroy())
      return
    }
    const pieces: Buffer[] = []
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
    const body = zstdDecompressSync(Buffer.concat(pieces)).toString()
    const lines = body.split('\n').slice(0, -1)
    const { socket } = request
    const answer = (status: number, value: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(value))
      moment('answered')
    }
    const taken = (): object => {
      const repeated = keep(lines)
      return { accepted: lines.length - repeated, repeated, rejected: [] }
    }
    switch (fault) {
      case 'none':
        return answer(200, taken())
      case 'stalls': {
        const value = taken()
        await pass(random(LONGEST_STALL))
        return answer(200, value)
      }
      case '500 although it took it':
        taken()
        return answer(500, {})
      case '500':
      case '503':
        return answer(Number(fault), {})
      case '429':
        return answer(429, {}, { 'retry-after': String(random(2)) })
      case '413':
        return lines.length > 1 || body.length > LARGEST ? answer(413, {}) : answer(200, taken())
      case 'closes before':
        socket.destroy()
        return
      case 'closes after':
        taken()
        socket.destroy()
        return
      case 'half an answer':
        taken()
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 200\r\n\r\n{"accepted":')
        socket.end()
        return
      case 'answers twice': {
        const value = JSON.stringify(taken())
        const whole = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${value.length}\r\n\r\n${value}`
        socket.end(whole + whole)
        moment('answered')
        return
      }
      case 'takes half':
        keep(lines.slice(0, lines.length >> 1))
        socket.destroy()
        return
      default:
        throw new Error(`nobody knows ${fault satisfies never}`)
    }
  }

  const server = createServer((request, response) => {
    // The sender may be killed at any moment.
    take(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/v1/records`,
    records,
    befell,
    arrivals: (): number => arrivals,
    /** From here on no request fails. */
    calm(): void {
      faulty = false
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof createReceiver>>
