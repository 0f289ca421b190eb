import { hash53 } from './hash.ts'
import type { Item } from './session.ts'

/**
 * Two numbers that identify a message: its record and its content. See `hash.ts` for the odds of a collision.
 */
interface MessageKey {
  /** 53 bits of the record's id and time. Negative if the record has no id of its own. */
  record: number
  /** 32 bits of the content, because one record may yield several items and a copy may be cut short. */
  digest: number
}

/** Begins the names of records that have no ids, and no spaces (see `sharedTurn`). */
const OF_TURN = 'turn '

/** Names a record by its turn, its content, and how often that came before in the turn. */
export const sharedTurn = (turn: string, digest: number, count: number): string =>
  `${OF_TURN}${turn} ${digest} ${count}`

/** Whether copies of an item may have other times, so that the store has that of the first one. */
export const isTimeShared = ({ sharedId }: Item): boolean => sharedId?.startsWith(OF_TURN) === true

/**
 * Duplicates keep the id and the time of the message. The id alone may be short and recur in another session.
 * Copies of turns have other times.
 */
export function recordKey(item: Item): number | undefined {
  const { sharedId: id = item.id } = item
  if (id === undefined || item.who === 'marker') return undefined
  // A memory entry stays the same when its file changes around it.
  const at = item.who === 'memory' || isTimeShared(item) ? 0 : (item.at ?? 0)
  return hash53([`${id}${item.callId ?? ''}`], Math.trunc(at / 1000))
}

/**
 * The key is the same in every file with a copy of the message. It does not distinguish human from program,
 * because a copy in a fork may count as a program's.
 */
export function messageKey(item: Item, sessionId: string): MessageKey {
  const isPrompt = item.who === 'human' || item.who === 'program'
  const content = [
    isPrompt ? 'said' : item.who,
    item.text ?? '',
    item.tool?.name ?? '',
    item.tool?.target ?? '',
    item.marker ?? '',
    item.sure === false ? '?' : '',
    isPrompt ? '' : (item.label ?? ''),
    item.media?.join('\0') ?? '',
  ]
  // Its line changes when the client cuts the beginning off its file.
  const line = item.at === undefined ? `${item.line}.` : ''
  const record = recordKey(item) ?? -1 - hash53([`${sessionId}@${line}${item.order}`], item.at ?? 0)
  const length = content.reduce((sum, each) => sum + each.length, content.length - 1)
  return { record, digest: hash53(content, length) % 0x1_0000_0000 }
}

/** Identifies a text regardless of its white space. */
export const textDigest = (text: string): number => hash53([singleSpaced(text)], 0)

/**
 * How many characters are replaced at once. The engine notes each match of a whole text, which takes a
 * gigabyte for 50 MB of words.
 */
const PIECE = 1 << 16

/** The text with single spaces for white space, and none at its ends. */
export function singleSpaced(text: string): string {
  if (text.length <= PIECE) return replaced(text).trim()
  let all = ''
  let endsInSpace = false
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = replaced(text.slice(at, at + PIECE))
    all += endsInSpace && piece.startsWith(' ') ? piece.slice(1) : piece
    endsInSpace = piece.endsWith(' ')
  }
  return all.trim()
}

const replaced = (text: string): string => text.replace(/\s+/g, ' ')
