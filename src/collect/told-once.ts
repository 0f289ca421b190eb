import type { MessageRow } from '../store/store.ts'

/** Labels of prompts that were not taken up yet: their place changes until they are. */
const WAITING: ReadonlySet<string> = new Set(['queued', 'waiting'])

/**
 * What makes a thing the same wherever it stands: its record and what it says. A marker has no record of its own, and a prompt that waits
 * may move: they are known by their time.
 */
export function toldKey(
  [who, at, text, , , , , , , record, digest, more]: MessageRow,
  session: string,
): string {
  if (who === 'marker') return `${at ?? session} ${more?.marker} ${text}`
  if (isWaiting(more?.label)) return `${session} ${at} ${text}`
  return `${record} ${digest}`
}

const isWaiting = (label: string | undefined): boolean => label !== undefined && WAITING.has(label)

/** Remembers what was told, over all transcripts: forks repeat their parents, and sessions move. */
export function createToldOnce() {
  const told = new Set<string>()
  /** Prompts that were told while they waited, by session: what takes them up says the same. */
  const waiting = new Map<string, string[]>()
  return {
    /** False where the same was told before. `before`: told before all of this. */
    isNew(row: MessageRow, session: string, before: (key: string) => boolean): boolean {
      const key = toldKey(row, session)
      if (told.has(key) || before(key)) return false
      told.add(key)
      const [who, , text, , , , , , , , , more] = row
      if (text === null || (who !== 'human' && who !== 'program')) return true
      if (!isWaiting(more?.label)) return !takenUp(text, session)
      const own = waiting.get(session)
      if (own) own.push(squeezed(text))
      else waiting.set(session, [squeezed(text)])
      return true
    },
  }

  /** Whether a prompt is what waited, or several of it in one, and nothing else. */
  function takenUp(text: string, session: string): boolean {
    const own = waiting.get(session) ?? []
    let rest = squeezed(text)
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

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim()
const startsWith = (text: string, part: string): boolean => text === part || text.startsWith(`${part} `)
