import { collectGarbage } from '../io/heap.ts'
import { type Reached, readLines } from '../io/lines.ts'
import { parseWords } from '../io/parse-words.ts'
import { Scanner } from '../io/scanner/scanner.ts'
import { type LineShape, OBJECT_LINE, OVERSIZE_LINE } from '../io/scanner/shape.ts'
import type { Artifact, PlatformId } from '../model/artifact.ts'
import type { Origin } from '../model/event.ts'
import { createFold, type Fold } from '../model/fold.ts'
import { foldEntries } from '../model/fold-entries.ts'
import { hashBytes } from '../model/id-set.ts'
import type { Item, Session } from '../model/session.ts'
import { platformOf } from '../platforms/index.ts'
import type { Glance, Platform, Purpose } from '../platforms/platform.ts'
import { redact } from '../redact/redact.ts'
import { createEnvelope, type Envelope, wordsOf } from './envelope.ts'
import { openArtifact } from './open-artifact.ts'

/** One scanner and one envelope reader a platform and thread: their memory is used again for the next file. */
const readers = new Map<PlatformId, { scanner: Scanner; envelope: Envelope }>()
const FIRST_CAPACITY = 1024 * 1024

export function readerOf(platform: Platform) {
  let reader = readers.get(platform.id)
  if (!reader) {
    const { vocabulary } = platform
    const passOver = new Set(vocabulary.passOver)
    const list = { words: wordsOf(vocabulary), descend: new Set(vocabulary.descend), passOver }
    reader = { scanner: new Scanner(list, FIRST_CAPACITY), envelope: createEnvelope(vocabulary) }
    readers.set(platform.id, reader)
  }
  return reader
}

/** A reader that took a line of many megabytes in keeps that memory; the next file gets another. */
export function releaseReader(platform: Platform): void {
  if ((readers.get(platform.id)?.scanner.capacity ?? 0) <= MOST_CAPACITY) return
  readers.delete(platform.id)
  collectGarbage()
}
const MOST_CAPACITY = 8 * 1024 * 1024

export interface ReadOptions {
  purpose: Purpose
  /** Also tell where thinking, inputs and outputs stand. Parses every line. */
  full?: boolean
  /** Parse every line: the slow path, for tests and for comparison. */
  parseAll?: boolean
  /** Bytes whose items are held at a time, where they come in slices. */
  slice?: number
  /** Longest line that is held, in bytes. */
  lineLimit?: number
  /** False leaves secrets in. */
  redact?: boolean
}

/** What every text goes through on its way from disk. Halves of characters, which no store can hold, go with it. */
export const cleanerOf =
  ({ redact: wanted }: Pick<ReadOptions, 'redact'>): ((text: string) => string) =>
  (text) =>
    (wanted === false ? text : redact(text)).toWellFormed()

/**
 * Reads one transcript from its first byte to its last. With purpose `read` the items of the condensed transcript come
 * with it. Throws the system's error when the file cannot be read.
 */
export function readSession(found: Artifact, options: ReadOptions): { session: Session; items: Item[] } {
  const { session, items } = readWhole(found, options)
  return { session, items }
}

function readWhole(found: Artifact, options: ReadOptions, linked = false): ReturnType<Fold['finish']> {
  const platform = platformOf(found.platform)
  const artifact = platform.describe?.(found) ?? found
  const keep = options.full ? 'full' : options.purpose === 'read' ? 'condensed' : 'counts'
  const fold = createFold(artifact, { keep, clean: cleanerOf(options) })
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
    return read
  } finally {
    source.close()
    releaseReader(platform)
  }
}

const replyHash = { high: 0, low: 0 }

/** What is held of a transcript that is read in slices, in bytes. */
const SLICE = 4 * 1024 * 1024

/**
 * The same for a transcript whose items would not fit into memory: what only its end tells is learned in a first pass, and
 * the items come in slices, in order. The session comes with each; its counts are those of the whole file.
 */
export function* readSlices(
  found: Artifact,
  options: ReadOptions,
): Generator<{ session: Session; items: Item[] }> {
  const { session, settlement } = readWhole(found, { ...options, purpose: 'index', full: false }, true)
  const platform = platformOf(found.platform)
  const artifact = platform.describe?.(found) ?? found
  const keep = options.full ? 'full' : 'condensed'
  const fold = createFold(artifact, { keep, clean: cleanerOf(options), settled: settlement })
  const { scanner, envelope } = readerOf(platform)
  const reading: Reading = { platform, artifact, fold, envelope, options, linked: false }
  let place: Reached = { bytes: 0, offset: 0, number: 1, ended: false }
  const source = openArtifact(artifact)
  try {
    while (!place.ended) {
      const { offset, number } = place
      const reach = { offset, number, enough: options.slice ?? SLICE, lineLimit: options.lineLimit }
      // Behind the last whole line of a slice some bytes were read that belong to the next.
      source.lineBegins?.(offset, number)
      source.seek(offset)
      place = readLines(source, scanner, (line) => readLine(line, reading), reach)
      yield { session, items: fold.take(place.ended ? Number.POSITIVE_INFINITY : place.number - 1) }
    }
  } finally {
    source.close()
    releaseReader(platform)
  }
}

/** What a line needs around it to be read. */
export interface Reading {
  platform: Platform
  artifact: Artifact
  fold: Fold
  envelope: Envelope
  options: ReadOptions
  /** Whether it is wanted which record answers which. */
  linked: boolean
}

/** One line that is not blank into the fold: glanced at where that is enough, else parsed. */
export function readLine(line: LineShape, reading: Reading): void {
  const { platform, artifact, fold, envelope, options, linked } = reading
  fold.line(originOf(line))
  if (line.kind === OVERSIZE_LINE) {
    fold.accounting.damaged(line.offset)
    return
  }
  if (line.kind === OBJECT_LINE) {
    const seen =
      options.parseAll || options.full ? undefined : platform.glance(line, artifact, options.purpose)
    if (seen || linked) {
      envelope.wantPlace = !fold.placed()
      envelope.wantParent = linked
      envelope.read(line, seen?.message !== undefined)
      if (envelope.hash.low !== 0 && linked) fold.link(envelope.hash, envelope.parentHash)
    }
    if (seen) {
      glanced(line, seen, fold, envelope)
      return
    }
  }
  parse(line, platform, artifact, fold)
}

/** A line that the fast path understood: told to the fold without having been parsed. */
function glanced(line: LineShape, seen: Glance, fold: Fold, envelope: Envelope): void {
  const { at, id, hash } = envelope
  fold.accounting.add(seen.bucket, seen.name ?? '')
  if (envelope.wantPlace) fold.place(envelope.cwd, envelope.sessionId)
  if (seen.message) fold.event({ id, at, payload: seen.message, origin: originOf(line), index: 0, order: 0 })
  else if (seen.reply) {
    const { messageStart, messageEnd, calls } = seen.reply
    hashBytes(line.bytes, messageStart, messageEnd, replyHash)
    if (!fold.glancedReply(at, hash, replyHash, seen.reply)) return
    for (let call = 0; call < calls.length; call += 2) {
      hashBytes(line.bytes, calls[call]!, calls[call + 1]!, replyHash)
      fold.glancedCall(replyHash)
    }
  } else fold.glanced(at, hash, seen.errors ?? 0)
}

const originOf = ({ number, offset, length }: LineShape): Origin => ({ line: number, offset, length })

function parse(line: LineShape, platform: Platform, artifact: Artifact, fold: Fold): void {
  const found = parseWords(line.bytes, line.start, line.end)
  // Of a line that is still being written, what is whole may be a part of a record.
  const parsed = line.terminated || !found.damaged ? found : { ...found, entries: [] }
  foldEntries(parsed, originOf(line), (entry) => platform.normalize(entry, artifact), fold)
}
