import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Context, PageListening, TrustedProxy } from '../../context/context.ts'
import { ScrollbackError } from '../../errors.ts'
import { readPrivateFile } from '../../io/own-files.ts'
import { shellWord } from '../../model/shell-word.ts'
import { tokenOf } from '../server.ts'
import { type Answer, type Input, PORT } from './answer.ts'
import { buildPage, serveUntilStopped } from './page.ts'

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
  const files = await buildPage(context)
  const token = pageToken(given, context)
  const listening = await started((port) =>
    servePage(context, {
      host: given.host,
      port,
      token,
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

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Whether only this machine can reach the address. */
const isLoopback = (host: string): boolean => LOOPBACK.test(host)

interface Reach {
  host: string
  tokenFile?: string
  insecure: boolean
  tlsCert?: string
  tlsKey?: string
}

/** Refuses to listen beyond this machine without a token of its own, and without encryption. */
function checkReach({ host, tokenFile, insecure }: Reach, isEncrypted: boolean): void {
  if (isLoopback(host)) return
  if (tokenFile === undefined)
    throw new ScrollbackError(
      'bad-option',
      `--host ${host}: other machines can reach this address, which needs a token of its own`,
      'Put a long random text into a file that only you may read, and name it with --token-file.',
    )
  if (!isEncrypted && !insecure)
    throw new ScrollbackError(
      'bad-option',
      `--host ${host}: other machines can reach this address, and HTTP is not encrypted`,
      'Add --tls-cert and --tls-key, or --insecure if something else encrypts the connection.',
    )
}

/** The certificate and its key, if they are given. */
function encryption({ tlsCert, tlsKey }: Reach): { cert: string; key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined)
    throw new ScrollbackError(
      'bad-option',
      '--tls-cert and --tls-key belong together',
      'Give both, or neither.',
    )
  const key = read('--tls-key', tlsKey)
  if (key.open)
    throw new ScrollbackError(
      'bad-option',
      `${tlsKey} contains a key and can be read by others.`,
      `Make it private: chmod 600 ${shellWord(tlsKey)}`,
    )
  return { cert: read('--tls-cert', tlsCert).text, key: key.text }
}

function read(flag: string, path: string): ReturnType<typeof readPrivateFile> {
  try {
    return readPrivateFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ScrollbackError(
      'bad-option',
      `${flag} ${path}: cannot be read (${code})`,
      'Name a PEM file.',
      error,
    )
  }
}

/** What RFC 9110 allows as the name of a header. */
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/
/** Headers that every client sends, so they prove nothing. */
const COMMON: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'connection',
  'cookie',
  'host',
  'origin',
  'referer',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
])

interface Given {
  trustProxy: readonly string[]
  trustProxyHeader?: string
}

/** The proxy that signs users in, if one is given. Throws a `ScrollbackError` for half of it. */
export function trustedProxy({ trustProxy, trustProxyHeader }: Given): TrustedProxy | undefined {
  if (trustProxy.length === 0 && trustProxyHeader === undefined) return undefined
  if (trustProxy.length === 0 || trustProxyHeader === undefined)
    throw new ScrollbackError(
      'bad-option',
      '--trust-proxy and --trust-proxy-header belong together',
      'Give the address of the proxy, and the header in which it names the user.',
    )
  const wrong = trustProxy.find((address) => isIP(address) === 0)
  if (wrong !== undefined)
    throw new ScrollbackError(
      'bad-option',
      `--trust-proxy ${wrong}: not an IP address`,
      'Give the address from which the proxy connects, such as 127.0.0.1, and not its name.',
    )
  const header = trustProxyHeader.toLowerCase()
  if (!NAME.test(header) || COMMON.has(header))
    throw new ScrollbackError(
      'bad-option',
      `--trust-proxy-header ${trustProxyHeader}: not a header that only a proxy sets`,
      'oauth2-proxy sets X-Forwarded-Email: --trust-proxy-header X-Forwarded-Email',
    )
  return { header, addresses: trustProxy.map((address) => address.replace(/^::ffff:/i, '')) }
}

/** The token of the page. It is stored and reused, so that a bookmark survives a restart. */
const pageToken = ({ tokenFile }: { tokenFile?: string }, context: Context): string =>
  context.globalFlags?.demo && tokenFile === undefined
    ? randomBytes(32).toString('base64url')
    : tokenOf({ tokenFile }, 'page-token', context).token
