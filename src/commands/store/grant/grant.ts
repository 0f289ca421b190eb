import { resolve } from 'node:path'
import { ScrollbackError } from '../../../errors.ts'
import type { Account } from '../../../store/clickhouse/access/rights.ts'
import { accountStatements, memberStatements } from '../../../store/clickhouse/access/statements.ts'
import type { Context } from '../../kit/context.ts'
import type { Input, StoreAnswer } from '../answer.ts'
import { accountsIn, namesIn } from './accounts.ts'
import { passwordOf } from './passwords.ts'

/** The statements that create the requested accounts. Nothing of it runs here. */
export function grantAnswer(given: Input, { here, remote }: Context): StoreAnswer {
  const accounts = accountsIn(given, remote?.address.user)
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

const listed = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ')

/** One line. */
function meaningOf(account: Account): string {
  const name = JSON.stringify(account.name)
  switch (account.kind) {
    case 'device':
      return `${name} writes the sessions of ${listed(account.persons)} on the machine ${JSON.stringify(account.device)}, and reads no others.`
    case 'reader':
      return `${name} reads the sessions of ${listed([account.name, ...account.persons])}, ${teamsOf(account.teams)}and shared ones.`
    case 'admin':
      return `${name} may do everything with this database.`
  }
}

const teamsOf = (teams: readonly string[] = []): string =>
  teams.map((team) => `of the team ${JSON.stringify(team)}, `).join('')
