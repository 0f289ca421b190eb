/** Shortens phone numbers, addresses and handles of people, which occur in session indexes and cron jobs. */

/**
 * Shortens `5550100` to `55…00`, which is still recognizable to those who know it. A prefix before a colon is
 * kept.
 */
export function shortPeer(id: string): string {
  const at = /^[@!#]/.test(id) ? -1 : id.lastIndexOf(':')
  if (at >= 0) return `${id.slice(0, at + 1)}${shortPeer(id.slice(at + 1))}`
  return id.length < 6 ? `${id.slice(0, 1)}…` : `${id.slice(0, 2)}…${id.slice(-2)}`
}

/** Shortens the parts of a session key that identify people: numbers and addresses. */
export const shortKey = (key: string): string =>
  key
    .split(':')
    .map((part) => (/^[+-]?\d{5,}|@/.test(part) && !/^[0-9a-f]{8}-/.test(part) ? shortPeer(part) : part))
    .join(':')

/** Shortens every occurrence of a peer in a text. */
export function withoutPeer(text: string, peer: string | undefined): string {
  const bare = peer?.slice(peer.lastIndexOf(':') + 1)
  return bare === undefined || bare.length < 5 ? text : text.replaceAll(bare, shortPeer(bare))
}

/** Shortens the numbers, addresses and handles in a label such as `Ann (@ann) id:5550100`. */
export const shortLabel = (label: string): string =>
  label.replace(/[\w.+-]+@[\w.-]+|@\w{2,}|[+-]?\d{5,}/g, shortPeer)
