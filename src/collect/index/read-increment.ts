import { parseWords } from '../../io/parse-words.ts'
import { collectGarbage } from '../../io/process/heap.ts'
import { type LineShape, OVERSIZE_LINE } from '../../io/scanner/shape.ts'
import type { SeekableSource } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import { createFold, type Fold, type FoldState, type SavedFold, type Settled } from '../../model/fold/fold.ts'
import type { Settlement } from '../../model/fold/settlement.ts'
import { messageKey, textDigest } from '../../model/item-key.ts'
import type { Position } from '../../model/position.ts'
import { promptTemplate } from '../../model/prompt-template.ts'
import type { Item, Session } from '../../model/session.ts'
import { traitsOf } from '../../platforms/identities.ts'
import { platformOf } from '../../platforms/index.ts'
import type {
  Checkpoint,
  HeardPrompt,
  Increment,
  MessageExtra,
  MessageRow,
  UsageRow,
} from '../../store/increment.ts'
import type { StoredState } from '../../store/state-bytes.ts'
import { isCurrent, UNKNOWN } from '../../tail/mark.ts'
import { openTail, type Tail, type TailReached } from '../../tail/tail.ts'
import { openArtifact } from '../read/open-artifact.ts'
import { cleanerOf, readerOf, readLine, releaseReader } from '../read/read-session.ts'
import { withRepository } from '../read/repository.ts'
import { seal, sealItem } from '../read/seal.ts'
import { DamagedState, openState, packState } from './fold-state.ts'

/**
 * Incremented when lines are understood differently or new secrets are found. Files read by an older version
 * are read again.
 */
export const PARSER_VERSION = 15
/** Bytes that are read before they are written. Bounds memory for files of any length. */
const SLICE = 24 * 1024 * 1024
/** Approximate bytes of items after which a slice ends. */
const SLICE_WEIGHT = 6 * 1024 * 1024
/** Only a very large record makes a slice heavier than this. */
const LARGE_WEIGHT = 16 * 1024 * 1024

export interface IncrementTask {
  artifact: Artifact
  base?: { id: number; revision: number; checkpoint: Checkpoint; state?: StoredState | Uint8Array }
  /** Read from the first byte, regardless of the checkpoint. */
  again?: boolean
  slice?: number
  lineLimit?: number
  /** Also return the unredacted items, for a caller that asked for them. They are never passed to a store. */
  plain?: boolean
}

export interface ReadIncrement {
  increment: Increment
  /** The state from which the next reading resumes. */
  bytes: Uint8Array<ArrayBuffer>
  bytesRead: number
  /** Approximate memory of the increment, in bytes. */
  weight: number
  /** With `plain`: the items that the rows were made from. */
  itemsOfRows?: ReadonlyMap<MessageRow, Item>
}

/**
 * Reads what is new in one file: from its checkpoint if that is still valid, else from the first byte. Reads
 * at most one slice; if `more` is set, the next call continues. Throws file system errors.
 */
export function readIncrement(task: IncrementTask): ReadIncrement {
  try {
    return readOnce(task)
  } catch (error) {
    if (!(error instanceof DamagedState)) throw error
    return readOnce({ ...task, again: true })
  }
}

function readOnce(task: IncrementTask): ReadIncrement {
  const platform = platformOf(task.artifact.platform)
  const artifact = platform.files.describe?.(task.artifact) ?? task.artifact
  const source = openArtifact(artifact)
  try {
    const from = task.again ? undefined : resumePoint(source, task.base)
    const opened = from && openState(from.state)
    const state = opened?.state
    const tail = openTail(source, { nowMs: Date.now(), from: from?.checkpoint })
    const { opened: file, racy } = tail
    // An unterminated last line is read again: it may have grown or disappeared.
    const unsettled = from !== undefined && !artifact.database && isUnsettled(state!, from.checkpoint)
    const allUsages = from === undefined || unsettled
    const clean = cleanerOf({ redact: task.plain !== true })
    const fold = createFold(artifact, {
      traits: traitsOf(artifact.platform),
      keep: 'condensed',
      clean,
      state: state && unsettled ? { ...state, outside: undefined } : state,
      parts: opened?.parts,
    })
    const reached = readOn(tail, fold, { artifact, task, pack: opened?.pack ?? packState })
    const { settlement, only, whole } = reached.settled
    const session = withRepository(reached.settled.session, clean)
    if (artifact.database) session.bytes = reached.offset
    const fromLine = from?.checkpoint.line ?? 1
    const prompts = settlement.promptItems()
    const itemsOfRows = task.plain ? new Map<MessageRow, Item>() : undefined
    const row = (item: Item): MessageRow => {
      const made = messageRow(item, artifact.sessionId)
      itemsOfRows?.set(made, item)
      return made
    }
    const items =
      state?.latest?.who === 'agent' && unsettled ? [state.latest, ...reached.items] : reached.items
    const increment: Increment = seal({
      artifact: task.artifact,
      base: task.base && { id: task.base.id, revision: task.base.revision },
      fresh: from === undefined,
      more: !reached.ended,
      fromLine,
      messages: items.map(row),
      decidedFrom: whole ? 1 : fromLine,
      prompts: prompts.map(row),
      left: leftOf(settlement, prompts, whole ? undefined : { fromLine, items }),
      sent: fold.drainSent(),
      heard: prompts.flatMap(heardPrompt),
      ...openingOf(only, session),
      usages: usageRows(fold.usages, allUsages),
      statements: fold.usages.stated.drain(),
      allUsages,
      session,
      checkpoint: {
        generation: from ? from.checkpoint.generation : (task.base?.checkpoint.generation ?? 0) + 1,
        ...tail.mark(reached),
        // Whether only its end changed during the read is unknown, so the next reading starts over.
        ...(reached.ended && !tail.isIntact() ? UNKNOWN : {}),
        // A partly read file is stored with a smaller size, so that the next process resumes if this one does
        // not.
        size: reached.ended ? file.size : Math.min(reached.offset, file.size - 1),
        modifiedMs: file.mtimeMs,
        identity: file.identity,
        parser: PARSER_VERSION,
        racy,
      },
    })
    const weight = weightOf(increment) + reached.state.length
    return { increment, bytes: reached.state, bytesRead: reached.bytes, weight, itemsOfRows }
  } finally {
    source.close()
    releaseReader(platform)
  }
}

/** The checkpoint and state to resume from, if the file is still the one that was read. */
function resumePoint(
  source: SeekableSource,
  base: IncrementTask['base'],
): { checkpoint: Checkpoint; state: StoredState | Uint8Array } | undefined {
  if (!base?.state) return undefined
  const { checkpoint, state } = base
  return isCurrent(source, checkpoint) ? { checkpoint, state } : undefined
}

interface ReadItems extends TailReached {
  items: Item[]
  settled: Settled
  /** The state before an unterminated last line, to be stored. */
  state: Uint8Array<ArrayBuffer>
}

interface ReadOptions {
  artifact: Artifact
  task: IncrementTask
  pack(saved: SavedFold): Uint8Array<ArrayBuffer>
}

function readOn(tail: Tail, fold: Fold, { artifact, task, pack }: ReadOptions): ReadItems {
  const platform = platformOf(artifact.platform)
  const { scanner, envelope } = readerOf(platform)
  const reading = { platform, artifact, fold, envelope, options: { purpose: 'read' as const }, linked: true }
  let state: Uint8Array<ArrayBuffer> | undefined
  const settle = (): Settled => {
    const settled = fold.settle()
    // The state contains what is decided.
    settled.settlement.abandonedReplies()
    return settled
  }
  const visit = (line: LineShape): void => {
    if (!line.terminated && !state) {
      settle()
      const { state: before, parts } = fold.save()
      state = pack({ state: { ...before, unsettled: containsRecord(line) }, parts })
    }
    readLine(line, reading)
  }
  const reached = tail.read(scanner, visit, {
    enough: task.slice ?? SLICE,
    full: () => fold.weight() > SLICE_WEIGHT,
    lineLimit: task.lineLimit,
  })
  // The texts of the lines themselves are still in memory.
  if (fold.weight() > LARGE_WEIGHT) collectGarbage()
  const settled = settle()
  state ??= pack(fold.save())
  return { ...reached, items: fold.drain(), settled, state }
}

/** Whether an unterminated line is a whole record, which is folded. */
const containsRecord = ({ kind, bytes, start, end }: LineShape): boolean =>
  kind !== OVERSIZE_LINE && !parseWords(bytes, start, end).damaged

/** Whether what is stored includes an unterminated last line. Older versions did not say it. */
const isUnsettled = ({ outside, unsettled }: FoldState, { size, offset }: Checkpoint): boolean =>
  outside === undefined ? size > offset : unsettled === true

/** The messages on abandoned branches: all, or only those from a line on, and those of some earlier items. */
function leftOf(
  settlement: Settlement,
  prompts: readonly Item[],
  only: { fromLine: number; items: readonly Item[] } | undefined,
): Position[] {
  const left = prompts.filter(settlement.isOffBranch).map(positionOf)
  for (const position of settlement.abandonedReplies()) {
    const { line, order } = position
    const isWanted =
      !only || line >= only.fromLine || only.items.some((item) => item.line === line && item.order === order)
    if (isWanted) left.push(position)
  }
  return left
}

const positionOf = ({ line, order }: Item): Position => ({ line, order })

/** An item as a row of the store, redacted. */
export function messageRow(found: Item, sessionId: string): MessageRow {
  const item = sealItem(found)
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

function heardPrompt({ text, at, line, order }: Item): HeardPrompt[] {
  return text === undefined || at === undefined ? [] : [{ line, order, digest: textDigest(text), at }]
}

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

/** The replies whose usage changed, or all of them. */
function usageRows({ usages, changed }: Fold['usages'], all: boolean): UsageRow[] {
  const rows: UsageRow[] = []
  for (const reply of all ? usages.keys() : changed) {
    const { at = null, model = null, input, output, cost = null, ...cache } = usages.get(reply)!
    const { cacheRead, cacheWrite, cacheWriteHour = 0 } = cache
    rows.push({ reply, at, model, input, output, cacheRead, cacheWrite, cost, cacheWriteHour })
  }
  return rows
}
