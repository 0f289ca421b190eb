import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context as Request } from 'hono'
import type { PageFiles } from '../../../context/context.ts'
import { readBody, Unreadable } from '../guard.ts'
import type { Access } from './access.ts'
import { type Given, type Refusal, refusal } from './protocol.ts'
import type { Readers, Reply } from './readers.ts'

interface AppParts {
  access: Access
  readers: Readers
  events: Events
  files: PageFiles
  /** The fixed time of the demo, in ms. */
  now?: number | undefined
  fault(message: string): void
}

const STRANGE_HOST = refusal(
  403,
  'This name of the server is unknown.',
  'If you forward it on purpose, start the server with --allow-host and this name.',
)
const FOREIGN_PAGE = refusal(
  403,
  'Another page sent this request.',
  'Open the address that "scrollback serve" printed.',
)
const NOT_SIGNED_IN = refusal(
  401,
  'This browser is not signed in, or the token is wrong.',
  'Open the address that "scrollback serve" printed.',
)

/** The routes of the server. All requests pass the checks first. */
export function createApp({ access, readers, events, files, now, fault }: AppParts): Hono<Env> {
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    const verdict = access.check(c.env.incoming)
    if (verdict === 'strange-host') return refused(STRANGE_HOST)
    if (verdict === 'foreign-page') return refused(FOREIGN_PAGE)
    await next()
    for (const [name, value] of HEADERS) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    // The page shows times from here.
    if (now !== undefined) c.res.headers.set('date', new Date(now).toUTCString())
    return undefined
  })
  app.use('/api/*', async (c, next) => {
    if (!access.isKnown(c.env.incoming)) return refused(NOT_SIGNED_IN)
    return next()
  })
  app.all('/api/events', (c) => {
    if (c.req.method !== 'GET') return refused(refusal(405, 'GET is required.'), { allow: 'GET' })
    return events.add(c.env.outgoing, () => access.hold(c.env.incoming))
      ? RESPONSE_ALREADY_SENT
      : refused(refusal(503, 'Too many pages are open.', 'Close some of them.'))
  })
  app.all('/api/:name', async (c) => {
    const name = c.req.param('name')
    const method = readers.methodOf(name)
    if (!method) return refused(refusal(404, 'There is no such endpoint.', 'See /api/openapi.json.'))
    if (c.req.method !== method) return refused(refusal(405, `${method} is required.`), { allow: method })
    const given = method === 'GET' ? { parameters: c.req.queries() } : await fieldsOf(c.env.incoming)
    if ('status' in given) return refused(given)
    return replied(await readers.ask(name, given, c.req.raw.signal), c)
  })
  app.all('/api/*', () => refused(refusal(404, 'There is no such endpoint.', 'See /api/openapi.json.')))
  app.get('*', async (c) => {
    const given = c.req.query('token') ?? c.req.query('code')
    if (given !== undefined) return exchanged(given, c)
    return servePageFiles(files, c)
  })
  app.all('*', () => refused(refusal(405, 'GET is required.'), { allow: 'GET' }))
  app.onError((error) => {
    fault(error.message)
    return refused(refusal(500, 'This is a fault of the program itself.'))
  })
  return app

  /** The token becomes a cookie and a key, and leaves the address. No server is sent the part after `#`. */
  function exchanged(given: string, c: Request<Env>): Response {
    const entered = access.enter(given, c.env.incoming)
    // To a person, the page says what to do, or shows what an earlier address has let this browser see.
    const isPerson = c.req.header('accept')?.includes('text/html') === true
    if (!entered && !isPerson) return refused(NOT_SIGNED_IN)
    const { pathname, searchParams } = new URL(c.req.url)
    for (const name of ['token', 'code']) searchParams.delete(name)
    const rest = searchParams.size > 0 ? `?${searchParams}` : ''
    // Two slashes would begin the name of another host.
    const address = `${pathname.replace(/^\/+/, '/')}${rest}`
    return new Response(null, {
      status: 303,
      headers: {
        location: entered ? `${address}#key=${entered.key}` : address,
        ...(entered ? { 'set-cookie': entered.cookie } : {}),
        'cache-control': 'no-store',
      },
    })
  }
}

/** A client that reads more slowly is dropped when so many bytes wait for it. */
const MOST_WAITING_BYTES = 256 * 1024
const MOST_CLIENTS = 512
const PING_MS = 25_000
const PING = Buffer.from(': ping\n\n')

/** The connected pages. All of them are sent the same events. */
interface Events {
  /** Connects a client, and calls `hold` for as long as it stays. Returns false if there are too many. */
  add(response: ServerResponse, hold?: () => { ended(): void }): boolean
  send(name: string, data: string): void
  /** The bytes that wait for clients, and how many of them are connected. */
  state(): { bytes: number; clients: number }
  end(): void
}

/** `watch` is called with true when the first page connects, and with false when the last one is gone. */
export function createEvents(watch: (on: boolean) => void): Events {
  const clients = new Set<ServerResponse>()
  let timer: NodeJS.Timeout | undefined
  return {
    add(response, hold) {
      if (clients.size >= MOST_CLIENTS) return false
      response.writeHead(200, {
        ...Object.fromEntries(HEADERS),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        // Proxies must not wait for the end.
        'x-accel-buffering': 'no',
      })
      clients.add(response)
      const held = hold?.()
      response.once('close', () => {
        held?.ended()
        remove(response)
      })
      if (clients.size === 1) {
        watch(true)
        timer = setInterval(() => broadcast(PING), PING_MS)
      }
      write(response, eventOf('hello', '{"version":1}'))
      return true
    },
    send: (name, data) => broadcast(eventOf(name, data)),
    state: () => ({
      bytes: [...clients].reduce((sum, { writableLength }) => sum + writableLength, 0),
      clients: clients.size,
    }),
    end() {
      for (const response of clients) response.end()
    },
  }

  function remove(response: ServerResponse): void {
    if (!clients.delete(response) || clients.size > 0) return
    clearInterval(timer)
    watch(false)
  }

  /** All clients share the bytes, so those that wait are held once. */
  function broadcast(bytes: Buffer): void {
    for (const response of clients) write(response, bytes)
  }

  function write(response: ServerResponse, bytes: Buffer): void {
    // It connects again and loads what it missed.
    if (response.writableLength + bytes.length > MOST_WAITING_BYTES) response.destroy()
    else response.write(bytes)
  }
}

/** JSON has no line ends, so it is one line of data. */
const eventOf = (name: string, data: string): Buffer => Buffer.from(`event: ${name}\ndata: ${data}\n\n`)

/** Compressing less than this saves no packet. */
const WORTH_BYTES = 1024
const packed = promisify<Uint8Array, { level: number }, Buffer>(gzip)
/** On one machine, a better compression takes longer than it saves. */
const FAST = { level: 1 }
const JSON_TYPE = 'application/json'
/** For files of others: nothing runs and nothing is loaded, also if a browser opens them by themselves. */
const SANDBOX = "default-src 'none'; sandbox"
/** The longest list of notes in a header. */
const NOTES = 2000

/** A refusal as a response. */
const refused = ({ status, body }: Refusal, more: Record<string, string> = {}): Response =>
  new Response(`${JSON.stringify(body)}\n`, {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...more,
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    },
  })

/** The answer to a question as a response, compressed if that is worth it. */
async function replied(reply: Reply, c: Request<Env>): Promise<Response> {
  const { status, type, name, notes, first, rest } = reply
  const isPacked =
    type.startsWith('application/json') &&
    (rest !== undefined || first.length > WORTH_BYTES) &&
    /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  const headers = new Headers({
    'content-type': type,
    'cache-control': 'no-store',
    vary: 'accept-encoding, cookie',
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    ...(type === JSON_TYPE && name === undefined ? {} : asFile(name)),
    ...(notes.length === 0 ? {} : { 'scrollback-notes': notesText(notes) }),
  })
  if (rest === undefined) {
    const body = isPacked ? await packed(first, FAST) : first
    return new Response(body as BodyInit, { status, headers })
  }
  const bytes = Readable.from(whole(first, rest), { objectMode: false })
  const stream = isPacked ? bytes.pipe(createGzip(FAST)) : bytes
  bytes.on('error', (error) => stream.destroy(error))
  stream.on('close', () => bytes.destroy())
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { status, headers })
}

const asFile = (name: string | undefined): Record<string, string> => ({
  'content-security-policy': SANDBOX,
  'content-disposition': name === undefined ? 'inline' : `attachment; filename="${name}"`,
})

async function* whole(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

/** Notes as a header, which is ASCII. The first ones, if they are too long. */
function notesText(notes: readonly string[]): string {
  const fitting = notes.filter(
    (_, index) => encodeURIComponent(JSON.stringify(notes.slice(0, index + 1))).length <= NOTES,
  )
  return encodeURIComponent(JSON.stringify(fitting).toWellFormed())
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
}

/** Names with a hash of the content never get another content. */
const HASHED = /-[\w-]{8,}\.\w+$/
const FOREVER = 'public, max-age=31536000, immutable'

/** Answers with a file of the page. Every address without a file is one of the page itself. */
function servePageFiles(files: PageFiles, c: Request<Env>): Response {
  const address = c.req.path.slice(1)
  const isFile = address !== 'index.html' && files.read(address) !== undefined
  if (!isFile && address.startsWith('assets/')) return refused(refusal(404, 'There is no such file.'))
  if (!files.isBuilt())
    return refused(
      refusal(503, 'The page is not built.', 'Run: npm run build:page. The endpoints under /api answer.'),
    )
  const name = isFile ? address : 'index.html'
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  const gzip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '') ? files.packed(name) : undefined
  return new Response((gzip ?? files.read(name)) as BodyInit, {
    headers: {
      'content-type': type,
      'cache-control': HASHED.test(name) ? FOREVER : 'no-cache',
      vary: 'accept-encoding',
      ...(gzip ? { 'content-encoding': 'gzip' } : {}),
    },
  })
}

const MOST_BODY_BYTES = 64 * 1024
const SILENCE_MS = 10_000

/** The fields in the body of a request that changes something. Only our own page sends such requests. */
async function fieldsOf(request: IncomingMessage): Promise<Given | Refusal> {
  const { origin, 'content-type': type = '' } = request.headers
  // A foreign one was refused before. Forms of other pages may send none.
  if (origin === undefined) return refusal(403, 'The header Origin is missing.')
  if (type.split(';')[0]!.trim().toLowerCase() !== 'application/json')
    return refusal(415, 'application/json is required.')
  try {
    const body = await readBody(request, MOST_BODY_BYTES, SILENCE_MS)
    const fields: unknown = JSON.parse(body.toString())
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
      return { fields: fields as Record<string, unknown> }
    return refusal(400, 'The body is not a JSON object.')
  } catch (error) {
    if (error instanceof Unreadable)
      return refusal(error.status, `The body cannot be read: ${error.message}.`)
    if (error instanceof SyntaxError) return refusal(400, 'The body is not JSON.')
    throw error
  }
}

/** The page loads nothing from elsewhere and runs only its own scripts. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types scrollback',
].join('; ')

/** The headers of every answer that does not set them itself. */
const HEADERS: readonly (readonly [string, string])[] = [
  ['content-security-policy', CONTENT_POLICY],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['x-frame-options', 'DENY'],
]

/** What requests carry besides themselves. */
type Env = { Bindings: HttpBindings }
