import { ScrollbackError } from '../../../errors.ts'
import type { Account } from '../../../store/clickhouse/access/rights.ts'
import { DEVICE_USER } from '../../../store/clickhouse/ownership.ts'
import type { Input } from '../answer.ts'

/** Control characters, and those that change how others look. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** Every server has this user, who usually administers it. */
const SERVER_USER = 'default'

const wrong = (what: string, wayOut: string): ScrollbackError =>
  new ScrollbackError('bad-option', `store grant: ${what}`, wayOut)

/** Names between commas. */
export const namesIn = (persons = ''): string[] =>
  persons
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/**
 * The accounts that the options name. `administrator` is the user of `--store`. Throws a `ScrollbackError`
 * for options that say too little, and for names that would replace somebody else.
 */
export function accountsIn(given: Input, administrator: string | undefined): Account[] {
  const { device, reader, persons, team, admin } = given
  const named = namesIn(persons)
  refuseUnclear(given, named)
  const others = team === undefined ? named : []
  const teams = team === undefined ? [] : [team]
  const accounts: Account[] = [
    ...device.map(
      (name): Account => ({
        ...{ kind: 'device', name: `${DEVICE_USER}${name}`, device: name, persons: named },
      }),
    ),
    ...reader.map((name): Account => ({ kind: 'reader', name, persons: others, teams })),
    ...admin.map((name): Account => ({ kind: 'admin', name })),
  ]
  for (const name of [...device, ...accounts.map((account) => account.name), ...named, ...teams])
    refuseUnsafe(name)
  for (const account of accounts) refuseForeign(account, administrator)
  const names = accounts.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw wrong(`"${twice}" is named twice`, 'Give every user a name of its own.')
  return accounts
}

function refuseUnclear({ device, reader, team, admin }: Input, named: readonly string[]): void {
  if (device.length > 0 && (reader.length > 0 || team !== undefined))
    throw wrong(
      '--persons means something else for machines than for readers and teams',
      'Grant machines with a command of their own.',
    )
  if (device.length > 0 && named.length === 0)
    throw wrong(
      '--persons is missing: it says whose sessions a machine may write',
      'Name the users of the machine, for example --persons ann. Grant machines of others with another command.',
    )
  if (team !== undefined && named.length === 0 && reader.length === 0)
    throw wrong(
      '--team names a team, and nothing says who is in it or who reads it',
      'Add --persons <names> for who is in it, or --reader <name> for who reads it.',
    )
  if (team === undefined && device.length + reader.length + admin.length === 0)
    throw wrong(
      'no user is named',
      'Name machines with --device, persons with --reader, and administrators with --admin.',
    )
  if (team === undefined && named.length > 0 && device.length + reader.length === 0)
    throw wrong(
      '--persons says whose sessions a machine writes or a reader sees, and there is neither',
      'Add --device <name> or --reader <name>.',
    )
}

function refuseUnsafe(name: string): void {
  if (name.trim() === '') throw wrong('a name is empty', 'Give every machine and every user a name.')
  if (UNSEEN.test(name) || !name.isWellFormed())
    throw wrong(
      `${JSON.stringify(name)} contains invisible characters`,
      'Give a name without them, because you have to review the SQL.',
    )
}

/** The SQL replaces users with their passwords. It checks those of the server that are unknown here. */
function refuseForeign({ kind, name }: Account, administrator: string | undefined): void {
  if (name === SERVER_USER || name === administrator)
    throw wrong(
      `"${name}" administers the server, and would get another password and other rights`,
      'Give a user another name.',
    )
  if (kind !== 'device' && name.startsWith(DEVICE_USER))
    throw wrong(
      `names that begin with ${DEVICE_USER} are those of machines`,
      `Give "${name}" another name, or grant a machine with --device.`,
    )
}
