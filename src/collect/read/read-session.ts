import { type Reached, readLines } from '../../io/lines.ts'
import { parseWords } from '../../io/parse-words.ts'
import { collectGarbage } from '../../io/process/heap.ts'
import { Scanner } from '../../io/scanner/scanner.ts'
import { type LineShape, OBJECT_LINE, OVERSIZE_LINE } from '../../io/scanner/shape.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Origin } from '../../model/event.ts'
import { createFold, type Fold } from '../../model/fold/fold.ts'
import { foldEntries } from '../../model/fold/fold-entries.ts'
import { hashBytes } from '../../model/hash.ts'
import type { PlatformId } from '../../model/platform-id.ts'
import type { Item, Session } from '../../model/session.ts'
import { traitsOf } from '../../platforms/identities.ts'
import { platformOf } from '../../platforms/index.ts'
import type { Glance, Platform, Purpose } from '../../platforms/platform.ts'
import { redact } from '../../redact/redact.ts'
import { createEnvelope, type Envelope, wordsOf } from './line-fields.ts'
import { openArtifact } from './open-artifact.ts'
import { withRepository } from './repository.ts'

/** One scanner and envelope reader per platform and thread, to reuse their memory. */
const readers = new Map<PlatformId, { scanner: Scanner; envelope: Envelope }>()
const FIRST_CAPACITY = 1024 * 1024

export function readerOf(platform: Platform) {
  let reader = readers.get(platform.id)
  if (!reader) {
    const { vocabulary } = platform.records
    const passOver = new Set(vocabulary.passOver)
    const list = { words: wordsOf(vocabulary), descend: new Set(vocabulary.descend), passOver }
    reader = { scanner: new Scanner(list, FIRST_CAPACITY), envelope: createEnvelope(vocabulary) }
    readers.set(platform.id, reader)
  }
  return reader
}

/** Releases a reader whose memory grew by many megabytes. */
export function releaseReader(platform: Platform): void {
  if ((readers.get(platform.id)?.scanner.capacity ?? 0) <= MOST_CAPACITY) return
  readers.delete(platform.id)
  collectGarbage()
}
const MOST_CAPACITY = 8 * 1024 * 1024

export interface ReadOptions {
  purpose: Purpose
  /** Also return the positions of thinking, inputs and outputs. Parses every line. */
  full?: boolean
  /** Parse every line, without the fast path. For tests and comparison. */
  parseAll?: boolean
  /** Bytes of items held at a time when reading in slices. */
  slice?: number
  /** Maximum line length in bytes. */
  lineLimit?: number
  /** False keeps secrets in the texts. */
  redact?: boolean
}

/** Cleans every text read from disk: removes secrets and lone surrogates, which cannot be stored. */
export const cleanerOf =
  ({ redact: wanted }: Pick<ReadOptions, 'redact'>): ((text: string) => string) =>
  (text) =>
    (wanted === false ? text : redact(text)).toWellFormed()

/**
 * Reads one transcript from beginning to end. With purpose `read`, also returns its items. Throws file system
 * errors.
 */
export function readSession(found: Artifact, options: ReadOptions): { session: Session; items: Item[] } {
  const { session, items } = readWhole(found, options)
  return { session, items }
}

function readWhole(found: Artifact, options: ReadOptions, linked = false): ReturnType<Fold['finish']> {
  const platform = platformOf(found.platform)
  const artifact = platform.files.describe?.(found) ?? found
  const keep = options.full ? 'full' : options.purpose === 'read' ? 'condensed' : 'counts'
  const fold = createFold(artifact, { keep, traits: traitsOf(artifact.platform), clean: cleanerOf(options) })
  const { scanner, envelope } = readerOf(platform)
  const source = openArtifact(artifact)
  try {
    const reading: Reading = {
      platform,
      artifact,
      fold,
      envelope,
      options,
      linked: linked || options.purpose === 'read',
    }
    const { offset } = readLines(source, scanner, (line) => readLine(line, reading), {
      lineLimit: options.lineLimit,
    })
    const read = fold.finish()
    if (artifact.database) read.session.bytes = offset
    return { ...read, session: withRepository(read.session, cleanerOf(options)) }
  } finally {
    source.close()
    releaseReader(platform)
  }
}

const replyHash = { high: 0, low: 0 }

/** Memory for a transcript that is read in slices, in bytes. */
const SLICE = 4 * 1024 * 1024

/**
 * Reads a transcript whose items would not fit into memory. A first pass collects what is only known at the
 * end; a second returns the items in slices, in order. Each slice comes with the session, whose counts cover
 * the whole file.
 */
export function* readSlices(
  found: Artifact,
  options: ReadOptions,
): Generator<{ session: Session; items: Item[] }> {
  const { session, settlement } = readWhole(found, { ...options, purpose: 'index', full: false }, true)
  const platform = platformOf(found.platform)
  const artifact = platform.files.describe?.(found) ?? found
  const keep = options.full ? 'full' : 'condensed'
  const fold = createFold(artifact, {
    keep,
    traits: traitsOf(artifact.platform),
    clean: cleanerOf(options),
    settled: settlement,
  })
  const { scanner, envelope } = readerOf(platform)
  const reading: Reading = { platform, artifact, fold, envelope, options, linked: false }
  let reached: Reached = { bytes: 0, offset: 0, number: 1, ended: false }
  const source = openArtifact(artifact)
  try {
    while (!reached.ended) {
      const { offset, number } = reached
      const reach = { offset, number, enough: options.slice ?? SLICE, lineLimit: options.lineLimit }
      // Some bytes read after the last whole line belong to the next slice.
      source.lineBegins?.(offset, number)
      source.seek(offset)
      reached = readLines(source, scanner, (line) => readLine(line, reading), reach)
      yield { session, items: fold.take(reached.ended ? Number.POSITIVE_INFINITY : reached.number - 1) }
    }
  } finally {
    source.close()
    releaseReader(platform)
  }
}

/** The context for reading a line. */
export interface Reading {
  platform: Platform
  artifact: Artifact
  fold: Fold
  envelope: Envelope
  options: ReadOptions
  /** Whether to pass on which record follows which. */
  linked: boolean
}

/** Folds one non-blank line, with the fast path if possible. */
export function readLine(line: LineShape, reading: Reading): void {
  const { platform, artifact, fold, envelope, options, linked } = reading
  fold.line(originOf(line))
  if (line.kind === OVERSIZE_LINE) {
    fold.accounting.damaged(line.offset)
    return
  }
  if (line.kind === OBJECT_LINE) {
    const seen =
      options.parseAll || options.full ? undefined : platform.records.glance(line, artifact, options.purpose)
    if (seen || linked) {
      envelope.wantDirectory = !fold.hasDirectory()
      envelope.wantParent = linked
      envelope.read(line, seen?.message !== undefined)
      if (envelope.hash.low !== 0 && linked) fold.link(envelope.hash, envelope.parentHash)
    }
    if (seen) {
      if (glanced(line, seen, fold, envelope)) return
    }
  }
  parse(line, platform, artifact, fold)
}

/**
 * Passes a line to the fold that the fast path understood without parsing. Returns false if it has to be
 * parsed after all.
 */
function glanced(line: LineShape, seen: Glance, fold: Fold, envelope: Envelope): boolean {
  const { at, id, hash } = envelope
  let request: number | undefined
  if (seen.reply) {
    const { messageStart, messageEnd, requestStart, requestEnd } = seen.reply
    if (requestEnd > requestStart) {
      hashBytes(line.bytes, requestStart, requestEnd, replyHash)
      request = replyHash.low
    }
    hashBytes(line.bytes, messageStart, messageEnd, replyHash)
    if (request !== undefined && fold.isOtherReply(replyHash, request)) return false
  }
  fold.accounting.add(seen.bucket, seen.name ?? '')
  if (envelope.wantDirectory) fold.addDirectory(envelope.cwd, envelope.sessionId)
  if (seen.message) fold.event({ id, at, payload: seen.message, origin: originOf(line), index: 0, order: 0 })
  else if (seen.reply) {
    const { calls } = seen.reply
    if (!fold.glancedReply(at, hash, replyHash, { ...seen.reply, request })) return true
    for (let call = 0; call < calls.length; call += 2) {
      hashBytes(line.bytes, calls[call]!, calls[call + 1]!, replyHash)
      fold.glancedCall(replyHash)
    }
  } else fold.glanced(at, hash, seen.errors ?? 0)
  return true
}

const originOf = ({ number, offset, length }: LineShape): Origin => ({ line: number, offset, length })

function parse(line: LineShape, platform: Platform, artifact: Artifact, fold: Fold): void {
  const found = parseWords(line.bytes, line.start, line.end)
  // A whole record in an unfinished line may be part of a larger one.
  const parsed = line.terminated || !found.damaged ? found : { ...found, entries: [] }
  foldEntries(parsed, originOf(line), (entry) => platform.records.normalize(entry, artifact), fold)
}
