import type { Payload, SessionEvent } from '../event.ts'
import { hash53 } from '../hash.ts'
import { sharedTurn } from '../item-key.ts'

type Header = Extract<Payload, { type: 'session' }>

/**
 * Names records that have no ids of their own, by turn and content, so that the copies in a fork have the
 * same names. A fork begins with all of its original, so the first turn names the whole conversation.
 */
export function createSharedIds() {
  let header: Header | undefined
  let conversation: string | undefined
  /** The oldest of the sessions that the records come from, of which each fork copies the headers, too. */
  let origin: string | undefined
  let turn: string | undefined
  let begunMs: number | undefined
  /** How often each content occurred in the turn. */
  let counts = new Map<number, number>()

  /** The first turn or, in versions whose turns have no ids, the session with which it all began. */
  const named = (): string => (conversation ??= turn ?? origin ?? header?.forkOf ?? header?.sessionId ?? '')

  return {
    /** Notes headers and turns. Returns the event with a name. */
    name(read: SessionEvent, isCopied: boolean): SessionEvent {
      const { payload } = read
      if (payload.type === 'session') origin = payload.origin ?? origin
      if (payload.type === 'session' && payload.namesTurns) header ??= payload
      if (!header) return read
      if (payload.type === 'turn' && payload.id !== undefined && payload.id !== turn) {
        turn = payload.id
        begunMs = payload.begunMs
        counts = new Map()
      }
      // A copy has the time of the copying.
      const event = isCopied && begunMs !== undefined ? { ...read, at: begunMs } : read
      if (payload.type === 'usage') {
        // The running total goes on in a fork, so it tells requests apart.
        const key = payload.total ? `${named()}/${JSON.stringify(payload.total)}` : payload.key
        return { ...event, payload: { ...payload, key } }
      }
      const content = contentOf(payload)
      if (content === undefined) return event
      const digest = hash53(content, 0)
      const count = counts.get(digest) ?? 0
      counts.set(digest, count + 1)
      return { ...event, sharedId: sharedTurn(turn ?? named(), digest, count) }
    },
  }
}

/**
 * A sign of a text, which costs less than all of it. The order of texts distinguishes those with equal signs.
 */
const signOf = (text: string): string => `${text.length} ${text.slice(0, 40)} ${text.slice(-40)}`

function contentOf(payload: Payload): string[] | undefined {
  if (payload.type === 'marker') return [payload.marker, payload.text ?? '']
  if (payload.type !== 'message') return undefined
  return payload.parts.map((part) =>
    part.type === 'text' || part.type === 'thinking'
      ? signOf(part.text)
      : 'callId' in part && part.callId !== undefined
        ? part.callId
        : 'name' in part
          ? part.name
          : part.type,
  )
}
