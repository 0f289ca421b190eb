import { asNumber, asObject } from '../../model/json.ts'
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
}

/** Paths and offsets out of `{version: 1, sources: {<tool>: {files: {<path>: {offset, mtime}}}}}`; undefined for anything else. */
export function offsetsIn(value: unknown): Map<string, number> | undefined {
  const root = asObject(value)
  const sources = asObject(root?.sources)
  if (root?.version !== 1 || !sources) return undefined
  const offsets = new Map<string, number>()
  for (const tool of Object.values(sources))
    for (const [path, file] of Object.entries(asObject(asObject(tool)?.files) ?? {})) {
      const offset = asNumber(asObject(file)?.offset)
      if (offset !== undefined && offset >= 0) offsets.set(path, offset)
    }
  return offsets
}

/**
 * Moves the checkpoints of a destination to where another collector stopped. An offset in the midst of a line moves back to its
 * beginning, so that the line is delivered whole.
 */
export function importOffsets(
  offsets: ReadonlyMap<string, number>,
  found: Inventory,
  state: DeliveryState,
  destination: number,
  settings: RecordSettings,
  home: string,
): Imported {
  const imported: Imported = { files: 0, unknown: [], shorter: [] }
  const byPath = new Map(
    found.sources
      .filter(({ row, artifact }) => row.mode === 'incremental' && artifact?.database === undefined)
      .map((source) => [source.path, source]),
  )
  const known = state.checkpoints(destination)
  for (const [name, offset] of offsets) {
    const source = byPath.get(name.startsWith('~/') ? home + name.slice(1) : name)
    if (!source) imported.unknown.push(name)
    else if (source.bytes < offset) imported.shorter.push(name)
    else if (!known.has(keyOf(source))) {
      const checkpoint = checkpointAt(source, offset, settings)
      if (!checkpoint) continue
      const { artifact: _, bytes: __, modifiedMs: ___, identity: ____, ...facts } = source
      const advance = { key: keyOf(source), facts: facts satisfies SourceFacts, checkpoint }
      state.advance(destination, [advance], { records: 0, bytes: 0, stubs: 0, nowMs: 0 })
      imported.files++
    }
  }
  return imported
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
