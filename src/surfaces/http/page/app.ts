import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context as Request } from 'hono'
import type { PageFiles } from '../../../commands/kit/context.ts'
import type { Access } from './access.ts'
import type { Env } from './env.ts'
import type { Events } from './events.ts'
import { fieldsOf } from './fields.ts'
import { HEADERS } from './headers.ts'
import type { Readers } from './readers.ts'
import { refusal } from './refusal.ts'
import { refused, replied } from './reply.ts'
import { servePageFiles } from './static-files.ts'

export interface AppParts {
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
    if (!entered) return refused(NOT_SIGNED_IN)
    const { pathname, searchParams } = new URL(c.req.url)
    for (const name of ['token', 'code']) searchParams.delete(name)
    const rest = searchParams.size > 0 ? `?${searchParams}` : ''
    // Two slashes would begin the name of another host.
    return new Response(null, {
      status: 303,
      headers: {
        location: `${pathname.replace(/^\/+/, '/')}${rest}#key=${entered.key}`,
        'set-cookie': entered.cookie,
        'cache-control': 'no-store',
      },
    })
  }
}
