import { hash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ScrollbackError } from '../../../errors.ts'
import { readPrivateFile, writePrivateFile } from '../../../io/private-file.ts'

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
export function passwordOf(folder: string, user: string): { file: string; hash: string } {
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
