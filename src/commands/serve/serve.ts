import { ScrollbackError } from '../../errors.ts'
import type { Context, PageListening } from '../kit/context.ts'
import { type Answer, type Input, PORT } from './answer.ts'
import { buildPage } from './build-page.ts'
import { pageToken } from './page-token.ts'
import { checkReach, encryption, isLoopback } from './reach.ts'
import { trustedProxy } from './trusted-proxy.ts'
import { serveUntilStopped } from './until-stopped.ts'

/** How many ports after the usual one are tried if it is taken. */
const TRIED = 20
/** Addresses that stand for all of this machine. */
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Serves the page until it is stopped. */
export async function served(given: Input, context: Context): Promise<Answer> {
  const { servePage, note } = context
  if (!servePage)
    throw new ScrollbackError('bad-option', 'serve: not available here.', 'Run: scrollback serve')
  const tls = encryption(given)
  checkReach(given, tls !== undefined)
  const proxy = trustedProxy(given)
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
      proxy,
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
  const { variables } = context.environment
  await serveUntilStopped(listening, { url, open: given.open }, { ...context, variables })
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
