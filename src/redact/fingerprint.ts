import { createHmac, randomBytes } from 'node:crypto'
import { shownValue } from './shown-view.ts'

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

const plain = (value: string): string => shownValue(value).replace(/\\+[nrt]|[\\\s]/g, '')
