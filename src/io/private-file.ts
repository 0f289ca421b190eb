import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceOwn } from './own-files.ts'

/** A token is a line; what is longer is another file. */
const LARGEST = 64 * 1024

/** The text of a file that holds a secret, and who may read it. */
export interface PrivateText {
  text: string
  /** Others than its owner may read or change it. */
  open: boolean
}

/** Reads a small file and how it is protected, of the same file. Throws the system's error. */
export function readPrivateFile(path: string): PrivateText {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const bytes = Buffer.alloc(LARGEST)
    const length = readSync(descriptor, bytes, 0, LARGEST, 0)
    // Windows knows no such modes.
    const open = process.platform !== 'win32' && (fstatSync(descriptor).mode & 0o077) !== 0
    return { text: bytes.toString('utf8', 0, length), open }
  } finally {
    closeSync(descriptor)
  }
}

/** Writes a file that nobody else may read; it is there whole or not at all. A link of that name is replaced. Throws the system's error. */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  replaceOwn(path, text)
}
