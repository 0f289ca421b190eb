import { readSession } from '../collect/read-session.ts'
import { foldTools } from '../condense/fold-tools.ts'
import { itemJson } from '../condense/item-json.ts'
import { printableJson } from '../condense/printable.ts'
import { renderHeader, renderItems, type Style } from '../condense/render-text.ts'
import type { Artifact } from '../model/artifact.ts'
import type { Item, Session } from '../model/session.ts'
import { redact } from '../redact/redact.ts'
import { faultOf } from './index-job.ts'

export type ReadFormat = 'text' | 'md' | 'json' | 'jsonl'

export interface ReadTask {
  artifact: Artifact
  project?: string
}

export interface ReadSettings {
  format: ReadFormat
  style: Style
  fold: boolean
  redact: boolean
  /** Only items of this span, in milliseconds; JSON cannot carry the infinite. */
  since: number | null
  until: number | null
  /** Whether several sessions are read, so that copies of the same message are to be told once. */
  several: boolean
}

/** One session, ready to be written out. */
export interface ReadPiece {
  session: Session
  text: string
  items: number
  /** Numbers made of id and time, one a message: the same in every copy of it. */
  keys: number[]
  repeated: number
}

export type ReadResult = ReadPiece | { path: string; fault: string }

/** Reads and lays out one transcript. `told` answers whether another session already had a message. */
export function readOne(task: ReadTask, settings: ReadSettings, told?: (key: number) => boolean): ReadResult {
  try {
    const { session, items } = readSession(task.artifact, { purpose: 'read' })
    return layOut(session, items, task.project, settings, told)
  } catch (error) {
    return { path: task.artifact.path, fault: faultOf(error) }
  }
}

function layOut(session: Session, all: Item[], project: string | undefined, settings: ReadSettings, told?: (key: number) => boolean): ReadPiece {
  const keys: number[] = []
  let repeated = 0
  let items = all.filter((item) => inSpan(item, settings))
  if (settings.several) {
    items = items.filter((item) => {
      const key = keyOf(item)
      if (key === undefined) return true
      if (told?.(key)) {
        repeated++
        return false
      }
      keys.push(key)
      return true
    })
    if (repeated > 0)
      items.unshift({ who: 'marker', marker: 'note', text: `${repeated} messages that another session above already told`, line: 1, offset: 0, length: 0 })
  }
  if (settings.redact) redactItems(session, items)
  const shown = settings.fold ? foldTools(items) : items
  return { session: redactedSession(session, settings.redact), text: write(session, shown, project, settings), items: shown.length, keys, repeated }
}

export function write(session: Session, items: readonly Item[], project: string | undefined, settings: Pick<ReadSettings, 'format' | 'style'> & { headless?: boolean }): string {
  switch (settings.format) {
    case 'json':
      return items.map((item) => printableJson(JSON.stringify(itemJson(item, session)))).join(',\n')
    case 'jsonl':
      return items.map((item) => `${printableJson(JSON.stringify(itemJson(item, session)))}\n`).join('')
    case 'text':
    case 'md':
      if (settings.headless) return renderItems(items, session, settings.style)
      return renderHeader(session, project, settings.style) + (renderItems(items, session, settings.style) || '  (nothing was said)\n')
  }
}

export function inSpan(item: Item, { since, until }: Pick<ReadSettings, 'since' | 'until'>): boolean {
  if (item.at === undefined) return true
  return (since === null || item.at >= since) && (until === null || item.at <= until)
}

/** Takes secrets out of everything an item shows, in place. */
export function redactItems(session: Session, items: readonly Item[]): void {
  for (const item of items) {
    if (item.text !== undefined) item.text = redact(item.text)
    if (item.detail !== undefined) item.detail = redact(item.detail)
    if (item.tool?.target !== undefined) item.tool = { name: item.tool.name, target: redact(item.tool.target) }
  }
  if (session.title !== undefined) session.title = redact(session.title)
}

export function redactedSession(session: Session, wanted: boolean): Session {
  if (!wanted) return session
  const clean = (text: string | undefined): string | undefined => (text === undefined ? undefined : redact(text))
  return {
    ...session,
    title: clean(session.title),
    firstHuman: clean(session.firstHuman),
    lastHuman: session.lastHuman.map((text) => redact(text)),
    firstProgram: clean(session.firstProgram),
  }
}

/** Copies of a message keep its id and its time. Ids alone may be short and return in another session. */
function keyOf(item: Item): number | undefined {
  if (item.id === undefined || item.who === 'marker') return undefined
  let high = 0x811c9dc5
  let low = 0x01000193 ^ Math.trunc((item.at ?? 0) / 1000)
  const text = `${item.id}${item.callId ?? ''}`
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b) ^ (low >>> 13)
  }
  return (high >>> 0) * 0x200000 + ((low >>> 0) & 0x1fffff)
}
