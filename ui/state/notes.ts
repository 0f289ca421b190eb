import { computed, signal } from '@preact/signals'
import { shownText } from '../../src/model/hidden.ts'
import type { ReadingName } from '../api/ask.ts'

/** Endpoints whose notes are part of what they answer, and shown there. */
const SAYS_ITSELF: ReadonlySet<string> = new Set<ReadingName>(['search', 'resume', 'devlog', 'export'])

/** What the latest answer of each endpoint could not read, in sentences. */
const latest = signal<ReadonlyMap<string, readonly string[]>>(new Map())

/** Notes that the person has put away. They do not come back until the page is loaded again. */
const read = signal<ReadonlySet<string>>(new Set())

/** Each note once, however many answers have it. */
export const notes = computed(() =>
  [...new Set([...latest.value.values()].flat())].filter((note) => !read.value.has(note)),
)

export function putNotesAway(): void {
  read.value = new Set([...read.value, ...notes.value])
}

/** Takes the notes of an answer, as its header states them. */
export function takeNotes(address: string, header: string | null): void {
  const [name = ''] = address.replace(/^\/api\//, '').split('?')
  if (SAYS_ITSELF.has(name) || (header === null && !latest.value.has(name))) return
  const next = new Map(latest.value)
  if (header === null) next.delete(name)
  else next.set(name, textsIn(header))
  latest.value = next
}

function textsIn(header: string): string[] {
  try {
    const texts: unknown = JSON.parse(decodeURIComponent(header))
    return Array.isArray(texts) ? texts.filter((each) => typeof each === 'string').map(shownText) : []
  } catch {
    return []
  }
}
