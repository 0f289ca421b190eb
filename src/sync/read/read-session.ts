import { type Line, type Reached, readLines } from '../../io/lines.ts'
import { parseShortened } from '../../io/long-values.ts'
import { openSource, type SeekableSource } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Draft, Origin } from '../../model/event.ts'
import type { Settlement } from '../../model/fold/branches.ts'
import { createFold, type Fold, foldEntries } from '../../model/fold/fold.ts'
import type { Keep } from '../../model/fold/items.ts'
import type { Item, Session } from '../../model/session.ts'
import { traitsOf } from '../../platforms/identities.ts'
import { platformOf } from '../../platforms/index.ts'
import type { Platform } from '../../platforms/platform.ts'
import { redact } from '../../redact/redact.ts'
import { withRepository } from './repository.ts'
import { withoutSecrets } from './seal.ts'

export interface ReadOptions {
  /** What the items contain. `counts` reads the session without items. */
  keep?: Keep
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

/** A transcript that is being folded. */
export interface Reading {
  platform: Platform
  artifact: Artifact
  fold: Fold
}

/** Begins to fold a transcript. `settled` has the result of a first pass. */
export function beginReading(
  found: Artifact,
  { keep = 'condensed', redact: wanted }: ReadOptions,
  settled?: Settlement,
): Reading {
  const platform = platformOf(found.platform)
  const artifact = platform.files.describe?.(found) ?? found
  const clean = cleanerOf({ redact: wanted })
  return {
    platform,
    artifact,
    fold: createFold(artifact, { keep, traits: traitsOf(artifact.platform), clean, settled }),
  }
}

/** Reads one transcript from beginning to end. Throws file system errors. */
export function readSession(found: Artifact, options: ReadOptions = {}): { session: Session; items: Item[] } {
  const { session, items } = readWhole(found, options)
  return { session, items }
}

function readWhole(found: Artifact, options: ReadOptions): ReturnType<Fold['finish']> {
  const reading = beginReading(found, options)
  const { artifact, fold } = reading
  const source = openArtifact(artifact)
  try {
    const { lineLimit } = options
    const { offset } = readLines(source, (line) => foldLine(line, reading), { lineLimit })
    const read = fold.finish()
    if (artifact.database) read.session.bytes = offset
    const session = withRepository(read.session, cleanerOf(options))
    if (options.redact === false) return { ...read, session }
    // Names of branches and agents, too: nothing finds a secret again that was escaped for Markdown.
    const { path, root } = session
    return { ...read, session: { ...withoutSecrets(session), path, root } }
  } finally {
    source.close()
  }
}

/** Memory for a transcript that is read in slices, in bytes. */
const SLICE = 4 * 1024 * 1024

/**
 * Reads a transcript whose items would not fit into memory. A first pass collects what is only known at the
 * end; a second returns the items in slices, in order. Each slice comes with the session, whose counts cover
 * the whole file.
 */
export function* readSlices(
  found: Artifact,
  options: ReadOptions = {},
): Generator<{ session: Session; items: Item[] }> {
  const { session, settlement } = readWhole(found, { ...options, keep: 'counts' })
  const reading = beginReading(found, options, settlement)
  let reached: Reached = { bytes: 0, offset: 0, number: 1, ended: false }
  const source = openArtifact(reading.artifact)
  try {
    while (!reached.ended) {
      const { offset, number } = reached
      const reach = { offset, number, enough: options.slice ?? SLICE, lineLimit: options.lineLimit }
      // Some bytes read after the last whole line belong to the next slice.
      source.lineBegins?.(offset, number)
      source.seek(offset)
      reached = readLines(source, (line) => foldLine(line, reading), reach)
      const until = reached.ended ? Number.POSITIVE_INFINITY : reached.number - 1
      yield { session, items: reading.fold.take(until) }
    }
  } finally {
    source.close()
  }
}

/** Folds one line that is not blank. */
export function foldLine(line: Line, { platform, artifact, fold }: Reading): void {
  const origin = originOf(line)
  const { records, identity } = platform
  fold.line(origin)
  if (line.oversized) {
    fold.accounting.damaged(line.offset)
    return
  }
  const skipped = records.skip?.(line)
  if (skipped !== undefined) {
    fold.accounting.add('skipped', skipped)
    return
  }
  const found = parseShortened(line.bytes, line.start, line.end, records.long)
  // A whole record in an unfinished line may be part of a larger one.
  const parsed = line.terminated || !found.damaged ? found : { ...found, entries: [] }
  const normalize = (entry: unknown): Draft[] => records.normalize(entry, artifact)
  foldEntries(parsed, origin, { normalize, record: identity.record }, fold)
}

const originOf = ({ number, offset, length }: Line): Origin => ({ line: number, offset, length })

/**
 * Opens the lines of a transcript, in a file or a database. Throws file system errors, or those of the
 * database engine.
 */
export const openArtifact = (artifact: Artifact): SeekableSource =>
  platformOf(artifact.platform).files.open?.(artifact) ?? openSource(artifact.path)
