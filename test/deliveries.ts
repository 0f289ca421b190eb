import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { walkSegment } from '../src/io/archive/segments.ts'
import { unpackFrame } from '../src/io/frames.ts'
import type { Envelope } from '../src/model/delivery.ts'
import { type Answer, run } from './program.ts'

/** The default archive of `collect`. */
export const archiveOf = (home: string): string => join(home, '.local/share/scrollback/archive')

/** Runs `collect` in a home, for the whole history by default. */
export const collect = (home: string, ...args: string[]): Answer =>
  run(['collect', ...(args.includes('--history') ? args : [...args, '--history', 'all'])], home)

/** Every record of an archive as it was written, in order. */
export function deliveredTo(folder: string): Envelope[] {
  const records: Envelope[] = []
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.jsonl.zst'))
      for (const line of linesIn(join(folder, name))) records.push(JSON.parse(line) as Envelope)
  return records
}

/** Every record of a segment, as its line. */
export function linesIn(segment: string): string[] {
  const lines: string[] = []
  for (const piece of walkSegment(segment))
    if (piece.type === 'frame') lines.push(...unpackFrame(piece.packed).toString().split('\n').slice(0, -1))
  return lines
}

/** The records as seen by a reader that identifies them by id: the last of each. */
export const keyed = (records: readonly Envelope[]): Map<string, Envelope> =>
  new Map(records.map((record) => [record.id, record]))
