import { readSession } from '../collect/read-session.ts'
import { createExcerpt, type Excerpt } from '../condense/excerpt.ts'
import { foldTools } from '../condense/fold-tools.ts'
import { itemJson } from '../condense/item-json.ts'
import { printableJson } from '../condense/printable.ts'
import type { HtmlPages } from '../condense/render-html.ts'
import { renderHeader, renderItems, type Style } from '../condense/render-text.ts'
import { withoutIdentities } from '../condense/session-place.ts'
import type { Artifact } from '../model/artifact.ts'
import { recordKey } from '../model/item-key.ts'
import type { Item, Session } from '../model/session.ts'
import { projectNameOf } from '../project/group.ts'
import { redact } from '../redact/redact.ts'
import { faultOf } from './index-job.ts'

export type ReadFormat = 'text' | 'md' | 'json' | 'jsonl' | 'html'

export interface ReadTask {
  artifact: Artifact
  /** Only what stands from this line on, or around it. */
  line?: number
  project?: string
}

export interface ReadSettings {
  format: ReadFormat
  /** Where pages are made; a function goes to no other thread. */
  html?: HtmlPages
  /** Sessions in which nothing is told are left out. */
  skipEmpty?: boolean
  style: Style
  fold: boolean
  redact: boolean
  /** Whether numbers and addresses of people are shown whole. */
  identities: boolean
  /** Only items of this span, in milliseconds; JSON cannot carry the infinite. */
  since: number | null
  until: number | null
  /** Only this part of each session. */
  excerpt: Excerpt
  /** Whether several sessions are read, so that copies of the same message are to be told once. */
  several: boolean
}

/** One session, ready to be written out. */
export interface ReadPiece {
  session: Session
  project?: string
  /** What is written, in UTF-8. */
  bytes: Uint8Array<ArrayBuffer>
  items: number
  /** Keys of the first messages: a copy of a session opens as the session does. */
  opening: number[]
  repeated: number
}

export type ReadResult = ReadPiece | { path: string; fault: string }

/** Reads and lays out one transcript. `told` holds the keys of what a session above already told. */
export function readOne(
  task: ReadTask,
  settings: ReadSettings,
  told?: ReadonlySet<number>,
  read: TranscriptReader = readFromFile,
): ReadResult {
  try {
    const { session, items } = read(task, settings.redact)
    const excerpt = createExcerpt({ ...settings.excerpt, line: task.line })
    const wanted = [...excerpt.take(items.filter((item) => inSpan(item, settings))), ...excerpt.end()]
    return layOut(session, wanted, task.project ?? projectNameOf(session), settings, told)
  } catch (error) {
    return { path: task.artifact.path, fault: faultOf(error) }
  }
}

/** What one transcript tells: from its file, or out of the store. */
export type TranscriptReader = (task: ReadTask, redact: boolean) => { session: Session; items: Item[] }

export const readFromFile: TranscriptReader = ({ artifact }, redact) =>
  readSession(artifact, { purpose: 'read', redact })

const encoder = new TextEncoder()

/** So many first messages tell whether a session may repeat another. */
const OPENING = 3

function layOut(
  session: Session,
  all: Item[],
  project: string | undefined,
  settings: ReadSettings,
  told?: ReadonlySet<number>,
): ReadPiece {
  const opening: number[] = []
  let repeated = 0
  let items = all
  if (settings.several) {
    for (let at = 0; at < items.length && opening.length < OPENING; at++) {
      const key = isSpeech(items[at]!) ? keyOf(items[at]!) : undefined
      if (key !== undefined) opening.push(key)
    }
    if (told) {
      const fresh = items.filter((item) => !told.has(keyOf(item) ?? Number.NaN))
      repeated = items.length - fresh.length
      items = fresh
      // Of a copy, what stands only there comes first.
      if (repeated > 0 && session.state === 'backup') items.push(repetition(repeated))
      else if (repeated > 0) items.unshift(repetition(repeated))
    }
  }
  const shown = settings.fold ? foldTools(items) : items
  const finished = finishSession(session, settings.identities)
  return {
    session: finished,
    project,
    bytes: encoder.encode(write(finished, shown, project, settings)),
    items: shown.length,
    opening,
    repeated,
  }
}

const isSpeech = (item: Item): boolean =>
  item.who === 'human' || item.who === 'agent' || item.who === 'program'

const repetition = (count: number): Item => ({
  who: 'marker',
  marker: 'note',
  text: `${count} entries that a session above already told`,
  line: 1,
  offset: 0,
  length: 0,
  order: 0,
})

/** Keys of everything a session tells, for those that repeat it. */
export const keysOf = (task: ReadTask, read: TranscriptReader = readFromFile): number[] =>
  read(task, true).items.flatMap((item) => keyOf(item) ?? [])

/** Items from a store bring their key with them. */
const keyOf = (item: Item): number | undefined => item.record ?? recordKey(item)

export function write(
  session: Session,
  items: readonly Item[],
  project: string | undefined,
  settings: Pick<ReadSettings, 'format' | 'style' | 'html'> & { headless?: boolean },
  replies = new Set<number>(),
): string {
  switch (settings.format) {
    case 'json':
      return items.map((item) => printableJson(JSON.stringify(itemJson(item, session, replies)))).join(',\n')
    case 'jsonl':
      return items
        .map((item) => `${printableJson(JSON.stringify(itemJson(item, session, replies)))}\n`)
        .join('')
    case 'html': {
      const told = settings.html!.items(items, session, settings.style)
      return settings.headless ? told : settings.html!.header(session, project) + told
    }
    case 'text':
    case 'md':
      if (settings.headless) return renderItems(items, session, settings.style)
      return (
        renderHeader(session, project, settings.style) +
        (renderItems(items, session, settings.style) || '  (nothing was said)\n')
      )
  }
}

/** Whether nothing of a session falls into the span that was asked for. */
export function isOutside(
  session: Session,
  { since, until }: Pick<ReadSettings, 'since' | 'until'>,
): boolean {
  const last = session.lastActivityMs ?? session.modifiedMs
  const first = session.startedMs ?? session.modifiedMs
  return (since !== null && last < since) || (until !== null && first > until)
}

export function inSpan(item: Item, { since, until }: Pick<ReadSettings, 'since' | 'until'>): boolean {
  if (item.at === undefined) return true
  return (since === null || item.at >= since) && (until === null || item.at <= until)
}

/** Most that is shown of words an index quotes. */
const QUOTE_LIMIT = 4000

/** What takes secrets out of a text, where that is wanted. */
export const cleaner = (wanted: boolean): ((text: string) => string) => (wanted ? redact : (text) => text)

/** A row of the index, its quotes cut to what is shown, and people shortened in it unless they are to be shown whole. */
export function finishSession(whole: Session, identities = false): Session {
  const session = identities ? whole : withoutIdentities(whole)
  const short = (text: string): string =>
    text.length > QUOTE_LIMIT ? `${text.slice(0, QUOTE_LIMIT - 1)}…`.toWellFormed() : text
  const maybe = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : short(text)
  return {
    ...session,
    title: maybe(session.title),
    firstHuman: maybe(session.firstHuman),
    lastHuman: session.lastHuman.map(short),
    firstProgram: maybe(session.firstProgram),
  }
}
