import { hash } from 'node:crypto'
import { raw, sql } from './connection/literal.ts'

/**
 * What the names of users of machines begin with. Those of other users do not, so that rules know whom they
 * bind.
 */
export const DEVICE_USER = 'device_'

/** What the names of the roles begin with that let a machine write the sessions of a person. */
const PERSON_ROLE = 'scrollback_person_'

export const personRole = (person: string): string => `${PERSON_ROLE}${person}`

/** Of the 53 bits of an id, those that tell the files of a machine apart. The others are its number. */
const FILE_BITS = 29
const FILES = 2 ** FILE_BITS
/** The bytes of its number. */
const NUMBER_BYTES = 3

/** The number of a machine. Whoever grants it rights checks that no other machine has the same. */
const numberOf = (device: string): number =>
  hash('sha256', device.toWellFormed(), 'buffer').readUIntLE(0, NUMBER_BYTES)

/** The same in SQL, of an expression. */
const NUMBER_OF = (device: string): string =>
  `reinterpretAsUInt32(substring(SHA256(${device}), 1, ${NUMBER_BYTES}))`

/** The ids that only this machine may write: `first` and the ones after it, as many as `count`. */
export const idsOf = (device: string): { first: number; count: number } => ({
  first: numberOf(device) * FILES,
  count: FILES,
})

/** Whether the files of two machines have the same ids, in SQL: that of an expression and that of a name. */
export const sharesIds = (expression: string, device: string): string =>
  sql`${raw(expression)} <> ${device} AND ${raw(NUMBER_OF(expression))} = ${raw(NUMBER_OF(sql`${device}`))}`

/** The machine of the user who writes. */
const DEVICE = `substring(currentUser(), ${DEVICE_USER.length + 1})`
const isOwn = (id: string): string => `bitShiftRight(${id}, ${FILE_BITS}) = ${NUMBER_OF(DEVICE)}`
const forDevices = (rule: string): string =>
  `CONSTRAINT own CHECK NOT startsWith(currentUser(), '${DEVICE_USER}') OR (${rule})`

const CLOCKS_DIFFER_MINUTES = 10

/**
 * Rules of tables, which the server checks for every row that is inserted. Row policies only limit reading.
 *
 * A row says whose it is by its id, its machine, its person or its owner. These are values of the writer, and
 * the rule compares them with the user whom the server knows: a machine writes rows of its own files only. As
 * the id is part of every key, no row of one machine ever replaces that of another, whatever its version is.
 * Administrators write for every machine.
 */
export const RULES = {
  file: forDevices(isOwn('artifact')),
  device: forDevices(`device = ${DEVICE}`),
  // The server says when it got a file. Its clock may differ from that of another server, but not by so much.
  arrival: forDevices(
    `${isOwn('artifact')} AND at > toUnixTimestamp64Micro(now64(6)) - ${CLOCKS_DIFFER_MINUTES * 60_000_000}`,
  ),
  artifact: forDevices(
    `device = ${DEVICE} AND ${isOwn('id')} AND has(currentRoles(), concat('${PERSON_ROLE}', person))`,
  ),
  // A session without an id would be that of everything that nobody started.
  share: 'CONSTRAINT own CHECK owner = currentUser() AND notEmpty(session)',
} as const
