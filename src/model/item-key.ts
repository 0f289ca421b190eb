import type { Item } from './session.ts'

/** Two numbers that tell messages apart: the record they come from, and what they say. */
export interface MessageKey {
  /** 53 bits of the record's id and time; negative where the record has no id of its own. */
  record: number
  /** 32 bits of the content: one record may tell several things, and a copy may be cut short. */
  digest: number
}

/** Copies of a message keep its id and its time. Ids alone may be short and return in another session. */
export function recordKey(item: Item): number | undefined {
  if (item.id === undefined || item.who === 'marker') return undefined
  // What an agent noted is the same whenever its file changed around it.
  const at = item.who === 'memory' ? 0 : (item.at ?? 0)
  return hash53([`${item.id}${item.callId ?? ''}`], Math.trunc(at / 1000))
}

/**
 * What makes a message the same in every file that holds a copy. Who said it is not part of it as far as human and program go:
 * a copy in a fork may count as a program's.
 */
export function messageKey(item: Item, sessionId: string): MessageKey {
  const said = item.who === 'human' || item.who === 'program'
  const content = [
    said ? 'said' : item.who,
    item.text ?? '',
    item.tool?.name ?? '',
    item.tool?.target ?? '',
    item.marker ?? '',
    item.sure === false ? '?' : '',
    said ? '' : (item.label ?? ''),
    item.media?.join('\0') ?? '',
  ]
  const record = recordKey(item) ?? -1 - hash53([`${sessionId}@${item.line}.${item.order}`], item.at ?? 0)
  const length = content.reduce((sum, each) => sum + each.length, content.length - 1)
  return { record, digest: hash53(content, length) % 0x1_0000_0000 }
}

/** Tells texts apart, whatever white space they hold. */
export const textDigest = (text: string): number => hash53([text.replace(/\s+/g, ' ').trim()], 0)

const SEPARATOR = 1

/** Of texts with a separator between them, which are never joined: one of them may be a large part of memory. */
function hash53(texts: readonly string[], seed: number): number {
  let high = 0x811c9dc5
  let low = 0x01000193 ^ seed
  for (const [number, text] of texts.entries()) {
    for (let index = number === 0 ? 0 : -1; index < text.length; index++) {
      const code = index < 0 ? SEPARATOR : text.charCodeAt(index)
      high = Math.imul(high ^ code, 0x01000193)
      low = Math.imul(low ^ code, 0x85ebca6b) ^ (low >>> 13)
    }
  }
  return (high >>> 0) * 0x200000 + ((low >>> 0) & 0x1fffff)
}
