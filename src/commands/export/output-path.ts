import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ScrollbackError } from '../../errors.ts'

/** Fails if a path is taken, unless `force` allows to overwrite a plain file. */
export function refuseToReplace(path: string, folder: boolean, force: boolean): void {
  if (!existsSync(path)) return
  const there = statSync(path)
  // A file is renamed to its final name. That would destroy a device or a pipe.
  if (!there.isFile() && !there.isDirectory())
    throw new ScrollbackError(
      'bad-option',
      `${path} is not a regular file`,
      'Choose another path with --out, or write to standard output with --out -.',
    )
  if (force) return
  if (there.isDirectory() && folder) {
    if (!existsSync(join(path, 'index.md'))) return
  }
  throw new ScrollbackError(
    'bad-option',
    `${path} already exists`,
    'Choose another path with --out, or overwrite it with --force.',
  )
}

const UNWRITABLE = /^(?:ENOTDIR|ENOENT|EEXIST|EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EISDIR|ENAMETOOLONG)$/

/** The error for a file that cannot be written. Other errors stay as they are. */
export function unwritable(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (!UNWRITABLE.test(code ?? '')) return error
  return new ScrollbackError(
    code === 'ENOSPC' ? 'store-full' : 'unreadable',
    `${path} cannot be written (${code}).`,
    'Choose another path with --out.',
    error,
  )
}
