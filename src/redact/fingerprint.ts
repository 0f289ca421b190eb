import { createHmac, randomBytes } from 'node:crypto'

/** Bytes of a key to fingerprints: as random as it is long, and made for one run. */
const KEY_BYTES = 32

export const randomKey = (): Buffer => randomBytes(KEY_BYTES)

/**
 * Tells equal secrets by a keyed hash, which says nothing to anybody without the key. However deep in JSON a secret stood, and however
 * its lines were broken, it is the same one.
 */
export function createFingerprint(key: Uint8Array): (value: string) => string {
  return (value) => createHmac('sha256', key).update(plain(value)).digest('base64url')
}

const plain = (value: string): string =>
  /[\\\s]/.test(value)
    ? value
        .replace(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        .replace(/\\+[nrt]|[\\\s]/g, '')
    : value
