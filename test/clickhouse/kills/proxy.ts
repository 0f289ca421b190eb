import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'

/** What can happen to a request on its way to the server and back. */
export type Fate =
  | 'none'
  | 'stalls'
  /** The connection is cut before the request reaches the server, or within it. */
  | 'cut before'
  | 'half a request'
  /** The server executes it, and the answer is lost, or cut. */
  | 'answer lost'
  | 'half an answer'
  /** The server gets it twice, one after the other. */
  | 'repeated'
  /** The sender loses the connection, and the server gets the request after some later ones. */
  | 'late'
  /** The sender loses the answer, and the server gets the request a second time after some later ones. */
  | 'repeated late'
  /** The proxy cannot reach the server. */
  | '503'

export interface ProxyOptions {
  /** `http://127.0.0.1:8123` */
  server: string
  /** What happens to a request. */
  fate(request: { isInsert: boolean }): Fate
  /** Called when a request came, was executed, or was answered. */
  moment?(what: 'came' | 'executed' | 'answered'): void
  /** Changes a statement on its way. */
  rewrite?(statement: string): string
  /** Is told every request. */
  saw?(asked: Asked): void
  /** Answers instead of the server. */
  instead?(asked: Asked): Instead | undefined
}

/** A statement with the settings of its request. */
export interface Asked {
  statement: string
  settings: Record<string, string>
}

/** The answer of a server. `code` is that of an error. */
export interface Instead {
  body: string
  code?: number
}

interface Message {
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

interface Reply {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

const LONGEST_STALL_MS = 300
/** A late request arrives after this many others. */
const LATER = 3

/** A server between a client and ClickHouse that lets requests fail in every way that a network can. */
export async function createProxy({ server, fate, moment, rewrite, saw, instead }: ProxyOptions) {
  const befell: Record<string, number> = {}
  const late: { message: Message; after: number }[] = []
  let stall = 0

  const execute = ({ path, headers, body }: Message): Promise<Reply> => {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const { 'transfer-encoding': _, ...others } = headers
    const url = new URL(path, server)
    const statement = url.searchParams.get('query')
    if (rewrite && statement !== null) url.searchParams.set('query', rewrite(statement))
    const forwarded = send(
      url,
      { method: 'POST', headers: { ...others, 'content-length': body.length } },
      (answer) => {
        bodyOf(answer).then(
          (found) => resolve({ status: answer.statusCode!, headers: answer.headers, body: found }),
          reject,
        )
      },
    )
    forwarded.on('error', reject)
    forwarded.end(body)
    return promise
  }

  /** Delivers late requests that are due. Their senders have long gone on. */
  async function deliverLate(everything: boolean): Promise<void> {
    const due = late.filter((each) => everything || --each.after <= 0)
    for (const each of due) {
      late.splice(late.indexOf(each), 1)
      await execute(each.message)
    }
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket, url: path = '/', headers } = request
    const isInsert = new URL(path, server).searchParams.get('query')?.startsWith('INSERT') === true
    const chosen = fate({ isInsert })
    befell[chosen] = (befell[chosen] ?? 0) + 1
    moment?.('came')
    if (chosen === 'half a request') {
      request.once('data', () => socket.destroy())
      return
    }
    const message = { path, headers, body: await bodyOf(request) }
    const asked = askedIn(message)
    saw?.(asked)
    const other = instead?.(asked)
    if (other) {
      const { body, code } = other
      response.writeHead(
        code === undefined ? 200 : 500,
        code === undefined ? {} : { 'x-clickhouse-exception-code': String(code) },
      )
      response.end(body)
      return
    }
    await deliverLate(false)
    const executed = async (): Promise<Reply> => {
      const reply = await execute(message)
      moment?.('executed')
      return reply
    }
    const pass200 = ({ status, headers: { 'transfer-encoding': _, ...others }, body }: Reply): void => {
      response.writeHead(status, { ...others, 'content-length': body.length })
      response.end(body)
      moment?.('answered')
    }
    switch (chosen) {
      case 'none':
        return pass200(await executed())
      case 'stalls':
        stall = (stall + 37) % LONGEST_STALL_MS
        await pass(stall)
        return pass200(await executed())
      case 'cut before':
        socket.destroy()
        return
      case 'answer lost':
        await executed()
        socket.destroy()
        return
      case 'half an answer': {
        const { body } = await executed()
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length + 20}\r\n\r\n`)
        socket.end(body.subarray(0, body.length >> 1))
        return
      }
      case 'repeated':
        await executed()
        return pass200(await executed())
      case 'late':
        late.push({ message, after: LATER })
        socket.destroy()
        return
      case 'repeated late':
        await executed()
        late.push({ message, after: LATER })
        socket.destroy()
        return
      case '503':
        response.writeHead(503, { 'content-type': 'text/plain' }).end('upstream is away')
        return
      default:
        throw new Error(`unknown fate ${chosen satisfies never}`)
    }
  }

  const proxy = createServer({ maxHeaderSize: 1024 * 1024 }, (request, response) => {
    // The sender may be killed at any moment.
    take(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    befell,
    /** Delivers what is still late. */
    drain: (): Promise<void> => deliverLate(true),
    async close(): Promise<void> {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

function askedIn({ path, body }: Message): Asked {
  const { query, ...settings } = Object.fromEntries(new URL(path, 'http://localhost').searchParams)
  return { statement: query ?? body.toString(), settings }
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
