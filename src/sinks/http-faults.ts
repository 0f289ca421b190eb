import { SinkError } from './sink.ts'

/** Error codes of certificates that are not trusted. */
const CERTIFICATE =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ENETUNREACH: 'the network cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'connection timed out',
}

/**
 * Describes an error of the network or of TLS by its code only. The system's message may quote a proxy or a
 * header.
 */
export function faultOfNetwork(error: unknown, name: string): SinkError {
  const { code = '', statusCode } = error as { code?: string; statusCode?: number }
  if (CERTIFICATE.test(code))
    return new SinkError('stop', `${name}: its certificate is not trusted (${code}).`, {
      wayOut: 'Fix the certificate. To trust one of your own, set NODE_EXTRA_CA_CERTS to its file.',
    })
  if (code === 'ERR_PROXY_TUNNEL' && (statusCode === 407 || statusCode === 403))
    return new SinkError('stop', `${name}: the proxy answered ${statusCode}.`, {
      wayOut: 'Put name and password into HTTPS_PROXY, or leave the host out with NO_PROXY.',
    })
  if (code === 'ERR_PROXY_INVALID_CONFIG' || code === 'ERR_INVALID_URL')
    return new SinkError('stop', `${name}: the address of the proxy cannot be used.`, {
      wayOut: 'Fix HTTP_PROXY or HTTPS_PROXY, or leave the host out with NO_PROXY.',
    })
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return new SinkError('stop', `${name} failed to negotiate TLS (${code}).`, {
      wayOut: 'Check whether the address should begin with http:, or whether the server is too old.',
    })
  return new SinkError('retry', `${name}: ${REASONS[code] ?? `the connection failed (${code || 'no code'})`}`)
}
