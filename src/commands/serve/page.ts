import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Lifetime, PageFiles, PageListening, Programs, Reports } from '../../context/context.ts'
import { inPackage } from '../../io/process.ts'
import { openSource } from '../../io/source.ts'
import { stopped } from '../server.ts'

/** The folder of the built page. */
const FOLDER = join('dist', 'page')

export function pageFiles(folder: string | undefined = inPackage(FOLDER)): PageFiles {
  const listed = new Map<string, string>()
  const contents = new Map<string, Buffer>()
  if (folder !== undefined)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) listed.set(path.slice(folder.length + 1).replaceAll('\\', '/'), path)
    }
  const compressed = new Map<string, Buffer | undefined>()
  return {
    isBuilt: () => listed.has('index.html'),
    read(address) {
      const path = listed.get(address)
      if (path === undefined) return undefined
      const known = contents.get(address) ?? contentOf(path)
      contents.set(address, known)
      return known
    },
    packed(address) {
      if (compressed.has(address)) return compressed.get(address)
      const content = this.read(address)
      const packed = content && gzipSync(content, { level: 9 })
      const smaller = packed && packed.length < content.length ? packed : undefined
      compressed.set(address, smaller)
      return smaller
    },
  }
}

function contentOf(path: string): Buffer {
  const source = openSource(path)
  try {
    const bytes = Buffer.alloc(statSync(path).size)
    let length = 0
    for (let count = -1; length < bytes.length && count !== 0; length += count)
      count = source.read(bytes, length, bytes.length - length)
    return bytes.subarray(0, length)
  } finally {
    source.close()
  }
}

const BY_HAND = 'Run: npm ci && npm run build:page. Until then, only the endpoints under /api answer.'

/** A checkout contains the sources of the page. The package contains the built page. Builds it if needed. */
export async function buildPage({ start, started, note }: Programs & Reports): Promise<PageFiles> {
  const files = pageFiles()
  if (files.isBuilt()) return files
  const folder = dirname(inPackage('package.json')!)
  if (!start || !existsSync(join(folder, 'ui'))) {
    note(`The page is not built. ${BY_HAND}`)
    return files
  }
  note('Building the page, which is needed once.')
  const words = [started.executable, '--run', 'build:page']
  const code = await start(words, folder, {}, 'aside')
  const built = pageFiles()
  if (code !== 0 || !built.isBuilt()) note(`The page could not be built. ${BY_HAND}`)
  return built
}

/** Serves the page until the user stops it. With `open`, opens it in the browser first. */
export async function serveUntilStopped(
  listening: PageListening,
  { url, open }: { url: string; open: boolean },
  context: Opening & Pick<Lifetime, 'stop'>,
): Promise<void> {
  context.note('Press Ctrl-C to stop.')
  if (open) await openPage(listening, url, context)
  try {
    await stopped(context.stop)
  } finally {
    await listening.close()
  }
}

/** What opening a page needs. */
interface Opening extends Pick<Programs, 'openBrowser'>, Pick<Reports, 'note'> {
  /** The variables of the environment. */
  variables: Readonly<Record<string, string | undefined>>
}

/** Opens the page in the browser of the user, or says how to reach it. */
async function openPage(
  { port, code }: PageListening,
  address: string,
  { variables, openBrowser, note }: Opening,
): Promise<void> {
  if (variables.SSH_CONNECTION)
    return note(
      `To open it on your own machine, forward the port: ssh -L ${port}:127.0.0.1:${port} <this machine>`,
    )
  if (!openBrowser) return
  // Other users can see the command line of the program that opens it, so it has no token.
  const once = new URL(address)
  once.searchParams.delete('token')
  once.searchParams.set('code', code())
  if (!(await openBrowser(once.href))) note('The browser could not be opened. Open the address yourself.')
}
