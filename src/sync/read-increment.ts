import { readLines } from '../io/lines.ts'
import { collectGarbage } from '../io/process.ts'
import type { SeekableSource } from '../io/source.ts'
import type { Artifact, Dispatch } from '../model/artifact.ts'
import type { Fold } from '../model/fold/fold.ts'
import { cleanItem, type FoldedItem, type SentText } from '../model/fold/items.ts'
import { messageKey, textDigest } from '../model/item-key.ts'
import { promptTemplate } from '../model/script.ts'
import type { Item, Position, Session } from '../model/session.ts'
import type {
  Checkpoint,
  HeardPrompt,
  Increment,
  MessageExtra,
  MessageRow,
  UsageRow,
} from '../store/increment.ts'
import { isCurrent, openTail, UNKNOWN } from '../tail/tail.ts'
import { beginReading, cleanerOf, foldLine, openArtifact, type Reading } from './read/read-session.ts'
import { withRepository } from './read/repository.ts'
import { seal, withoutSecrets } from './read/seal.ts'

/**
 * Incremented when lines are understood differently or new secrets are found. Files read by an older version
 * are read again.
 */
export const PARSER_VERSION = 41
/** Bytes that are read before they are written. Bounds memory for files of any length. */
const SLICE = 24 * 1024 * 1024
/** Approximate bytes of items after which a slice ends. */
const SLICE_WEIGHT = 6 * 1024 * 1024
/** Only a very large record makes a slice heavier than this. */
const LARGE_WEIGHT = 16 * 1024 * 1024

export interface IncrementTask {
  artifact: Artifact
  base?: { id: number; revision: number; checkpoint: Checkpoint }
  /** The transcript as far as an earlier call has folded it: up to the checkpoint. */
  reading?: FoldedFile
  /** Read from the first byte, regardless of the checkpoint. */
  again?: boolean
  /** What other files say about the session has changed. */
  relinked?: boolean
  slice?: number
  lineLimit?: number
  /** Also return the unredacted items, for a caller that asked for them. They are never passed to a store. */
  plain?: boolean
}

/** A transcript that stays in memory as it was folded, so that reading it can continue. */
export interface FoldedFile {
  reading: Reading
  /** The line after those that were folded. */
  line: number
  generation: number
  /** What the path, neighboring files and other sessions said about it. */
  facts: string
  /** How many prompts the last increment with prompts had. */
  prompts: number
}

/** Only so many transcripts are being written at a time, and those of more bytes take too much memory. */
const MOST_FOLDED = 4
const MOST_FOLDED_BYTES = 64 * 1024 * 1024

/**
 * Transcripts that stay folded in a program that stays, so that one more line costs one line: the ones that
 * grew last.
 */
export type FoldedFiles = ReturnType<typeof createFoldedFiles>

export function createFoldedFiles() {
  const files = new Map<string, FoldedFile>()
  return {
    get: (path: string): FoldedFile | undefined => files.get(path),
    put({ artifact: { path }, checkpoint }: Increment, folded: FoldedFile | undefined): void {
      files.delete(path)
      if (folded && checkpoint.offset <= MOST_FOLDED_BYTES) files.set(path, folded)
      const [oldest] = files.keys()
      if (files.size > MOST_FOLDED) files.delete(oldest!)
    },
    clear: (): void => files.clear(),
  }
}

export interface ReadIncrement {
  increment: Increment
  /** For the next call, in this thread. Absent if the file ends with a line that may still grow. */
  reading?: FoldedFile
  bytesRead: number
  /** Approximate memory of the increment, in bytes. */
  weight: number
  /** The document was not written to its end: it is one malformed line. */
  torn?: true
  /** With `plain`: the items that the rows were made from. */
  itemsOfRows?: ReadonlyMap<MessageRow, Item>
}

/**
 * Reads what is new in one file: after its checkpoint if that is still valid, else from the first byte. What
 * precedes the checkpoint is folded again, unless it is at hand. Returns at most one slice; if `more` is set,
 * the next call continues. Throws file system errors.
 */
export function readIncrement(task: IncrementTask): ReadIncrement {
  const { base } = task
  const earlier = task.reading
  const begun = beginReading(task.artifact, { redact: task.plain !== true })
  const { artifact } = begun
  const facts = `${factsOf(artifact)}${JSON.stringify(artifact.links)}`
  const source = openArtifact(artifact)
  try {
    // What was read before it tore stays as it is, and the document is read once it is whole again.
    if (source.torn && base) throw tornDocument()
    const from = !task.again && base && isCurrent(source, base.checkpoint) ? base.checkpoint : undefined
    const understoodAnew =
      task.again === true && base !== undefined && isUnchanged(source, artifact, base.checkpoint)
    const tail = openTail(source, { nowMs: Date.now(), from })
    const { opened: file, recentlyModified } = tail
    const continues =
      earlier !== undefined &&
      earlier.line === from?.line &&
      earlier.generation === from.generation &&
      earlier.facts === facts
    const reading = continues ? earlier.reading : begun
    const bytesAgain = from && !continues ? foldAgain(source, from, reading) : 0
    const { fold } = reading
    // An unterminated last line is read again: it may have grown or disappeared.
    const unsettled = from !== undefined && !artifact.database && from.size > from.offset
    const allUsages = from === undefined || unsettled || task.relinked === true
    const before = unsettled ? fold.last() : undefined
    let isWhole = true
    const reached = tail.read(
      (line) => {
        isWhole &&= line.terminated
        foldLine(line, reading)
      },
      {
        enough: task.slice ?? SLICE,
        full: () => fold.weight() > SLICE_WEIGHT,
        lineLimit: task.lineLimit,
      },
    )
    // The texts of the lines themselves are still in memory.
    if (fold.weight() > LARGE_WEIGHT) collectGarbage()
    const { settlement, only, session: settled } = fold.settle()
    const cleaner = cleanerOf({ redact: task.plain !== true })
    const session = withRepository(settled, cleaner)
    // As it was opened: since it was listed, it may have grown.
    session.bytes = artifact.database ? reached.offset : file.size
    session.modifiedMs = artifact.database ? artifact.modifiedMs : file.mtimeMs
    const fromLine = from?.line ?? 1
    const prompts = settlement.promptItems()
    const itemsOfRows = task.plain ? new Map<MessageRow, Item>() : undefined
    const row = (item: FoldedItem, clean?: (text: string) => string): MessageRow => {
      const made = messageRow(item, artifact.sessionId, clean)
      itemsOfRows?.set(made, cleanItem(item, cleaner))
      return made
    }
    // With `plain`, the fold redacts nothing.
    const promptRow = (item: FoldedItem): MessageRow => row(item, task.plain ? undefined : fold.cleanPrompt)
    // All of a very long session with every slice would be many times as much as the session.
    const listed = earlier?.prompts ?? 0
    const listsPrompts = reached.ended || !continues || prompts.length >= 2 * listed
    const promptRows = listsPrompts ? prompts.map(promptRow) : undefined
    const items = before?.who === 'agent' ? [before, ...fold.drain()] : fold.drain()
    const changed = fold.usages.drainChanged()
    const increment: Increment = seal({
      artifact: task.artifact,
      base: base && { id: base.id, revision: base.revision },
      fresh: from === undefined,
      understoodAnew,
      more: !reached.ended,
      fromLine,
      messages: items.map((item) => row(item)),
      prompts: promptRows,
      left: [...prompts.filter(settlement.isOffBranch).map(positionOf), ...settlement.abandonedItems()],
      sent: fold.drainSent().map(dispatchOf),
      heard: promptRows?.flatMap(heardPrompt),
      ...openingOf(only === undefined ? undefined : fold.cleanPrompt(only), session),
      usages: usageRows(fold.usages.usages, allUsages ? undefined : changed),
      statements: fold.usages.stated.drain(),
      allUsages,
      session,
      checkpoint: {
        generation: from ? from.generation : (base?.checkpoint.generation ?? 0) + 1,
        ...tail.mark(reached),
        // Whether only its end changed during the read is unknown, so the next reading starts over.
        ...(reached.ended && !tail.isIntact() ? UNKNOWN : {}),
        // A partly read file is stored with a smaller size, so that the next process resumes if this one does
        // not.
        size: reached.ended ? file.size : Math.min(reached.offset, file.size - 1),
        modifiedMs: file.mtimeMs,
        identity: file.identity,
        parser: PARSER_VERSION,
        // Looked at each time until it is whole.
        recentlyModified: recentlyModified || source.torn === true,
      },
    })
    return {
      increment,
      ...(source.torn && { torn: true }),
      ...(isWhole
        ? {
            reading: {
              reading,
              line: reached.line,
              generation: increment.checkpoint.generation,
              facts,
              prompts: promptRows?.length ?? listed,
            },
          }
        : {}),
      bytesRead: bytesAgain + reached.bytes,
      weight: weightOf(increment),
      itemsOfRows,
    }
  } finally {
    source.close()
  }
}

/** Whether a file has only grown, at most. What is in a database may have been deleted since. */
const isUnchanged = (source: SeekableSource, artifact: Artifact, known: Checkpoint): boolean =>
  !artifact.database &&
  // An editor that wrote another file may have changed it anywhere.
  (artifact.identity ?? known.identity) === known.identity &&
  (artifact.bytes > known.size ||
    (artifact.bytes === known.size && artifact.modifiedMs === known.modifiedMs)) &&
  isCurrent(source, known)

/** The error of a document that was not written to its end. */
export const tornDocument = (): Error =>
  Object.assign(new Error('the document is torn'), { code: 'ERR_TORN_DOCUMENT' })

/** Folds what precedes a checkpoint, which is stored. Returns the number of bytes read. */
function foldAgain(source: SeekableSource, { offset, line }: Checkpoint, reading: Reading): number {
  if (offset === 0) return 0
  const { fold } = reading
  source.lineBegins?.(0, 1)
  source.seek(0)
  let isPast = false
  const { bytes } = readLines(
    source,
    (each) => {
      isPast ||= each.number >= line
      if (isPast) return
      foldLine(each, reading)
      // The items are stored already. Those of a file of any length do not fit into memory.
      if (fold.weight() > SLICE_WEIGHT) fold.drain()
    },
    { enough: offset, full: () => isPast },
  )
  fold.drain()
  fold.drainSent()
  fold.usages.drainChanged()
  fold.usages.stated.drain()
  return bytes
}

/** What the path and neighboring files say about a transcript, except how large and old it is. */
const factsOf = (artifact: Artifact): string => JSON.stringify({ ...artifact, bytes: 0, modifiedMs: 0 })

const positionOf = ({ line, order }: Item): Position => ({ line, order })

/** An item as a row of the store, redacted. */
export function messageRow(
  found: FoldedItem,
  sessionId: string,
  clean: (text: string) => string = cleanerOf({}),
): MessageRow {
  const item = cleanItem(found, clean, withoutSecrets)
  const { record, digest } = messageKey(item, sessionId)
  const { who, at, text, tool, line, offset, length, order } = item
  // Every message comes through here: a plain literal is faster than spreading groups of fields.
  return {
    who,
    at: at ?? null,
    text: text ?? null,
    tool: tool?.name ?? null,
    target: tool?.target ?? null,
    line,
    offset,
    length,
    order,
    record,
    digest,
    more: extraOf(item),
  }
}

function heardPrompt({ text, at, line, order }: MessageRow): HeardPrompt[] {
  return text === null || at === null ? [] : [{ line, order, digest: textDigest(text), at }]
}

/** The store has the digests of redacted texts. */
const dispatchOf = ({ line, at, text, to }: SentText): Dispatch => ({
  line,
  digest: textDigest(cleanerOf({})(text)),
  ...(at === undefined ? {} : { at }),
  ...(to === undefined ? {} : { to }),
})

function openingOf(only: string | undefined, { startedMs }: Session): Pick<Increment, 'opening'> {
  const template = only === undefined || startedMs === undefined ? undefined : promptTemplate(only)
  return template ? { opening: { ...template, at: startedMs! } } : {}
}

function extraOf(item: Item): MessageExtra | null {
  const { label, marker, sure, media, reply, stopReason, readFiles, modifiedFiles } = item
  const extra = { label, marker, sure, media, reply, stopReason, readFiles, modifiedFiles }
  return Object.values(extra).some((each) => each !== undefined) ? extra : null
}

function weightOf({ messages, prompts = [], usages, left }: Increment): number {
  let weight = usages.length * 100 + left.length * 32
  for (const rows of [messages, prompts])
    for (const { text, target } of rows) weight += 200 + (text?.length ?? 0) + (target?.length ?? 0)
  return weight
}

/** The usage of these replies, or of all. */
const usageRows = (usages: Fold['usages']['usages'], replies: Iterable<number> = usages.keys()): UsageRow[] =>
  Array.from(replies, (reply) => {
    const { at = null, model = null, input, output, cost = null, ...cache } = usages.get(reply)!
    const { cacheRead, cacheWrite, cacheWriteHour = 0, reasoning = 0 } = cache
    return { reply, at, model, input, output, cacheRead, cacheWrite, cost, cacheWriteHour, reasoning }
  })
