import { asNumber, asObject, asTime, type JsonObject } from '../../model/json.ts'
import { type Inventory, keyOf, type Source } from './inventory.ts'
import { prepareSlice } from './prepare.ts'
import type { Checkpoint, RecordSettings } from './slice.ts'
import { type DeliveryState, factsOf } from './state.ts'

/** The result of importing another collector's state. */
interface Imported {
  files: number
  /** Files in the state that do not exist or are not collected. */
  unknown: string[]
  /** Files shorter than the recorded offset. They are delivered from the beginning. */
  shorter: string[]
  /** Entries that could not be imported, with the reason. */
  refused: { path: string; reason: string }[]
}

/** How far the other collector had read a file. */
interface Reached {
  /** Bytes delivered. Absent if the state only has the time of a file that is delivered whole. */
  offset?: number
  /** The modification time of the file at that point, in ms. */
  modifiedMs?: number
}

/** The usable entries of a state file, and the others with the reason. */
interface OtherState {
  files: Map<string, Reached>
  refused: { path: string; reason: string }[]
}

/**
 * Reads another collector's state, by path: `{version, sources: {<tool>: {files: {…}}}}`, `{files: {…}}`, or
 * a flat map. An entry is an offset, or an object with `offset` or `mtime` (ms, seconds or ISO). Undefined if
 * there is no such map.
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

/** A flat map may contain a version or similar next to the paths. */
const pathsOf = (root: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(root).filter(([key]) => /[\\/]/.test(key)))

/** The position in an entry, or the reason why it has none. */
function reachedIn(entry: unknown): Reached | string {
  const fields = asObject(entry)
  const offset = asNumber(fields ? (fields.offset ?? fields.position ?? fields.bytes) : entry)
  const modifiedMs = fields && timeIn(fields.mtimeMs ?? fields.mtime ?? fields.modified)
  if (offset !== undefined && (offset < 0 || !Number.isSafeInteger(offset))) return `${offset} is no offset`
  if (offset === undefined && modifiedMs === undefined) return 'it names neither an offset nor a time'
  return { ...(offset === undefined ? {} : { offset }), ...(modifiedMs === undefined ? {} : { modifiedMs }) }
}

/** A time in seconds or ms. */
function timeIn(value: unknown): number | undefined {
  const number = asNumber(value)
  if (number === undefined) return asTime(value)
  return number < 1e11 ? number * 1000 : number
}

/**
 * Moves the checkpoints of a destination to where another collector stopped. An offset inside a line moves
 * back to its beginning, so that the line is delivered whole.
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
      const advance = { key: keyOf(source), facts: factsOf(source), checkpoint }
      state.advance(destination, [advance], { records: 0, bytes: 0, stubs: 0, nowMs: 0 })
      imported.files++
    }
  }
  return imported
}

/**
 * The offset up to which a file was delivered, or the reason why it is unknown. A file that is delivered
 * whole counts as delivered if it has not changed since.
 */
function untilOf(source: Source, { offset, modifiedMs }: Reached): number | string {
  if (source.row.mode === 'whole') {
    if (modifiedMs === undefined) return 'the whole file is delivered, but the state only has an offset'
    return source.modifiedMs > modifiedMs + 1000
      ? 'it changed since and is delivered in its present form'
      : source.bytes
  }
  if (offset === undefined) {
    if (source.modifiedMs > modifiedMs! + 1000)
      return 'it is delivered line by line and has changed since, but the state only has a time'
    return source.bytes
  }
  return source.bytes < offset ? 'shorter' : offset
}

/** The checkpoint that results if everything before the offset was delivered. */
function checkpointAt(source: Source, until: number, settings: RecordSettings): Checkpoint | undefined {
  const passing = { ...settings, historyFromMs: Number.MAX_VALUE, redact: { level: 'off' as const } }
  let checkpoint: Checkpoint | undefined
  for (;;) {
    const slice = prepareSlice({ source, checkpoint, settings: passing, nowMs: 0, until }, String)
    if ('fault' in slice) return undefined
    checkpoint = slice.next
    // Delivery continues from here, whatever the file looks like now.
    if (!slice.more) return { ...checkpoint, size: -1 }
  }
}
