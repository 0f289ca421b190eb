import { resolve } from 'node:path'
import { ScrollbackError } from '../../../errors.ts'
import type { Account } from '../../../store/clickhouse/access/rights.ts'
import { accountStatements, memberStatements } from '../../../store/clickhouse/access/statements.ts'
import type { Context } from '../../kit/command.ts'
import type { Input, StoreAnswer } from '../answer.ts'
import { passwordOf } from './passwords.ts'

/** Users of devices have names that no reader has by accident. */
const DEVICE_PREFIX = 'device_'

/** Control characters, and those that change how others look. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** The statements that create the requested accounts. Nothing of it runs here. */
export function grantAnswer(given: Input, { here, remote }: Context): StoreAnswer {
  const accounts = accountsIn(given)
  const members = namesIn(given.persons)
  const database = given.database ?? remote?.address.database
  if (database === undefined)
    throw new ScrollbackError(
      'bad-option',
      'store grant: --database is missing',
      'Name the database with the tables, for example --database team.',
    )
  const location = { database, cluster: given.cluster }
  const parts: string[] = []
  if (given.team !== undefined && members.length > 0)
    parts.push(
      `-- The team ${JSON.stringify(given.team)} is ${listed(members)}.\n${memberStatements({ team: given.team, persons: members }, location).join(';\n')};\n`,
    )
  if (accounts.length === 0) return { version: 1, action: 'grant', sql: parts.join('\n'), passwords: [] }
  if (given.passwords === undefined)
    throw new ScrollbackError(
      'bad-option',
      'store grant: --passwords is missing',
      'Name a folder for the files with the passwords, one for each user. Only you will be able to read them.',
    )
  const folder = resolve(here, given.passwords)
  const passwords: NonNullable<StoreAnswer['passwords']> = []
  for (const account of accounts) {
    const { file, hash } = passwordOf(folder, account.name)
    const statements = accountStatements({ ...account, hash }, location)
    parts.push(`-- ${meaningOf(account)}\n${statements.join(';\n')};\n`)
    passwords.push({ user: account.name, file })
  }
  return { version: 1, action: 'grant', sql: parts.join('\n'), passwords }
}

const namesIn = (persons = ''): string[] =>
  persons
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const listed = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ')

function accountsIn({ device, reader, persons, team, admin }: Input): Account[] {
  const named = namesIn(persons)
  const others = team === undefined ? named : []
  const teams = team === undefined ? [] : [team]
  const accounts: Account[] = [
    ...device.map((name): Account => ({ kind: 'device', name: `${DEVICE_PREFIX}${name}`, device: name })),
    ...reader.map((name): Account => ({ kind: 'reader', name, persons: others, teams })),
    ...admin.map((name): Account => ({ kind: 'admin', name })),
  ]
  if (team !== undefined && named.length === 0 && reader.length === 0)
    throw new ScrollbackError(
      'bad-option',
      'store grant: --team names a team, and nothing says who is in it or who reads it',
      'Add --persons <names> for who is in it, or --reader <name> for who reads it.',
    )
  if (accounts.length === 0 && team === undefined)
    throw new ScrollbackError(
      'bad-option',
      'store grant: no user is named',
      'Name machines with --device, persons with --reader, and administrators with --admin.',
    )
  if (others.length > 0 && reader.length === 0)
    throw new ScrollbackError(
      'bad-option',
      'store grant: --persons says what a reader sees, and there is no --reader',
      'Add --reader <name>.',
    )
  for (const name of [...accounts.map((account) => account.name), ...named, ...teams])
    if (UNSEEN.test(name) || !name.isWellFormed())
      throw new ScrollbackError(
        'bad-option',
        `store grant: ${JSON.stringify(name)} contains invisible characters`,
        'Give a name without them, because you have to review the SQL.',
      )
  const names = accounts.map(({ name }) => name)
  const twice = names.find((name, index) => name === '' || names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new ScrollbackError(
      'bad-option',
      twice === '' ? 'store grant: a name is empty' : `store grant: "${twice}" is named twice`,
      'Give every user a name of its own.',
    )
  return accounts
}

/** One line. */
function meaningOf(account: Account): string {
  const name = JSON.stringify(account.name)
  switch (account.kind) {
    case 'device':
      return `${name} writes the sessions of the machine ${JSON.stringify(account.device)} and reads no others.`
    case 'reader':
      return `${name} reads the sessions of ${listed([account.name, ...account.persons])}, ${teamsOf(account.teams)}and shared ones.`
    case 'admin':
      return `${name} may do everything with this database.`
  }
}

const teamsOf = (teams: readonly string[] = []): string =>
  teams.map((team) => `of the team ${JSON.stringify(team)}, `).join('')
