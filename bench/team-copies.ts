import type { Connection } from '../src/store/clickhouse/connection/connection.ts'
import { idOf, MOMENT_BITS } from '../src/store/clickhouse/schema.ts'

const FIRST = 'machine-0'

/** As of every machine, ids of its files begin with its number. */
const ofMachine = (column: string, copy: number): string =>
  `toInt64(${column} - ${idOf(FIRST, 0)} + ${idOf(`machine-${copy}`, 0)})`

/** Hashes fit into 53 bits, as those of the program do. */
const hashed = (column: string, copy: number): string =>
  `toInt64(bitShiftRight(cityHash64(${column}, ${copy}), 11))`

/** Each copy is some months older than the rows that it is made from, so that the space spans two years. */
const MONTH_MS = 30.5 * 86_400_000
const MONTHS = 12

/** What differs in a copy, by table. Everything that is not listed is the same. */
const CHANGES: Record<string, (copy: number) => Record<string, string>> = {
  arrival: (copy) => ({ artifact: ofMachine('artifact', copy), device: `'machine-${copy}'` }),
  artifact: (copy) => ({
    id: ofMachine('id', copy),
    device: `'machine-${copy}'`,
    person: `'person-${copy}'`,
    session: `concat('${copy}-', session)`,
  }),
  item: (copy) => ({
    artifact: ofMachine('artifact', copy),
    record: `if(record < 0, record, ${hashed('record', copy)})`,
    digest: hashed('digest', copy),
    at: `toInt64(at - ${(copy % MONTHS) * MONTH_MS})`,
    moment: `toInt64(moment - ${(copy % MONTHS) * MONTH_MS * 2 ** MOMENT_BITS})`,
    month: `toYYYYMM(addMonths(toDate(makeDate(intDiv(month, 100), month % 100, 15)), -${copy % MONTHS}))`,
  }),
  usage: (copy) => ({
    artifact: ofMachine('artifact', copy),
    reply: `if(reply < 0, -1, 1) * ${hashed('reply', copy)}`,
    at: `toInt64(at - ${(copy % MONTHS) * MONTH_MS})`,
  }),
}

/**
 * Adds a copy of the rows of the first machine, as of another machine in earlier months: other files, other
 * sessions, other messages with the same texts. The engine writes them itself.
 */
export function addMachine(connection: Connection, copy: number): void {
  for (const [table, changes] of Object.entries(CHANGES)) {
    const replaced = Object.entries(changes(copy)).map(([column, value]) => `${value} AS ${column}`)
    const first =
      table === 'artifact' || table === 'arrival'
        ? `device = '${FIRST}'`
        : `artifact IN (SELECT id FROM artifact WHERE device = '${FIRST}')`
    // In a query of its own, because names of replaced columns mean the new values.
    connection.run(
      `INSERT INTO ${table} SELECT * REPLACE (${replaced.join(', ')}) FROM (SELECT * FROM ${table} WHERE ${first})`,
    )
  }
}
