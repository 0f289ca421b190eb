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
  let turn: string | undefined
  /** How often each content occurred in the turn. */
  let counts = new Map<number, number>()

  /** The first turn or, in versions whose turns have no ids, the thread that the records were written in. */
  const named = (isCopied: boolean): string =>
    (conversation ??= turn ?? (isCopied ? header?.forkOf : undefined) ?? header?.sessionId ?? '')

  return {
    /** Notes headers and turns. Returns the event with a name. */
    name(event: SessionEvent, isCopied: boolean): SessionEvent {
      const { payload } = event
      if (payload.type === 'session' && payload.namesTurns) header ??= payload
      if (!header) return event
      if (payload.type === 'turn' && payload.id !== undefined && payload.id !== turn) {
        turn = payload.id
        counts = new Map()
      }
      if (payload.type === 'usage')
        return { ...event, payload: { ...payload, key: `${named(isCopied)}/${payload.key ?? ''}` } }
      const content = contentOf(payload)
      if (content === undefined) return event
      const digest = hash53(content, 0)
      const count = counts.get(digest) ?? 0
      counts.set(digest, count + 1)
      return { ...event, sharedId: sharedTurn(turn ?? named(isCopied), digest, count) }
    },
  }
}

function contentOf(payload: Payload): string[] | undefined {
  if (payload.type === 'marker') return [payload.marker, payload.text ?? '']
  if (payload.type !== 'message') return undefined
  return payload.parts.map((part) =>
    part.type === 'text' || part.type === 'thinking'
      ? part.text
      : 'callId' in part && part.callId !== undefined
        ? part.callId
        : 'name' in part
          ? part.name
          : part.type,
  )
}
