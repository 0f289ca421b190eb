import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'

interface Seen {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** Unpacked. */
  body: Buffer
}

export type Script = (seen: Seen, response: ServerResponse, request: IncomingMessage) => void

export interface ScriptedServer extends AsyncDisposable {
  address: string
  port: number
  seen: Seen[]
}

const unpack = (body: Buffer, encoding: string | undefined): Buffer =>
  encoding === 'zstd' ? zstdDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body

/** A server on loopback that records its requests and answers as its script says. */
export async function scriptedServer(
  script: Script,
  tls?: { key: string; cert: string },
): Promise<ScriptedServer> {
  const seen: Seen[] = []
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = []
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
    const { method = '', url = '', headers } = request
    const one = {
      method,
      path: url,
      headers,
      body: unpack(Buffer.concat(pieces), headers['content-encoding']),
    }
    seen.push(one)
    script(one, response, request)
  }
  const server = tls ? createSecureServer(tls, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http${tls ? 's' : ''}://127.0.0.1:${port}`,
    port,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
