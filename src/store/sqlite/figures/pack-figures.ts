import type { DayFigures } from '../../figures.ts'

/** Rows of equal fields: the names once, then the values of each row. */
interface Packed {
  names: string[]
  rows: unknown[][]
}

const LISTS = ['usage', 'messages', 'hours', 'touched'] as const

/** The sums of a day as JSON without repeated names, which would be 40 % of it. */
export const packFigures = ({ day, ...lists }: DayFigures): string =>
  JSON.stringify([day, ...LISTS.map((name) => pack(lists[name]))])

export function unpackFigures(text: string): DayFigures {
  const [day, ...packed] = JSON.parse(text) as [number | null, ...Packed[]]
  const lists = LISTS.map((name, index) => [name, unpack(packed[index]!)] as const)
  return { day, ...(Object.fromEntries(lists) as unknown as Omit<DayFigures, 'day'>) }
}

function pack(rows: readonly object[]): Packed {
  const names = Object.keys(rows[0] ?? {})
  return { names, rows: rows.map((row) => names.map((name) => row[name as keyof typeof row])) }
}

const unpack = ({ names, rows }: Packed): object[] =>
  rows.map((values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < names.length; index++) row[names[index]!] = values[index]
    return row
  })
