import type { Context as Request } from 'hono'
import type { PageFiles } from '../../../commands/kit/context.ts'
import type { Env } from './env.ts'
import { refusal } from './refusal.ts'
import { refused } from './reply.ts'

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
export function servePageFiles(files: PageFiles, c: Request<Env>): Response {
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
