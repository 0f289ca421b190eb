import { hash, randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Context } from '../../context/context.ts'
import { ScrollbackError } from '../../errors.ts'
import { readPrivateFile, writePrivateFile } from '../../io/own-files.ts'
import type { Account } from '../../store/team.ts'
import type { Input, StoreAnswer } from './answer.ts'
import { teamEngine } from './team-store.ts'

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
      `-- The team ${JSON.stringify(given.team)} is ${listed(members)}.\n${teamEngine.memberStatements({ team: given.team, persons: members }, location).join(';\n')};\n`,
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
    const statements = teamEngine.accountStatements({ ...account, hash }, location)
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

/** Control characters, and those that change how others look. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** Every server has this user, who usually administers it. */
const SERVER_USER = 'default'

const wrong = (what: string, wayOut: string): ScrollbackError =>
  new ScrollbackError('bad-option', `store grant: ${what}`, wayOut)

/** Names between commas. */
const namesIn = (persons = ''): string[] =>
  persons
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/**
 * The accounts that the options name. `administrator` is the user of `--store`. Throws a `ScrollbackError`
 * for options that say too little, and for names that would replace somebody else.
 */
function accountsIn(given: Input, administrator: string | undefined): Account[] {
  const { device, reader, persons, team, admin } = given
  const named = namesIn(persons)
  refuseUnclear(given, named)
  const others = team === undefined ? named : []
  const teams = team === undefined ? [] : [team]
  const accounts: Account[] = [
    ...device.map(
      (name): Account => ({
        kind: 'device',
        name: `${teamEngine.deviceUser}${name}`,
        device: name,
        persons: named,
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
  if (kind !== 'device' && name.startsWith(teamEngine.deviceUser))
    throw wrong(
      `names that begin with ${teamEngine.deviceUser} are those of machines`,
      `Give "${name}" another name, or grant a machine with --device.`,
    )
}

/** Long enough that nobody finds a password from its hash. */
const BYTES = 32
const SHORTEST = 20

/** The file of a user in a folder. */
const fileOf = (folder: string, user: string): string =>
  join(folder, `${encodeURIComponent(user.toWellFormed())}.password`)

/**
 * The SHA-256 of the password of a user, in hexadecimal digits, and the file that has the password. The file
 * is written if there is none. Only its owner can read it. Throws a `ScrollbackError` if others can, or if it
 * is too short to be safe as a hash.
 */
function passwordOf(folder: string, user: string): { file: string; hash: string } {
  const file = fileOf(folder, user)
  const password = stored(file) ?? generated(file)
  return { file, hash: hash('sha256', password, 'hex') }
}

function generated(file: string): string {
  const password = randomBytes(BYTES).toString('base64url')
  try {
    writePrivateFile(file, `${password}\n`)
  } catch (error) {
    throw unusable(file, 'cannot be written', 'Give another folder.', error)
  }
  return password
}

function stored(file: string): string | undefined {
  let found: ReturnType<typeof readPrivateFile>
  try {
    found = readPrivateFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(file, 'cannot be read', 'Give another folder.', error)
  }
  if (found.open) throw unusable(file, 'other users can read or change it', `Protect it: chmod 600 ${file}`)
  const password = found.text.trim()
  if (password.length < SHORTEST)
    throw unusable(
      file,
      `the password is shorter than ${SHORTEST} characters, and the SQL contains its hash`,
      'Delete the file to get a new password.',
    )
  return password
}

const unusable = (file: string, why: string, wayOut: string, cause?: unknown): ScrollbackError =>
  new ScrollbackError('bad-option', `--passwords: ${file}: ${why}.`, wayOut, cause)
