import { existsSync } from 'node:fs'
import { createExcerpt, type Excerpt, foldRepeats, foldTools } from '../condense/condense.ts'
import { itemJson } from '../condense/item-json.ts'
import type { ReadingContext } from '../context/context.ts'
import { faultOf } from '../context/read-files.ts'
import type { Artifact } from '../model/artifact.ts'
import { shownName } from '../model/hidden.ts'
import type { Item, Session, Who } from '../model/session.ts'
import { projectNameOf } from '../project/group.ts'
import { redact } from '../redact/redact.ts'
import { createGate, GatedText, type GateOptions } from '../render/gate.ts'
import type { HtmlPages } from '../render/html.ts'
import { counted } from '../render/table.ts'
import { printableJson } from '../render/terminal.ts'
import { finishSession, renderHeader, renderItems, type Style } from '../render/text.ts'
import { type Messages, type Sessions, sessionsByPath } from '../store/store.ts'
import type { StoredSession } from '../store/stored.ts'
import { readSession } from '../sync/read/read-session.ts'
import { isAbove, openingOf, repetition } from './repeats.ts'

export type ReadFormat = 'text' | 'md' | 'json' | 'jsonl' | 'html'

export interface ReadTask {
  artifact: Artifact
  /** Only the items from this line on, or around it. */
  line?: number
  project?: string
}

export interface ReadSettings {
  format: ReadFormat
  /** For pages. Functions cannot be sent to another thread. */
  html?: HtmlPages
  /** Skips sessions without items. */
  skipEmpty?: boolean
  style: Style
  fold: boolean
  redact: boolean
  /** Show numbers and addresses of people in full. */
  identities: boolean
  /** Only items of this span, in ms. Null means open, because JSON has no infinity. */
  since: number | null
  until: number | null
  /** Only items of these kinds. All by default. */
  only?: readonly Who[]
  /** Without tool calls and their errors. The error of a reply that failed is no tool's. */
  withoutTools?: boolean
  /** Only this part of each session. */
  excerpt: Excerpt
  /** Whether several sessions are read, so that a message they share is printed once. */
  several: boolean
}

/** One rendered session. */
interface ReadPiece {
  session: Session
  project?: string
  /** The text, in UTF-8. It has passed a gate with the options of the settings. */
  bytes: Uint8Array<ArrayBuffer>
  items: number
  /** Keys of the first messages. A copy of a session has the same. */
  opening: number[]
  repeated: number
}

export type ReadResult = ReadPiece | { path: string; fault: string }

/** Reads and renders one transcript. `above` holds the keys of items in sessions above it. */
export function readOne(
  task: ReadTask,
  settings: ReadSettings,
  above?: ReadonlySet<number>,
  read: TranscriptReader = readFromFile,
): ReadResult {
  try {
    const { session, items } = read(task, needsOf(settings))
    const excerpt = createExcerpt({ ...settings.excerpt, line: task.line })
    const wanted = [...excerpt.take(createChoice(settings)(items)), ...excerpt.end()]
    return layOut(session, wanted, task.project ?? projectNameOf(session), settings, above)
  } catch (error) {
    return { path: task.artifact.path, fault: faultOf(error) }
  }
}

/** What an answer needs of the items it is made of. */
interface ItemNeeds {
  redact: boolean
  /** The usage of replies. Only JSON shows it, and the store looks it up. */
  usage: boolean
}

export const needsOf = ({ redact, format }: Pick<ReadSettings, 'redact' | 'format'>): ItemNeeds => ({
  redact,
  usage: isJson(format),
})

/** Whether a format is JSON: one document, or a line per item. */
export const isJson = (format: string): boolean => format === 'json' || format === 'jsonl'

/** Returns the items of a transcript, from its file or from the store. */
export type TranscriptReader = (task: ReadTask, needs: ItemNeeds) => { session: Session; items: Item[] }

const readFromFile: TranscriptReader = ({ artifact }, { redact }) => readSession(artifact, { redact })

const encoder = new TextEncoder()

function layOut(
  session: Session,
  all: Item[],
  project: string | undefined,
  settings: ReadSettings,
  above?: ReadonlySet<number>,
): ReadPiece {
  const items = above ? all.filter((item) => !isAbove(item, session, above)) : all
  const repeated = all.length - items.length
  // Items that only the copy contains come first.
  if (repeated > 0 && session.state === 'backup') items.push(repetition(repeated))
  else if (repeated > 0) items.unshift(repetition(repeated))
  const shown = foldedFor(items, settings)
  const finished = finishSession(session, settings.identities)
  return {
    session: finished,
    project,
    bytes: encoder.encode(createGate(gateOf(settings)).output(write(finished, shown, project, settings))),
    items: shown.length,
    opening: settings.several ? openingOf(all, session) : [],
    repeated,
  }
}

const gateOf = ({ redact, style, format }: ReadSettings): GateOptions => ({
  redact,
  colors: style.color,
  json: isJson(format),
})

/** The text of a rendered session. */
export const gatedText = ({ bytes }: ReadPiece, settings: ReadSettings): GatedText =>
  new GatedText(bytes, gateOf(settings))

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
      const html = settings.html!.items(items, session, settings.style)
      return settings.headless ? html : settings.html!.header(session, project) + html
    }
    case 'text':
    case 'md':
      if (settings.headless) return renderItems(items, session, settings.style)
      return (
        renderHeader(session, project, settings.style) +
        (renderItems(items, session, settings.style) || '  (no messages)\n')
      )
  }
}

/** Whether nothing of a session is in the requested span. */
export function isOutside(
  session: Session,
  { since, until }: Pick<ReadSettings, 'since' | 'until'>,
): boolean {
  const last = session.lastActivityMs ?? session.modifiedMs
  const first = session.startedMs ?? session.modifiedMs
  return (since !== null && last < since) || (until !== null && first > until)
}

/** Items with tool calls folded, if that is asked for. In text, what only repeats is folded in any case. */
export function foldedFor(
  items: readonly Item[],
  { fold, format, style }: Pick<ReadSettings, 'fold' | 'format' | 'style'>,
): readonly Item[] {
  if (fold) return foldTools(items)
  return (format === 'text' || format === 'md') && !style.lines ? foldRepeats(items) : items
}

/** Whether an item is in the span and of the kinds that are asked for. */
export function isWanted(
  { at, who, tool }: Item,
  { since, until, only, withoutTools }: Pick<ReadSettings, 'since' | 'until' | 'only' | 'withoutTools'>,
): boolean {
  if (only && !only.includes(who)) return false
  if (withoutTools && (who === 'tool' || (who === 'error' && tool !== undefined))) return false
  if (at === undefined) return true
  return (since === null || at >= since) && (until === null || at <= until)
}

/** An answer of a few words is no message without the question. */
const SHORT = /^\S+(?:\s+\S+){0,5}$/
const SHORT_CHARACTERS = 40
const QUESTION_CHARACTERS = 200

/**
 * Chooses the items that are asked for, of one slice after another. If only the words of people are, a short
 * answer has the question that it answers.
 */
export function createChoice(
  settings: Pick<ReadSettings, 'since' | 'until' | 'only' | 'withoutTools'>,
): (items: readonly Item[]) => Item[] {
  const isOneSided = settings.only?.includes('human') && !settings.only.includes('agent')
  let before = ''
  return (items) =>
    items.flatMap((item) => {
      if (item.who === 'agent' && item.text !== undefined) before = item.text
      if (!isWanted(item, settings)) return []
      if (!isOneSided || item.who !== 'human') return [item]
      const { text = '' } = item
      const asked = text.length <= SHORT_CHARACTERS && SHORT.test(text.trim()) ? questionIn(before) : ''
      before = ''
      return [asked === '' ? item : { ...item, asked }]
    })
}

/** The last question of a message, or else its last line. */
function questionIn(text: string): string {
  const lines = text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line))
  const line = lines.findLast((each) => each.includes('?')) ?? lines.at(-1) ?? ''
  const sentences = line.trim().split(/(?<=[.!?])\s+/)
  const question = sentences.findLast((sentence) => sentence.endsWith('?')) ?? line.trim()
  return question.length > QUESTION_CHARACTERS
    ? `…${question.slice(-QUESTION_CHARACTERS)}`.toWellFormed()
    : question
}

/** Redacts a text, if requested. */
export const cleaner = (wanted: boolean): ((text: string) => string) => (wanted ? redact : (text) => text)

/** Reads sessions from the store, or from files: see `readerFor`. */
type SessionReader = TranscriptReader & {
  /** Shows secrets if not. */
  redact: boolean
  /** Whether a session is read from the store. */
  has(path: string): boolean
  isGone(path: string): boolean
  /** The machine of the file, in a team store. */
  deviceOf(path: string): string | undefined
  /** The messages of a session that would fill memory, page by page. Undefined for any other session. */
  pages(path: string): Iterable<{ session: Session; items: Item[] }> | undefined
  /** Its row. Undefined if it is not read from the store. */
  session(path: string): Session | undefined
  /** What the client has cut off an existing file, with its session row. Undefined if nothing was cut. */
  cut(task: ReadTask): { session: Session; items: Item[] } | undefined
}

/** A stored session, in slices. */
type Slices = Iterable<{ session: Session; items: Item[] }>

/**
 * Returns a function that reads a session whose file is gone. It returns undefined for any other session,
 * which is read from its file. With `full`, a note says that the details are lost with the file.
 */
export function createStoredSlices(
  context: ReadingContext,
): (artifact: Artifact, full: boolean) => Slices | undefined {
  const stored = readerFor(context)
  return (artifact, full) => {
    const { path, database } = artifact
    if (!stored.has(path) || (!stored.isGone(path) && existsSync(database ?? path))) return undefined
    if (full) {
      const device = stored.deviceOf(path)
      context.note(
        device === undefined
          ? `${shownName(path)} is gone. All messages and tool targets are shown from the store. Tool input, tool output and thinking are lost with the file.`
          : `This transcript is on ${device}. All messages and tool targets are shown from the team store. Tool input, tool output and thinking are only in the file: run the command there.`,
      )
    }
    return stored.pages(path) ?? [stored({ artifact }, { redact: context.redact, usage: true })]
  }
}

/** A session with more lines than this is read in pages of so many messages. */
const MANY_LINES = 20_000
const PAGE = 2000

/** What reading sessions needs of a store. */
type Readable = Messages & Sessions

const readers = new WeakMap<Readable, SessionReader>()

/**
 * Reads sessions from the store. From their files: those outside of it, and with `--no-redact` all that have
 * one. A command shares one reader, which reads the row of a session once.
 */
export function readerFor({ fresh, redact }: Pick<ReadingContext, 'fresh' | 'redact'>): SessionReader {
  const reader = fresh && readers.get(fresh.store)
  if (reader && reader.redact === redact) return reader
  const created = createReader(fresh?.store, redact)
  if (fresh) readers.set(fresh.store, created)
  return created
}

function createReader(store: Readable | undefined, redact: boolean): SessionReader {
  const storedRow = sessionsByPath(store)
  const rowOf = (path: string): StoredSession | undefined => {
    const row = storedRow(path)
    return redact || (row && !hasFile(row)) ? row : undefined
  }
  const read: TranscriptReader = (task, needs) => {
    const row = rowOf(task.artifact.path)
    if (!store || !row) return readFromFile(task, needs)
    const items = store.messages(task.artifact.path, undefined, needs)
    return { session: sessionOf(row), items: [...(cut(task)?.items ?? []), ...items] }
  }
  const cut: SessionReader['cut'] = ({ artifact }) => {
    const session = rowOf(artifact.path)?.session
    if (!store || !session?.cut) return undefined
    return { session, items: cutItems(store, session) }
  }
  return Object.assign(read, {
    redact,
    cut,
    has: (path: string) => rowOf(path) !== undefined,
    session(path: string) {
      const row = rowOf(path)
      return row && sessionOf(row)
    },
    isGone: (path: string) => rowOf(path)?.goneMs !== undefined,
    deviceOf: (path: string) => rowOf(path)?.session.device,
    pages(path: string) {
      const row = rowOf(path)
      return store && row && row.session.lines > MANY_LINES ? pagesOf(store, sessionOf(row)) : undefined
    },
  })
}

/** What was indexed of the part that the client has cut off, and a marker that says so. */
export function cutItems(store: Messages, session: Session): Item[] {
  const cut: Item[] = store.cutMessages(session.path)
  const [first] = store.messages(session.path, { line: 0, count: 1 }, { usage: false })
  const isBeginning = (cut[0]?.at ?? 0) <= (first?.at ?? Number.POSITIVE_INFINITY)
  const count = counted(cut.length, 'message')
  const what = isBeginning ? `cut ${count} off its file` : `deleted ${count}; the others follow`
  const text = `up to here from the index: the client has ${what}`
  if (cut.length > 0)
    cut.push({ who: 'marker', marker: 'note', text, line: 0, offset: 0, length: 0, order: 0 })
  return cut
}

/** The prompts of a purged session come from a history of all sessions. */
export const hasFile = ({ session, goneMs }: StoredSession): boolean =>
  goneMs === undefined && session.state !== 'purged'

const sessionOf = ({ session, goneMs }: StoredSession): Session =>
  goneMs === undefined ? session : { ...session, goneMs }

/** Each page ends with a line, so that the items of a line stay together. */
function* pagesOf(store: Messages, session: Session): Generator<{ session: Session; items: Item[] }> {
  if (session.cut) yield { session, items: cutItems(store, session) }
  for (let line = 1; ; ) {
    const items = store.messages(session.path, { line, count: PAGE })
    const last = items.at(-1)?.line ?? line
    const whole = items.length < PAGE ? items : items.filter((item) => item.line < last)
    yield { session, items: whole.length > 0 ? whole : items }
    if (items.length < PAGE) return
    line = whole.length > 0 ? last : last + 1
  }
}
