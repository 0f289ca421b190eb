import { asNumber, asObject, asTime, type JsonObject } from '../../model/json.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Inventory } from './inventory.ts'
import { prepareSlice } from './prepare.ts'
import type { RecordSettings } from './slice.ts'
import { keyOf, type Source } from './source.ts'
import type { DeliveryState, SourceFacts } from './state.ts'

/** What came of taking over how far another collector was. */
export interface Imported {
  files: number
  /** Files that it names and that are not here, or are none that is collected. */
  unknown: string[]
  /** Files that are shorter than what it says it read: they are delivered from their beginning. */
  shorter: string[]
  /** Entries that could not be taken over, each with why. */
  refused: { path: string; reason: string }[]
}

/** How far another collector was with one file. */
interface Reached {
  /** Bytes that were delivered; absent where only the time of a file that is delivered whole is told. */
  offset?: number
  /** When the file had last changed then, in ms. */
  modifiedMs?: number
}

/** What a state file says, and the entries of it that say nothing, with why. */
export interface OtherState {
  files: Map<string, Reached>
  refused: { path: string; reason: string }[]
}

/**
 * How far another collector was, by path: `{version, sources: {<tool>: {files: {…}}}}`, `{files: {…}}`, or the flat map of them. An
 * entry is a bare offset, or an object with `offset` or `mtime` (ms, seconds or ISO). Undefined for what has no such map.
 */
export function stateIn(value: unknown): OtherState | undefined {
  const maps = mapsIn(asObject(value))
  if (maps.length === 0) return undefined
  const state: OtherState = { files: new Map(), refused: [] }
  for (const map of maps)
    for (const [path, entry] of Object.entries(map)) {
      const reached = reachedIn(entry)
      if (typeof reached === 'string') state.refused.push({ path, reason: reached })
      else state.files.set(path, reached)
    }
  return state
}

function mapsIn(root: JsonObject | undefined): JsonObject[] {
  if (!root) return []
  const sources = asObject(root.sources)
  if (sources)
    return Object.values(sources).flatMap((tool) => {
      const fields = asObject(tool)
      const map = asObject(fields?.files) ?? asObject(fields?.offsets) ?? fields
      return map ? [map] : []
    })
  const files = asObject(root.files) ?? asObject(root.offsets)
  if (files) return [files]
  return Object.keys(root).some((key) => /^(?:[~.]?[\\/]|[A-Za-z]:[\\/])/.test(key)) ? [pathsOf(root)] : []
}

/** A flat map may hold a version and the like beside the paths. */
const pathsOf = (root: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(root).filter(([key]) => /[\\/]/.test(key)))

/** Why an entry says nothing, where it does. */
function reachedIn(entry: unknown): Reached | string {
  const fields = asObject(entry)
  const offset = asNumber(fields ? (fields.offset ?? fields.position ?? fields.bytes) : entry)
  const modifiedMs = fields && timeIn(fields.mtimeMs ?? fields.mtime ?? fields.modified)
  if (offset !== undefined && (offset < 0 || !Number.isSafeInteger(offset))) return `${offset} is no offset`
  if (offset === undefined && modifiedMs === undefined) return 'it names neither an offset nor a time'
  return { ...(offset === undefined ? {} : { offset }), ...(modifiedMs === undefined ? {} : { modifiedMs }) }
}

/** Seconds, as other languages count, or ms. */
function timeIn(value: unknown): number | undefined {
  const number = asNumber(value)
  if (number === undefined) return asTime(value)
  return number < 1e11 ? number * 1000 : number
}

/**
 * Moves the checkpoints of a destination to where another collector stopped. An offset in the midst of a line moves back to its
 * beginning, so that the line is delivered whole.
 */
export function importState(
  { files, refused }: OtherState,
  found: Inventory,
  state: DeliveryState,
  destination: number,
  settings: RecordSettings,
  home: string,
): Imported {
  const imported: Imported = { files: 0, unknown: [], shorter: [], refused: [...refused] }
  const byPath = new Map(
    found.sources
      .filter(({ row, artifact }) => row.content !== 'rows' && artifact?.database === undefined)
      .map((source) => [source.path, source]),
  )
  const known = state.checkpoints(destination)
  for (const [name, reached] of files) {
    const source = byPath.get(name.startsWith('~/') ? home + name.slice(1) : name)
    const refuse = (reason: string): void => void imported.refused.push({ path: name, reason })
    if (!source) imported.unknown.push(name)
    else if (known.has(keyOf(source))) refuse('it was delivered to this destination before')
    else {
      const until = untilOf(source, reached)
      if (until === 'shorter') imported.shorter.push(name)
      else if (typeof until === 'string') refuse(until)
      if (typeof until === 'string') continue
      const checkpoint = checkpointAt(source, until, settings)
      if (!checkpoint) {
        refuse('it cannot be read')
        continue
      }
      const { artifact: _, bytes: __, modifiedMs: ___, identity: ____, ...facts } = source
      const advance = { key: keyOf(source), facts: facts satisfies SourceFacts, checkpoint }
      state.advance(destination, [advance], { records: 0, bytes: 0, stubs: 0, nowMs: 0 })
      imported.files++
    }
  }
  return imported
}

/** How far a file was delivered, or why that is not known. What is delivered whole was delivered if it did not change since. */
function untilOf(source: Source, { offset, modifiedMs }: Reached): number | string {
  if (source.row.mode === 'whole') {
    if (modifiedMs === undefined) return 'it is delivered whole, and only an offset is told'
    return source.modifiedMs > modifiedMs + 1000
      ? 'it changed since: it is delivered as it is now'
      : source.bytes
  }
  if (offset === undefined) {
    if (source.modifiedMs > modifiedMs! + 1000)
      return 'it is delivered line by line, and only a time is told, since when it changed'
    return source.bytes
  }
  return source.bytes < offset ? 'shorter' : offset
}

/** As if all before the offset had been delivered. */
function checkpointAt(source: Source, until: number, settings: RecordSettings): Checkpoint | undefined {
  const passing = { ...settings, historyFromMs: Number.MAX_VALUE, redact: { level: 'off' as const } }
  let checkpoint: Checkpoint | undefined
  for (;;) {
    const slice = prepareSlice({ source, checkpoint, settings: passing, nowMs: 0, until }, String)
    if ('fault' in slice) return undefined
    checkpoint = slice.next
    // It goes on from there, whatever the file looks like now.
    if (!slice.more) return { ...checkpoint, size: -1 }
  }
}
