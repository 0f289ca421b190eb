import { hash, randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Context } from '../../context/context.ts'
import { ScrollbackError } from '../../errors.ts'
import { readPrivateFile, writePrivateFile } from '../../io/own-files.ts'
import { shellWord } from '../../model/shell-word.ts'
import type { Account } from '../../store/team.ts'
import type { Input, StoreAnswer } from './answer.ts'
import { teamEngine } from './team-store.ts'

/** The statements that create the requested accounts. Nothing of it runs here. */
export function grantAnswer(given: Input, { here, remote }: Context): StoreAnswer {
  const accounts = accountsIn(given, remote?.address.user)
  const databases = given.database.length > 0 ? given.database : remote ? [remote.address.database] : []
  if (databases.length === 0)
    throw new ScrollbackError(
      'bad-option',
      'store grant: --database is missing',
      'Name the database of each space that these users may use, for example --database team.',
    )
  const { cluster, ldap } = given
  if (ldap === undefined && given.passwords === undefined)
    throw new ScrollbackError(
      'bad-option',
      'store grant: --passwords is missing',
      'Name a folder for the files with the passwords, one for each user. Only you will be able to read them. Or name an LDAP server of ClickHouse with --ldap.',
    )
  if (ldap !== undefined) refuseUnsafe(ldap)
  const passwords: NonNullable<StoreAnswer['passwords']> = []
  const parts = accounts.map((account) => {
    const statements = teamEngine.accountStatements(
      { ...account, proof: ldap === undefined ? passwordIn(account.name) : { ldap } },
      { databases, cluster },
    )
    return `-- ${meaningOf(account, databases)}\n${statements.join(';\n')};\n`
  })
  return { version: 1, action: 'grant', sql: parts.join('\n'), passwords }

  function passwordIn(name: string): { hash: string } {
    const { file, hash } = passwordOf(resolve(here, given.passwords!), name)
    passwords.push({ user: name, file })
    return { hash }
  }
}

/** One line. */
function meaningOf(account: Account, databases: readonly string[]): string {
  const name = JSON.stringify(account.name)
  const where = databases.map((database) => JSON.stringify(database)).join(' and ')
  switch (account.kind) {
    case 'device':
      return `${name} adds what the machine ${JSON.stringify(account.device)} has to ${where}, and reads nothing.`
    case 'reader':
      return `${name} reads everything in ${where}, within limits, and changes nothing.`
    case 'admin':
      return `${name} may do everything with ${where}.`
  }
}

/** Control characters, and those that change how others look. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** Every server has this user, who usually administers it. */
const SERVER_USER = 'default'

const wrong = (what: string, wayOut: string): ScrollbackError =>
  new ScrollbackError('bad-option', `store grant: ${what}`, wayOut)

/**
 * The accounts that the options name. `administrator` is the user of `--store`. Throws a `ScrollbackError`
 * for options that say too little, and for names that would replace somebody else.
 */
function accountsIn({ device, reader, admin }: Input, administrator: string | undefined): Account[] {
  if (device.length + reader.length + admin.length === 0)
    throw wrong(
      'no user is named',
      'Name machines with --device, persons with --reader, and administrators with --admin.',
    )
  const accounts: Account[] = [
    ...device.map(
      (name): Account => ({ kind: 'device', name: `${teamEngine.deviceUser}${name}`, device: name }),
    ),
    ...reader.map((name): Account => ({ kind: 'reader', name })),
    ...admin.map((name): Account => ({ kind: 'admin', name })),
  ]
  for (const name of [...device, ...accounts.map((account) => account.name)]) refuseUnsafe(name)
  for (const account of accounts) refuseForeign(account, administrator)
  const names = accounts.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw wrong(`"${twice}" is named twice`, 'Give every user a name of its own.')
  return accounts
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
  if (found.open)
    throw unusable(file, 'other users can read or change it', `Protect it: chmod 600 ${shellWord(file)}`)
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
