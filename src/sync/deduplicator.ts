import { singleSpaced } from '../model/item-key.ts'
import type { MessageRow } from '../store/increment.ts'

/** Labels of prompts that wait in the queue. Their position changes until they are sent. */
const WAITING: ReadonlySet<string> = new Set(['queued', 'waiting'])

/**
 * The key of an item, the same in every file: its record and its content. A marker has no record of its own,
 * and a queued prompt may move, so both are identified by their time.
 */
export function itemKey({ who, at, text, record, digest, more }: MessageRow, session: string): string {
  if (who === 'marker') return `${at ?? session} ${more?.marker} ${text}`
  if (isWaiting(more?.label)) return `${session} ${at} ${text}`
  return `${record} ${digest}`
}

const isWaiting = (label: string | undefined): boolean => label !== undefined && WAITING.has(label)

/**
 * Remembers which items were shown, across all transcripts: forks repeat their parents, and sessions move.
 */
export function createDeduplicator() {
  const shown = new Set<string>()
  /** Prompts that were shown while queued, by session. The message that sends them has the same text. */
  const waiting = new Map<string, string[]>()
  return {
    /** Returns false for a duplicate. `before`: whether the item was shown before following began. */
    isNew(row: MessageRow, session: string, before: (key: string) => boolean): boolean {
      const key = itemKey(row, session)
      if (shown.has(key) || before(key)) return false
      shown.add(key)
      const { who, text, more } = row
      if (text === null || (who !== 'human' && who !== 'program')) return true
      if (!isWaiting(more?.label)) return !takenUp(text, session)
      const own = waiting.get(session)
      if (own) own.push(singleSpaced(text))
      else waiting.set(session, [singleSpaced(text)])
      return true
    },
  }

  /** Whether a prompt consists of one or more queued prompts and nothing else. */
  function takenUp(text: string, session: string): boolean {
    const own = waiting.get(session) ?? []
    let rest = singleSpaced(text)
    const taken: string[] = []
    while (rest !== '') {
      const next = own.find((each) => !taken.includes(each) && startsWith(rest, each))
      if (next === undefined) return false
      taken.push(next)
      rest = rest.slice(next.length).trimStart()
    }
    for (const each of taken) own.splice(own.indexOf(each), 1)
    return taken.length > 0
  }
}

const startsWith = (text: string, part: string): boolean => text === part || text.startsWith(`${part} `)
