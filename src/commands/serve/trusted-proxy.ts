import { isIP } from 'node:net'
import { ScrollbackError } from '../../errors.ts'
import type { TrustedProxy } from '../kit/context.ts'

/** What RFC 9110 allows as the name of a header. */
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/
/** Headers that every client sends, so they prove nothing. */
const COMMON: ReadonlySet<string> = new Set([
  ...[
    'accept',
    'accept-encoding',
    'accept-language',
    'authorization',
    'connection',
    'cookie',
    'host',
    'origin',
  ],
  ...['referer', 'user-agent', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded'],
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
