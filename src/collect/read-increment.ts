import { type Fingerprint, fingerprintAt, holds } from '../io/fingerprint.ts'
import { readLines } from '../io/lines.ts'
import type { LineShape } from '../io/scanner/shape.ts'
import type { SeekableSource, SourceState } from '../io/source.ts'
import type { Artifact } from '../model/artifact.ts'
import { createFold, type Fold } from '../model/fold.ts'
import { IdSet } from '../model/id-set.ts'
import { messageKey, textDigest } from '../model/item-key.ts'
import { promptTemplate } from '../model/prompt-template.ts'
import type { Item, Session } from '../model/session.ts'
import { platformOf } from '../platforms/index.ts'
import { collectWords, indexText } from '../search/words.ts'
import type {
  Checkpoint,
  HeardPrompt,
  Increment,
  MessageExtra,
  MessageRow,
  UsageRow,
} from '../store/store.ts'
import { packState, unpackState } from './fold-state.ts'
import { openArtifact } from './open-artifact.ts'
import { cleanerOf, readerOf, readLine, releaseReader } from './read-session.ts'
import { seal, sealItem } from './seal.ts'

/** Grows when lines are understood differently, or secrets found that were not: files read by an older version are read again. */
export const PARSER_VERSION = 11
/** What is read of a file before it is written: memory stays bounded however long the file is. */
const SLICE = 24 * 1024 * 1024
/** What it may tell until then: of words alone that is less. */
const SLICE_TOLD = 6 * 1024 * 1024
/** A file that was written to so shortly before may change again without its time showing it. */
const CLOCK_TICK_MS = 8
/** What no file has. */
const UNKNOWN: Fingerprint = { headLength: 0, head: '', tail: '' }
/** So many words are remembered as sent before the memory begins anew. */
const REMEMBERED_WORDS = 500_000

export interface IncrementTask {
  artifact: Artifact
  base?: { id: number; revision: number; checkpoint: Checkpoint; state?: Uint8Array }
  /** Read from the first byte whatever the checkpoint says. */
  again?: boolean
  slice?: number
  lineLimit?: number
  /** Also the items with their secrets, for whoever asked for them. They are not part of what a store is given. */
  plain?: boolean
}

export interface ReadIncrement {
  increment: Increment
  /** What the next reading goes on from. */
  bytes: Uint8Array<ArrayBuffer>
  bytesRead: number
  /** Bytes it takes to hold it, about. */
  weight: number
  /** With `plain`: the items that the rows were made of. */
  itemsOfRows?: ReadonlyMap<MessageRow, Item>
}

let sentWords = new IdSet()

/** A store may be another one than before: every word is told anew. */
export const forgetWords = (): void => {
  sentWords = new IdSet()
}

/**
 * Reads what is new in one file: from its checkpoint where that still holds, else from the first byte. Reads at most a slice;
 * then `more` is set and the next call goes on. Throws the system's error when the file cannot be read.
 */
export function readIncrement(task: IncrementTask): ReadIncrement {
  const platform = platformOf(task.artifact.platform)
  const artifact = platform.describe?.(task.artifact) ?? task.artifact
  const source = openArtifact(artifact)
  try {
    const from = task.again ? undefined : goOnFrom(source, task.base)
    const state = from && unpackState(from.state)
    const opened = source.state()
    // What a last line without newline said is told anew: the line may have grown or gone.
    const unsettled =
      from !== undefined && !artifact.database && from.checkpoint.size > from.checkpoint.offset
    const allUsages = from === undefined || unsettled
    const fold = createFold(artifact, {
      keep: 'condensed',
      clean: cleanerOf({ redact: task.plain !== true }),
      state,
    })
    const reached = readOn(source, fold, artifact, from?.checkpoint, task)
    source.lineBegins?.(reached.offset, reached.line)
    const { session, settlement, only } = fold.settle()
    if (artifact.database) session.bytes = reached.offset
    const prompts = settlement.told()
    const vocabulary: string[] = []
    const itemsOfRows = task.plain ? new Map<MessageRow, Item>() : undefined
    const row = (item: Item): MessageRow => {
      const made = messageRow(item, artifact.sessionId, vocabulary)
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
      fromLine: from?.checkpoint.line ?? 1,
      messages: items.map(row),
      prompts: prompts.map(row),
      left: [
        ...prompts.flatMap((item) => (settlement.left(item) ? [item.line, item.order] : [])),
        ...settlement.leftReplies(),
      ],
      sent: fold.drainSent(),
      heard: prompts.flatMap(heardPrompt),
      ...openingOf(only, session),
      usages: usageRows(fold.usages, allUsages),
      allUsages,
      session,
      checkpoint: {
        generation: from ? from.checkpoint.generation : (task.base?.checkpoint.generation ?? 0) + 1,
        offset: reached.offset,
        line: reached.line,
        // A file of which only a part was read looks grown, so that whoever comes next reads on if this process does not.
        size: reached.ended ? opened.size : Math.min(reached.offset, opened.size - 1),
        modifiedMs: opened.mtimeMs,
        identity: opened.identity,
        ...(reached.ended && changed(opened, source.state())
          ? UNKNOWN
          : fingerprintAt(source, reached.offset, opened.size)),
        parser: PARSER_VERSION,
        racy: Math.abs(Date.now() - opened.mtimeMs) < CLOCK_TICK_MS,
      },
      vocabulary,
    })
    const weight = weightOf(increment) + reached.state.length
    return { increment, bytes: reached.state, bytesRead: reached.bytes, weight, itemsOfRows }
  } finally {
    source.close()
    releaseReader(platform)
  }
}

/** Somebody wrote while it was read: whether only at the end cannot be told, so the next reading begins anew. */
const changed = (before: SourceState, after: SourceState): boolean =>
  before.size !== after.size || before.mtimeMs !== after.mtimeMs

/** The place a reading can go on from, when the file still is what was read up to there. */
function goOnFrom(
  source: SeekableSource,
  base: IncrementTask['base'],
): { checkpoint: Checkpoint; state: Uint8Array } | undefined {
  if (!base?.state) return undefined
  const { checkpoint, state } = base
  source.lineBegins?.(checkpoint.offset, checkpoint.line)
  return holds(source, checkpoint.offset, checkpoint) ? { checkpoint, state } : undefined
}

interface ReachedPlace {
  items: Item[]
  /** Before a last line that has no newline yet. */
  state: Uint8Array<ArrayBuffer>
  offset: number
  line: number
  bytes: number
  ended: boolean
}

function readOn(
  source: SeekableSource,
  fold: Fold,
  artifact: Artifact,
  from: Checkpoint | undefined,
  task: IncrementTask,
): ReachedPlace {
  const platform = platformOf(artifact.platform)
  const { scanner, envelope } = readerOf(platform)
  const reading = { platform, artifact, fold, envelope, options: { purpose: 'read' as const }, linked: true }
  let open: { state: Uint8Array<ArrayBuffer>; offset: number; line: number } | undefined
  const visit = (line: LineShape): void => {
    // Shown when it is whole, and never gone past.
    if (!line.terminated) open ??= { state: packed(fold), offset: line.offset, line: line.number }
    readLine(line, reading)
  }
  const offset = from?.offset ?? 0
  source.seek(offset)
  const reached = readLines(source, scanner, visit, {
    offset,
    number: from?.line,
    enough: task.slice ?? SLICE,
    full: () => fold.weight() > SLICE_TOLD,
    lineLimit: task.lineLimit,
  })
  const settled = open ?? { state: packed(fold), offset: reached.offset, line: reached.number }
  return { ...settled, items: fold.drain(), bytes: reached.bytes, ended: reached.ended }
}

const packed = (fold: Fold): Uint8Array<ArrayBuffer> => packState(fold.save())

/** An item as the store takes it: without secrets. */
export function messageRow(told: Item, sessionId: string, vocabulary: string[]): MessageRow {
  const item = sealItem(told)
  const { record, digest } = messageKey(item, sessionId)
  const { who, at, text, tool, line, offset, length, order } = item
  const said = text ?? tool?.target ?? ''
  const words = indexText(said)
  if (sentWords.size > REMEMBERED_WORDS) sentWords = new IdSet()
  collectWords(said, sentWords, vocabulary)
  return [
    who,
    at ?? null,
    text ?? null,
    tool?.name ?? null,
    tool?.target ?? null,
    line,
    offset,
    length,
    order,
    record,
    digest,
    extraOf(item),
    words === said ? null : words,
  ]
}

function heardPrompt({ text, at, line, order }: Item): HeardPrompt[] {
  return text === undefined || at === undefined ? [] : [{ line, place: order, digest: textDigest(text), at }]
}

function openingOf(only: string | undefined, { startedMs }: Session): Pick<Increment, 'opening'> {
  const template = only === undefined || startedMs === undefined ? undefined : promptTemplate(only)
  return template ? { opening: { ...template, at: startedMs! } } : {}
}

function extraOf({ label, marker, sure, media, reply, stopReason }: Item): MessageExtra | null {
  const extra = { label, marker, sure, media, reply, stopReason }
  return Object.values(extra).some((each) => each !== undefined) ? extra : null
}

function weightOf({ messages, prompts = [], usages, vocabulary, left }: Increment): number {
  let weight = usages.length * 100 + vocabulary.length * 20 + left.length * 8
  for (const rows of [messages, prompts])
    for (const [, , text, , target, , , , , , , , words] of rows)
      weight += 200 + (text?.length ?? 0) + (target?.length ?? 0) + (words?.length ?? 0)
  return weight
}

/** The replies whose figures changed, or all of them. */
function usageRows({ usages, changed }: Fold['usages'], all: boolean): UsageRow[] {
  const rows: UsageRow[] = []
  for (const reply of all ? usages.keys() : changed) {
    const { at = null, model = null, input, output, cost = null, ...cache } = usages.get(reply)!
    const { cacheRead, cacheWrite, cacheWriteHour = 0 } = cache
    rows.push([reply, at, model, input, output, cacheRead, cacheWrite, cost, cacheWriteHour])
  }
  return rows
}
