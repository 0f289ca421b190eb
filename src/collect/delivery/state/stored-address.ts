import { hash } from 'node:crypto'

/** Hash digits that distinguish addresses with different queries, too few to recover a key from. */
const TELLING = 4

/** The address of a destination as stored: without the values of its query, which may be keys. */
export function storedAddress(address: string): string {
  const at = address.indexOf('?')
  if (at < 0) return address
  const names = [...new URLSearchParams(address.slice(at + 1)).keys()]
  const query = names.map((name) => `${encodeURIComponent(name)}=…`).join('&')
  return `${address.slice(0, at)}?${query}~${hash('sha256', address, 'base64url').slice(0, TELLING)}`
}
