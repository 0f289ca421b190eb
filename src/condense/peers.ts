/** Numbers, addresses and handles of people: what an agent's index and its jobs know of whom it talks to. */

/** `5550100` as `55…00`: enough to tell two apart for whoever knows them. What stands before a colon says where. */
export function shortPeer(id: string): string {
  const at = /^[@!#]/.test(id) ? -1 : id.lastIndexOf(':')
  if (at >= 0) return `${id.slice(0, at + 1)}${shortPeer(id.slice(at + 1))}`
  return id.length < 6 ? `${id.slice(0, 1)}…` : `${id.slice(0, 2)}…${id.slice(-2)}`
}

/** A session key, its parts that name people shortened: numbers, and addresses. */
export const shortKey = (key: string): string =>
  key
    .split(':')
    .map((part) => (/^[+-]?\d{5,}|@/.test(part) && !/^[0-9a-f]{8}-/.test(part) ? shortPeer(part) : part))
    .join(':')

/** A text in which a peer is named may stand anywhere: each place is shortened. */
export function withoutPeer(text: string, peer: string | undefined): string {
  const bare = peer?.slice(peer.lastIndexOf(':') + 1)
  return bare === undefined || bare.length < 5 ? text : text.replaceAll(bare, shortPeer(bare))
}

/** What an index calls a place, `Ann (@ann) id:5550100`: numbers, addresses and handles in it are shortened. */
export const shortLabel = (label: string): string =>
  label.replace(/[\w.+-]+@[\w.-]+|@\w{2,}|[+-]?\d{5,}/g, shortPeer)
