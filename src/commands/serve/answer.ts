import * as z from 'zod/mini'
import { field } from '../../context/flags.ts'

/** The port if none is given. */
export const PORT = 4477

export const input = z.object({
  port: field.port({
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
  insecure: field.flag({ description: 'listen without encryption where other machines can connect' }),
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
    description: 'another name of this machine, by which a proxy or a tunnel reaches it; can be repeated',
    placeholder: 'name',
  }),
  trustProxy: field.texts({
    description:
      'address of a proxy that signs users in; its requests need no token; needs --trust-proxy-header; can be repeated',
    placeholder: 'address',
  }),
  trustProxyHeader: field.text({
    description: 'the header in which that proxy names the user; ignored from any other address',
    placeholder: 'name',
  }),
})

export type Input = z.output<typeof input>

export const output = () =>
  z.object({ version: z.literal(1), url: z.string(), host: z.string(), port: z.number() })

export type Answer = z.output<ReturnType<typeof output>>
