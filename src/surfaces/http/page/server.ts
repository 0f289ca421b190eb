import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { getRequestListener } from '@hono/node-server'
import type { Context, PageListening, PageOptions } from '../../../context/context.ts'
import { preferSmallMemory } from '../../../io/process.ts'
import { type EarlyPage, MOST_CONNECTIONS, PAGE_LIMITS } from '../../early-page.ts'
import { DEMO_NOW } from '../../environment.ts'
import { admit, closeServer, listenAt } from '../guard.ts'
import { createAccess } from './access.ts'
import { createApp, createEvents } from './app.ts'
import type { ReaderSettings } from './protocol.ts'
import { createReaders } from './readers.ts'
import { createTidier } from './tidier.ts'

/** What the reading threads need of the environment of the command. */
export type PageMachine = Pick<
  Context,
  | 'environment'
  | 'directory'
  | 'here'
  | 'machine'
  | 'started'
  | 'threads'
  | 'dataFolder'
  | 'storePath'
  | 'remote'
  | 'retentionDays'
  | 'globalFlags'
>

/** How long open requests may take after a stop was requested. */
const GRACE_MS = 2000

/**
 * Serves the page. Resolves when listening, and rejects with the system's error. `early` is a server that
 * listens already.
 */
export async function startPage(
  context: PageMachine,
  options: PageOptions,
  early?: EarlyPage,
): Promise<PageListening> {
  const { host, token, names, tls, proxy, files, fault } = options
  preferSmallMemory()
  const access = createAccess({ token, names, secure: tls !== undefined, proxy })
  // Fails first if the certificate is invalid.
  const server: Server =
    early?.server ?? (tls ? createTlsServer({ ...PAGE_LIMITS, ...tls }) : createServer(PAGE_LIMITS))
  const settings = settingsOf(context)
  const readers = createReaders(settings, ({ name, data }) => events.send(name, data), fault)
  const events = createEvents(readers.watch)
  const app = createApp({ access, readers, events, files, now: settings.now, fault })
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  server.maxConnections = MOST_CONNECTIONS
  const admission = admit(server)
  const tidier = createTidier()
  server.on('request', (request, response) => {
    if (access.isKnown(request)) admission.trust(request.socket)
    response.once('close', tidier.worked)
  })
  const handle = (request: IncomingMessage, response: ServerResponse): void => void answer(request, response)
  if (early) {
    server.on('error', (error) => fault(String(error)))
    early.takeOver(handle)
    // While the browser starts. A team store is another machine, which is only asked when somebody asks.
    if (!context.remote) readers.lookAhead()
    return { host, port: early.port, code: access.code, close }
  }
  server.on('request', handle)
  try {
    return { host, port: await listenAt(server, options), code: access.code, close }
  } catch (error) {
    void readers.end()
    throw error
  }

  async function close(): Promise<void> {
    events.end()
    tidier.stop()
    await closeServer(server, GRACE_MS)
    await readers.end()
  }
}

function settingsOf(context: PageMachine): ReaderSettings {
  const { environment, directory, here, storePath, dataFolder, machine, started, threads } = context
  const { retentionDays, globalFlags = {} } = context
  return {
    directory,
    here,
    dataFolder,
    machine,
    started,
    retentionDays,
    globalFlags,
    // `process.env` cannot be sent to a thread.
    environment: { ...environment, variables: { ...environment.variables } },
    threads,
    indexes: true,
    storePath,
    ...(context.remote ? { storeAddress: context.remote.address } : {}),
    ...(globalFlags.demo ? { now: DEMO_NOW } : {}),
  }
}
