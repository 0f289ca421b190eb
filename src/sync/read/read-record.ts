import { type Line, readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Part } from '../../model/event.ts'
import { platformOf } from '../../platforms/index.ts'
import { openArtifact } from './read-session.ts'

/** Where reading starts: a line at or before the wanted one, and its offset. */
export interface LineStart {
  line: number
  offset: number
}

/** A line of a transcript as it was recorded, with what it means. */
export interface RecordLine {
  line: number
  /** The parsed entries, usually one. */
  entries: unknown[]
  parts: Part[]
  /** The reply that the line is a part of. */
  reply?: string | undefined
}

export interface FoundRecord {
  record: RecordLine
  /** Lines before it with thinking of the same reply. Claude Code writes each block on a line of its own. */
  thinking: RecordLine[]
  /** Lines after it with results of its tool calls. */
  results: RecordLine[]
}

export interface RecordNeeds {
  results: boolean
  /** The first line that may have thinking of the record. It is not before the start. */
  thinkingFrom?: number
}

/** How far results of tool calls are searched, in bytes. They usually follow within a few lines. */
const RESULTS_WITHIN = 64 * 1024 * 1024

/** Longer lines are not parsed to look for thinking. */
const LONGEST_THINKING = 1024 * 1024

/**
 * Reads one line of a transcript, and the lines that have its thinking and the results of its tool calls.
 * Reads no more of the file than needed. Undefined if the file has no such line. Throws the system's error.
 */
export function readRecord(
  found: Artifact,
  start: LineStart,
  line: number,
  { results: wantsResults, thinkingFrom = line }: RecordNeeds,
): FoundRecord | undefined {
  const platform = platformOf(found.platform)
  const artifact = platform.files.describe?.(found) ?? found
  let record: RecordLine | undefined
  let pending: Set<string> = new Set()
  const before: RecordLine[] = []
  const results: RecordLine[] = []
  let isPast = false
  const source = openArtifact(artifact)
  try {
    source.lineBegins?.(start.offset, start.line)
    source.seek(start.offset)
    const reach = { offset: start.offset, number: start.line, enough: RESULTS_WITHIN }
    readLines(source, visit, {
      ...reach,
      full: () => isPast && pending.size === 0,
    })
  } finally {
    source.close()
  }
  return record && { record, thinking: thinkingOf(record, before), results }

  function visit(shape: Line): void {
    if (shape.number < thinkingFrom) return
    if (shape.number < line) {
      if (mayThink(shape)) before.push(parsed(shape))
      return
    }
    isPast = true
    if (shape.oversized) return
    if (shape.number === line) {
      const found = parsed(shape)
      if (found.entries.length === 0) return
      record = found
      pending = new Set(wantsResults ? callIdsIn(record.parts) : [])
      return
    }
    if (pending.size === 0) return
    const bytes = shape.bytes.subarray(shape.start, shape.end)
    if (![...pending].some((id) => bytes.includes(id))) return
    const next = parsed(shape)
    const answered = next.parts.flatMap((part) =>
      part.type === 'tool-result' && part.callId !== undefined && pending.has(part.callId)
        ? [part.callId]
        : [],
    )
    if (answered.length === 0) return
    for (const id of answered) pending.delete(id)
    results.push(next)
  }

  function parsed(shape: Line): RecordLine {
    const { entries } = parseLine(shape.bytes, shape.start, shape.end)
    const drafts = entries.flatMap((entry) => platform.records.normalize(entry, artifact))
    const messages = drafts.flatMap(({ payload }) => (payload.type === 'message' ? [payload] : []))
    return {
      line: shape.number,
      entries,
      reply: messages[0]?.messageId,
      parts: messages.flatMap(({ parts }) => parts),
    }
  }
}

const mayThink = ({ oversized, bytes, start, end }: Line): boolean =>
  !oversized && end - start <= LONGEST_THINKING && bytes.subarray(start, end).includes('"thinking"')

const thinkingOf = ({ reply }: RecordLine, before: readonly RecordLine[]): RecordLine[] =>
  before.filter((each) => each.reply !== undefined && each.reply === reply)

const callIdsIn = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part.type === 'tool-call' && part.callId !== undefined ? [part.callId] : []))
