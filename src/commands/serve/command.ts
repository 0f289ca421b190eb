import * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'
import { type Context, defineCommand } from '../kit/command.ts'
import { field } from '../kit/fields.ts'
import type { PageListening } from '../kit/listening.ts'
import { buildPage } from './build-page.ts'
import { openPage } from './open-page.ts'
import { pageToken } from './page-token.ts'
import { checkReach, encryption, isLoopback } from './reach.ts'

/** The port if none is given, and how many after it are tried if it is taken. */
const PORT = 4477
const TRIED = 20
/** Addresses that stand for all of this machine. */
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const input = z.object({
  port: field.count({
    description: `port to listen on (${PORT}, or the next free one); 0 chooses any free one`,
    placeholder: 'n',
  }),
  host: field.textOr('127.0.0.1', {
    description: 'address to listen on; other machines cannot reach the default',
    placeholder: 'host',
  }),
  open: field.unless({ description: 'do not open the browser' }),
  tokenFile: field.text({
    description: 'read the token from this file, which only you may read',
    placeholder: 'file',
    path: 'file',
  }),
  insecure: field.flag({ description: 'beyond this machine, listen without encryption' }),
  tlsCert: field.text({
    description: 'file with the certificate, as PEM; needs --tls-key',
    placeholder: 'file',
    path: 'file',
  }),
  tlsKey: field.text({
    description: 'file with the key of the certificate, which only you may read',
    placeholder: 'file',
    path: 'file',
  }),
  allowHost: field.texts({
    description: 'another name of this machine, by which a proxy or a tunnel reaches it; may be repeated',
    placeholder: 'name',
  }),
})

type Input = z.output<typeof input>

const output = () => z.object({ version: z.literal(1), url: z.string(), host: z.string(), port: z.number() })

type Answer = z.output<ReturnType<typeof output>>

export const serve = defineCommand({
  stays: true,
  name: 'serve',
  summary: 'show every session in a browser, as a page that only this machine can reach',
  details:
    'Runs until Ctrl-C. The printed address contains a token, which becomes a cookie; keep it to yourself. The page only reads, ' +
    'and loads nothing from elsewhere.',
  examples: [
    { command: 'scrollback serve', tells: 'open the page in your browser' },
    { command: 'scrollback serve --no-open --port 8080', tells: 'only print its address' },
  ],
  input,
  output,
  run: (given, context) => served(given, context),
  *render() {},
  *json() {},
})

async function served(given: Input, context: Context): Promise<Answer> {
  const { servePage, stop, note } = context
  if (!servePage)
    throw new ScrollbackError('bad-option', 'serve: not available here.', 'Run: scrollback serve')
  const tls = encryption(given)
  checkReach(given, tls !== undefined)
  if (!context.redact)
    throw new ScrollbackError(
      'bad-option',
      '--no-redact: not available, because the page shows the store, which contains no secrets',
      'Run the command without --no-redact.',
    )
  const files = await buildPage(context)
  const token = pageToken(given, context)
  const listening = await started((port) =>
    servePage(context, {
      ...{ host: given.host, port, token },
      names: namesOf(given, context).map((name) => name.toLowerCase()),
      tls,
      files,
      fault: (message) => note(message),
    }),
  )
  const { host, port } = listening
  const named = EVERYWHERE.has(host) ? context.machine.device : host
  const url = `${tls ? 'https' : 'http'}://${named.includes(':') ? `[${named}]` : named}:${port}/?token=${token}`
  const answer: Answer = { version: 1, url, host, port }
  // Past the gate, which would take the token out of the address.
  await context.deliverOut(Buffer.from(`${context.globalFlags?.json ? JSON.stringify(answer) : url}\n`))
  note('Press Ctrl-C to stop.')
  if (given.open) await openPage(listening, url, context)
  try {
    await ended(stop)
  } finally {
    await listening.close()
  }
  return answer

  /** Tries the next ports if the usual one is taken. */
  async function started(listen: (port: number) => Promise<PageListening>): Promise<PageListening> {
    const first = given.port ?? PORT
    const last = given.port === undefined ? first + TRIED : first
    for (let port = first; ; port++)
      try {
        const listening = await listen(port)
        if (port !== first) note(`Port ${first} is in use, so the page is at port ${port}.`)
        return listening
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (code === 'EADDRINUSE' && port < last) continue
        if (!/^E[A-Z]+$/.test(code) && tls)
          throw new ScrollbackError(
            'bad-option',
            '--tls-cert, --tls-key: not a certificate and its key in PEM',
            'Give both as PEM, the key without a password.',
            error,
          )
        throw new ScrollbackError(
          'unreadable',
          `${given.host}:${port} is not available (${code}).`,
          'Choose another port or address with --port or --host.',
          error,
        )
      }
  }
}

/** The names by which clients may reach this server, besides its addresses. */
const namesOf = ({ allowHost, host }: Input, { machine }: Context): string[] => [
  ...allowHost,
  host,
  ...(isLoopback(host) ? [] : [machine.device]),
]

const ended = (stop: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (!stop || stop.aborted) return resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
