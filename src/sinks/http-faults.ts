import { SinkError } from './sink.ts'

/** What keeps a certificate from being trusted. */
const CERTIFICATE =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ENETUNREACH: 'the network cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'nobody answered in time',
}

/** A fault of the network or of TLS, by its code alone: what the system says of it may quote a proxy or a header. */
export function faultOfNetwork(error: unknown, place: string): SinkError {
  const { code = '', statusCode } = error as { code?: string; statusCode?: number }
  if (CERTIFICATE.test(code))
    return new SinkError('stop', `${place}: its certificate is not to be trusted (${code}).`, {
      wayOut: 'Have it mended. A certificate of your own is trusted when NODE_EXTRA_CA_CERTS names its file.',
    })
  if (code === 'ERR_PROXY_TUNNEL' && (statusCode === 407 || statusCode === 403))
    return new SinkError('stop', `${place}: the proxy answered ${statusCode}.`, {
      wayOut: 'Put name and password into HTTPS_PROXY, or leave the host out with NO_PROXY.',
    })
  if (code === 'ERR_PROXY_INVALID_CONFIG' || code === 'ERR_INVALID_URL')
    return new SinkError('stop', `${place}: the address of the proxy cannot be used.`, {
      wayOut: 'Mend HTTP_PROXY or HTTPS_PROXY, or leave the host out with NO_PROXY.',
    })
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return new SinkError('stop', `${place} does not speak TLS as we do (${code}).`, {
      wayOut: 'See whether the address should begin with http:, or whether the server is too old.',
    })
  return new SinkError(
    'retry',
    `${place}: ${REASONS[code] ?? `the connection failed (${code || 'no code'})`}`,
  )
}
