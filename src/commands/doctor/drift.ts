import * as z from 'zod/mini'
import type { ReadingContext } from '../../context/context.ts'
import { faultOf } from '../../context/read-files.ts'
import { readBlocks } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import type { Artifact } from '../../model/artifact.ts'
import { asArray, asObject, asText, valueAt } from '../../model/json.ts'
import type { Session } from '../../model/session.ts'
import { platforms } from '../../platforms/index.ts'
import type { KnownFields, Platform } from '../../platforms/platform.ts'
import { counted, grouped } from '../../render/table.ts'
import { openArtifact } from '../../sync/read/read-session.ts'

const counts = () => z.record(z.string(), z.number())

export const driftShape = () =>
  z.array(
    z.object({
      platform: z.string(),
      name: z.string(),
      versions: z.array(z.string()),
      /** The newest version of the client that was tried. */
      tried: z.optional(z.string()),
      files: z.number(),
      lines: z.number(),
      damaged: z.number(),
      unknownTypes: counts(),
      unknownFields: counts(),
    }),
  )

type Drift = z.output<ReturnType<typeof driftShape>>[number]

/** Further names are counted as one. Only a malformed file has that many. */
const MOST_NAMES = 200
const OTHERS = '(others)'
/** Names that a client may give to a field or type. Anything else could be content. */
const NAME = /^[\w$.:()-]{1,48}$/
const NEWLINE = 10

/** The unknown types and fields in these files, by platform: names and counts, no content. */
export function driftOf(
  artifacts: readonly Artifact[],
  sessions: ReadonlyMap<string, Session>,
  context: ReadingContext,
): Drift[] {
  context.progress?.start(
    'Reading',
    artifacts.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  const found = platforms.flatMap((platform) => {
    const own = artifacts.filter(
      (artifact) => artifact.platform === platform.id && artifact.kind !== 'memory',
    )
    return own.length === 0 ? [] : [driftIn(own, platform, sessions, context)]
  })
  context.progress?.stop()
  return found
}

function driftIn(
  artifacts: readonly Artifact[],
  platform: Platform,
  sessions: ReadonlyMap<string, Session>,
  context: ReadingContext,
): Drift {
  const types = createCounts()
  const fields = createCounts()
  const versions = new Set<string>()
  let lines = 0
  let damaged = 0
  const known = platform.records.knownFields()
  for (const artifact of artifacts) {
    const session = sessions.get(artifact.path)
    lines += session?.lines ?? 0
    damaged += session?.accounting.malformed ?? 0
    for (const [type, count] of Object.entries(session?.accounting.unknown ?? {})) types.add(type, count)
    try {
      for (const version of fieldsIn(artifact, known, fields.add)) versions.add(version)
    } catch (error) {
      context.note(`${artifact.path} ${faultOf(error)}`, 'partly')
    }
    context.progress?.advance(artifact.bytes)
  }
  return {
    platform: platform.id,
    name: platform.identity.name,
    versions: [...versions].sort(byNumbers),
    ...(platform.identity.tried !== undefined && { tried: platform.identity.tried }),
    files: artifacts.length,
    lines,
    damaged,
    unknownTypes: types.counts(),
    unknownFields: fields.counts(),
  }
}

/** Counts the unknown fields of a file. Returns the client versions that wrote it. */
function fieldsIn(
  artifact: Artifact,
  known: KnownFields,
  add: (name: string, count: number) => void,
): ReadonlySet<string> {
  const versions = new Set<string>()
  const look = (entry: unknown): void => {
    const record = asObject(entry)
    if (!record) return
    const version = asText(record.version)
    if (version !== undefined && /^\d[\w.-]{0,30}$/.test(version)) versions.add(version)
    const type = asText(record.type) ?? '(untyped)'
    for (const name of Object.keys(record)) if (!known.record.has(name)) add(`${type}.${name}`, 1)
    const { usage } = known
    for (const name of Object.keys((usage && asObject(valueAt(record, usage.at))) ?? {}))
      if (!usage!.fields.has(name)) add(`${type}.${usage!.at}.${name}`, 1)
    const message = asObject(record.message)
    if (!message) return
    for (const name of Object.keys(message)) if (!known.message.has(name)) add(`${type}.message.${name}`, 1)
    for (const part of asArray(message.content) ?? []) {
      const kind = asText(asObject(part)?.type)
      if (kind !== undefined && !known.part.has(kind)) add(`${type}.message.content:${kind}`, 1)
    }
  }
  const source = openArtifact(artifact)
  try {
    readBlocks(source, ({ bytes, end }) => {
      for (let start = 0; start < end; ) {
        const close = bytes.indexOf(NEWLINE, start)
        const stop = close < 0 || close > end ? end : close
        if (stop > start) for (const entry of parseLine(bytes, start, stop).entries) look(entry)
        start = stop + 1
      }
    })
  } finally {
    source.close()
  }
  return versions
}

/** Counts by name. Limits the number of names, and drops those that no client would use. */
function createCounts() {
  const sums = new Map<string, number>()
  return {
    add(wished: string, count: number): void {
      const name = NAME.test(wished) && (sums.has(wished) || sums.size < MOST_NAMES) ? wished : OTHERS
      sums.set(name, (sums.get(name) ?? 0) + count)
    },
    counts: (): Record<string, number> =>
      Object.fromEntries([...sums].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))),
  }
}

/** Formats the drift for people, ready to paste into an issue. */
export function* driftText(found: readonly Drift[]): Generator<string> {
  if (found.length === 0) yield 'There are no transcripts to compare with what is known.\n'
  for (const { name, versions, tried, files, lines, damaged, unknownTypes, unknownFields } of found) {
    const [first] = versions
    const last = versions.at(-1)
    const written = first === undefined ? '' : ` ${first}${last === first ? '' : ` to ${last}`}`
    const known = tried === undefined ? '' : `; tried up to ${tried}`
    yield `${name}${written}: ${counted(files, 'file')}, ${counted(lines, 'line')}, ${grouped(damaged)} damaged${known}\n`
    yield* listed('types', unknownTypes)
    yield* listed('fields', unknownFields)
  }
  if (
    found.some(
      ({ unknownTypes, unknownFields }) => Object.keys({ ...unknownTypes, ...unknownFields }).length > 0,
    )
  )
    yield '\nThese are names and counts without any content. Paste them into an issue, so that a later version reads them.\n'
}

function* listed(what: string, sums: Record<string, number>): Generator<string> {
  const all = Object.entries(sums)
  if (all.length === 0) yield `  no unknown ${what}\n`
  else yield `  unknown ${what}:\n`
  for (const [name, count] of all) yield `    ${name} ${grouped(count)}\n`
}

/** Sorts versions by the numbers in them. */
export const byNumbers = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true })
