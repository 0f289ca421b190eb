import { join } from 'node:path'
import { listDirectory } from './directories.ts'

/** Names sort in the order in which the segments were written. */
const SEGMENT = /^records-(\d{4}-\d{2}-\d{2})-(\d{4,})\.jsonl\.zst$/

export const segmentName = (day: string, number: number): string =>
  `records-${day}-${String(number).padStart(4, '0')}.jsonl.zst`

/** The day and number in the name of a segment. Undefined for any other name. */
export function segmentDay(name: string): { day: string; number: number } | undefined {
  const [, day, number] = SEGMENT.exec(name) ?? []
  return day === undefined ? undefined : { day, number: Number(number) }
}

export const segmentsIn = (folder: string): string[] =>
  listDirectory(folder)
    .entries.flatMap(({ name }) => (SEGMENT.test(name) ? name : []))
    .sort()
    .map((name) => join(folder, name))
