import { hash } from 'node:crypto'

/** Letters of a hash that tell addresses apart which differ in their queries alone; too few to find a key by. */
const TELLING = 4

/** What the state calls a destination: its address, without the values of its query, which may be keys. */
export function storedAddress(address: string): string {
  const at = address.indexOf('?')
  if (at < 0) return address
  const names = [...new URLSearchParams(address.slice(at + 1)).keys()]
  const query = names.map((name) => `${encodeURIComponent(name)}=…`).join('&')
  return `${address.slice(0, at)}?${query}~${hash('sha256', address, 'base64url').slice(0, TELLING)}`
}
