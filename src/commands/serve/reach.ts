import { ScrollbackError } from '../../errors.ts'
import { readPrivateFile } from '../../io/private-file.ts'

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Whether only this machine can reach the address. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

interface Reach {
  host: string
  tokenFile?: string
  insecure: boolean
  tlsCert?: string
  tlsKey?: string
}

/** Refuses to listen beyond this machine without a token of its own, and without encryption. */
export function checkReach({ host, tokenFile, insecure }: Reach, isEncrypted: boolean): void {
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
export function encryption({ tlsCert, tlsKey }: Reach): { cert: string; key: string } | undefined {
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
      `Make it private: chmod 600 ${tlsKey}`,
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
