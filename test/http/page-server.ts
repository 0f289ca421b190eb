import { mkdirSync, mkdtempSync } from 'node:fs'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, onTestFinished, vi } from 'vitest'
import { commands } from '../../src/commands/index.ts'
import { pageFiles } from '../../src/commands/serve/page.ts'
import type { PageOptions } from '../../src/context/context.ts'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { createSession } from '../../src/surfaces/cli/context.ts'
import { processHost } from '../../src/surfaces/host.ts'
import { startPage } from '../../src/surfaces/http/page/server.ts'
import { put, sharedHome } from '../records.ts'

export const token = 'a-token-of-the-tests'

const SCRIPT = 'document.title = "page"\n'.repeat(100)

const top = sharedHome()

/** A built page, as small as it can be. */
export function builtPage(): string {
  // Test files of one thread share this module, and the first that ends removes the folder.
  mkdirSync(top, { recursive: true })
  const folder = join(mkdtempSync(join(top, 'built-')), 'page')
  put(join(folder, 'index.html'), '<!doctype html><title>page</title>\n')
  put(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>\n')
  put(join(folder, 'assets/index-0a1b2c3d.js'), SCRIPT)
  return folder
}

interface Response {
  status: number
  headers: IncomingHttpHeaders
  text: string
  bytes: Buffer
}

/** What a command gets on the command line, with our files in the folder `data`. */
export async function contextFor(flags: GlobalFlags, data: string) {
  vi.stubEnv('SCROLLBACK_HOME', data)
  try {
    return createSession(await commands.sessions!(), {}, flags, { host: processHost(), version: '0.0.0' })
      .context
  } finally {
    vi.unstubAllEnvs()
  }
}

type Server = ReturnType<typeof startServer>

/**
 * A server for all tests of a file that change nothing of it, which starts for the first of them. Starting and
 * ending very many threads with WebAssembly in one process can end it (V8: `jit_page.has_value()`).
 */
export function sharedServer(...given: Parameters<typeof startServer>): () => Server {
  let server: Server | undefined
  afterAll(async () => (await server)?.close())
  return () => (server ??= startServer(...given))
}

/** The server over the demo. */
export const demoServer = sharedServer({ demo: true })

/** A server in this process, which ends with the test. */
export async function pageServer(...given: Parameters<typeof startServer>) {
  const server = await startServer(...given)
  onTestFinished(server.close)
  return server
}

/** A server in this process. */
export async function startServer(
  flags: GlobalFlags,
  { data = '/nonexistent', ...options }: Partial<PageOptions> & { data?: string } = {},
) {
  const faults: string[] = []
  const listening = await startPage(await contextFor(flags, data), {
    host: '127.0.0.1',
    port: 0,
    token,
    names: [],
    files: pageFiles(builtPage()),
    fault: (message) => faults.push(message),
    ...options,
  })
  const { port } = listening
  const ask = (path: string, headers: OutgoingHttpHeaders = {}, method = 'GET', body = '') =>
    send({ port, path, method, headers: { authorization: `Bearer ${token}`, ...headers }, body })
  const bare = (path: string, headers: OutgoingHttpHeaders = {}, method = 'GET', body = '') =>
    send({ port, path, method, headers, body })
  return { ...listening, ask, bare, faults, origin: `http://127.0.0.1:${port}` }
}

interface Sent {
  port: number
  path: string
  method: string
  headers: OutgoingHttpHeaders
  body: string
}

/** Sends a request as it is: `fetch` would refuse or change some headers and paths. */
function send({ port, path, method, headers, body }: Sent): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('error', reject)
      answer.on('end', () => {
        const bytes = Buffer.concat(pieces)
        resolve({ status: answer.statusCode!, headers: answer.headers, bytes, text: bytes.toString() })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
