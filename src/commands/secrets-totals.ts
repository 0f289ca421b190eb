import type { FoundSecrets } from './secrets-find.ts'

/** What is shown of what was found. */
export interface ShownSecrets extends FoundSecrets {
  limit: number
  /** Every file and line, too. */
  withPlaces: boolean
}

interface Totals {
  secrets: number
  places: number
  /** How many secrets of each kind. */
  kinds: Record<string, number>
  files: number
  lines: number
  bytes: number
}

/** Sums over all that was found, however much of it is shown. */
export function totalsOf({ secrets: all, files, lines, bytes }: FoundSecrets): Totals {
  const kinds: Record<string, number> = {}
  for (const { kind } of all) kinds[kind] = (kinds[kind] ?? 0) + 1
  const places = all.reduce((sum, { at }) => sum + at.length, 0)
  return { secrets: all.length, places, kinds, files, lines, bytes }
}
