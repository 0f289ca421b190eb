import { createHmac, randomBytes } from 'node:crypto'
import { shownValue } from './shown-view.ts'

/** The length of a fingerprint key in bytes. The key is random and made for one run. */
const KEY_BYTES = 32

export const randomKey = (): Buffer => randomBytes(KEY_BYTES)

/**
 * Identifies equal secrets by a keyed hash, which is useless without the key. Nesting in JSON and line breaks
 * do not change the hash.
 */
export function createFingerprint(key: Uint8Array): (value: string) => string {
  return (value) => createHmac('sha256', key).update(plain(value)).digest('base64url')
}

const plain = (value: string): string => shownValue(value).replace(/\\+[nrt]|[\\\s]/g, '')
