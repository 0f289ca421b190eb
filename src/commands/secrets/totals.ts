import type { FoundSecrets } from './find.ts'

/** What is shown of the found secrets. */
export interface ShownSecrets extends FoundSecrets {
  limit: number
  /** Also list every file and line. */
  listPositions: boolean
}

interface Totals {
  secrets: number
  places: number
  /** The number of secrets of each kind. */
  kinds: Record<string, number>
  files: number
  lines: number
  bytes: number
}

/** Sums over all secrets, including those that are not shown. */
export function totalsOf({ secrets: all, files, lines, bytes }: FoundSecrets): Totals {
  const kinds: Record<string, number> = {}
  for (const { kind } of all) kinds[kind] = (kinds[kind] ?? 0) + 1
  const places = all.reduce((sum, { at }) => sum + at.length, 0)
  return { secrets: all.length, places, kinds, files, lines, bytes }
}
