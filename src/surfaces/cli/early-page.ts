import { statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { storedPageToken } from '../../commands/serve/stored-page-token.ts'
import { dirFlags, type GivenDirs } from '../../context/dir-flags.ts'
import { inPackage } from '../../io/process.ts'
import { type EarlyPage, MOST_CONNECTIONS, PAGE_LIMITS } from '../early-page.ts'
import { dataFolder } from '../environment.ts'
import { type Host, processHost } from '../host.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const HOST = '127.0.0.1'
const PORT = 4477

/** What the whole program does for a page. */
type Program = Pick<typeof import('./main.ts'), 'say' | 'reportError'>

/**
 * Answers `scrollback serve` without loading the rest of the program. Returns the exit code, or undefined
 * for flags that are checked first. Then the whole program answers.
 */
export async function serveEarly(
  args: readonly string[],
  program: () => Promise<Program>,
): Promise<number | undefined> {
  const early = await openEarly(args, processHost())
  if (!early) return undefined
  try {
    const { servePlainPage } = await import('../plain-page.ts')
    await servePlainPage(early, (message) => void program().then(({ say }) => say(message)))
    return 0
  } catch (error) {
    early.server.close()
    early.server.closeAllConnections()
    return (await program()).reportError(error)
  }
}

/** Listens and prints the address. Requests wait until the rest is loaded. */
async function openEarly(args: readonly string[], host: Host): Promise<EarlyPage | undefined> {
  const flags = pageFlagsIn(args)
  if (!flags || inPackage(join('dist', 'page', 'index.html')) === undefined) return undefined
  const token = storedPageToken(dataFolder(host))
  if (token === undefined) return undefined
  // An import would also load Node's client, which takes as long as everything else here.
  const server = process.getBuiltinModule('node:http').createServer(PAGE_LIMITS)
  server.maxConnections = MOST_CONNECTIONS
  const waiting: [IncomingMessage, ServerResponse][] = []
  const wait = (request: IncomingMessage, response: ServerResponse): void =>
    void waiting.push([request, response])
  server.on('request', wait)
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(flags.port, HOST, () => resolve(true))
  })
  // Whatever the reason, the command finds another port or says why there is none.
  if (!isListening) return undefined
  server.removeAllListeners('error')
  const handlers = SIGNALS.map((signal) => host.on(signal, () => host.exit(0)))
  const { port } = server.address() as AddressInfo
  const url = `http://${HOST}:${port}/?token=${token}`
  const address = flags.json ? JSON.stringify({ version: 1, url, host: HOST, port }) : url
  try {
    host.stdout.write(Buffer.from(`${address}\n`))
  } catch {
    // The command prints it again, and reports why that fails.
    server.close()
    return undefined
  }
  return {
    server,
    host: HOST,
    port,
    token,
    url,
    dirs: flags.dirs,
    open: flags.open,
    takeOver(handle) {
      for (const release of handlers) release()
      server.off('request', wait)
      server.on('request', handle)
      for (const [request, response] of waiting) handle(request, response)
    },
  }
}

interface PageFlags {
  port: number
  json: boolean
  open: boolean
  dirs: GivenDirs
}

/** What the flags request. Undefined if there are others, or invalid ones. */
function pageFlagsIn(args: readonly string[]): PageFlags | undefined {
  const flags: PageFlags = { port: PORT, json: false, open: true, dirs: {} }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    const value = args[at + 1]
    const platform = dirFlags.find(({ name }) => name === arg)?.platform
    if (arg === '--no-open') flags.open = false
    else if (arg === '--json') flags.json = true
    else if (arg === '--port' && /^\d{1,5}$/.test(value ?? '')) flags.port = Number(args[++at])
    else if (platform !== undefined && isFolder(value)) {
      flags.dirs[platform] = [...(flags.dirs[platform] ?? []), value]
      at++
    } else return undefined
  }
  return flags.port < 65_536 ? flags : undefined
}

const isFolder = (path: string | undefined): path is string =>
  path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
