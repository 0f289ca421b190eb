import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { getRequestListener } from '@hono/node-server'
import type { Context } from '../../../commands/kit/command.ts'
import type { PageListening, PageOptions } from '../../../commands/kit/listening.ts'
import { timeOf } from '../../environment.ts'
import { admit } from '../admission.ts'
import { createAccess } from './access.ts'
import { createApp } from './app.ts'
import { createEvents } from './events.ts'
import type { ReaderSettings } from './protocol.ts'
import { createReaders } from './readers.ts'

const CONNECTIONS = 1024
/** The time limits for a whole request and for its header. */
const REQUEST_MS = 30_000
const HEADERS_MS = 10_000
const HEADER_BYTES = 16 * 1024
/** How long open requests may take after a stop was requested. */
const GRACE_MS = 2000

/** Serves the page. Resolves when listening, and rejects with the system's error. */
export async function startPage(context: Context, options: PageOptions): Promise<PageListening> {
  const { host, port, token, names, tls, files, fault } = options
  const access = createAccess({ token, names, secure: tls !== undefined })
  const limits = {
    requestTimeout: REQUEST_MS,
    headersTimeout: HEADERS_MS,
    maxHeaderSize: HEADER_BYTES,
    connectionsCheckingInterval: 1000,
  }
  // Fails first if the certificate is invalid.
  const server: Server = tls ? createTlsServer({ ...limits, ...tls }) : createServer(limits)
  const readers = createReaders(settingsOf(context), (name, data) => events.send(name, data))
  const events = createEvents(readers.watch)
  const app = createApp({ access, readers, events, files, fault })
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  server.on('request', (request, response) => void answer(request, response))
  server.maxConnections = CONNECTIONS
  const admission = admit(server)
  server.on('request', (request) => {
    if (access.isKnown(request)) admission.trust(request.socket)
  })
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      void readers.end()
      reject(error)
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      server.on('error', (error) => fault(String(error)))
      resolve({ host, port: (server.address() as AddressInfo).port, ticket: access.ticket, close })
    })
  })

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const late = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    events.end()
    server.closeIdleConnections()
    await closed
    clearTimeout(late)
    await readers.end()
  }
}

function settingsOf(context: Context): ReaderSettings {
  const { environment, directory, here, storePath, dataFolder, machine, started } = context
  const { retentionDays, globalFlags = {} } = context
  return {
    ...{ directory, here, dataFolder, machine, started, retentionDays, globalFlags },
    // `process.env` cannot be sent to a thread.
    environment: { ...environment, variables: { ...environment.variables } },
    threads: Math.min(8, availableParallelism()),
    storePath: storePath ?? ':memory:',
    ...(globalFlags.demo ? { now: timeOf(globalFlags) } : {}),
  }
}
