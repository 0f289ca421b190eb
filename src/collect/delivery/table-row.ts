import { expandBraces } from '../../io/glob.ts'
import { matcherOf } from '../../io/glob-matcher.ts'
import type { CollectedRow, TableRow } from '../../model/delivery.ts'

const matchers = new Map<string, readonly ((name: string) => boolean)[]>()

/**
 * The first row that matches a name, if it is collected. `kinds`: only rows of these kinds, and those that
 * skip.
 */
export function rowFor(
  name: string,
  table: readonly TableRow[],
  kinds?: readonly string[],
): CollectedRow | undefined {
  for (const row of table) {
    const fits = 'skip' in row || !kinds || kinds.includes(row.kind)
    if (!fits || !matchersOf(row).some((matches) => matches(name))) continue
    return 'skip' in row ? undefined : row
  }
  return undefined
}

function matchersOf({ pattern }: TableRow): readonly ((name: string) => boolean)[] {
  let made = matchers.get(pattern)
  if (!made) {
    made = expandBraces(pattern).map(matcherOf)
    matchers.set(pattern, made)
  }
  return made
}
