import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { Context as Request } from 'hono'
import type { Env } from './env.ts'
import type { Refusal } from './refusal.ts'
import type { Reply } from './thread.ts'

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
export const refused = ({ status, body }: Refusal, more: Record<string, string> = {}): Response =>
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
export async function replied(reply: Reply, c: Request<Env>): Promise<Response> {
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
