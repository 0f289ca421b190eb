import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceOwn } from './own-files.ts'

/** A token is one line. A larger file is something else. */
const LARGEST = 64 * 1024

/** The contents of a secret file, and whether it is protected. */
export interface PrivateText {
  text: string
  /** Other users can read or change it. */
  open: boolean
}

/** Reads a small file and its permissions through the same descriptor. Throws the system's error. */
export function readPrivateFile(path: string): PrivateText {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const bytes = Buffer.alloc(LARGEST)
    const length = readSync(descriptor, bytes, 0, LARGEST, 0)
    const { mode, uid } = fstatSync(descriptor)
    const own = process.getuid?.()
    // Windows has neither such modes nor such owners.
    const open = own !== undefined && ((mode & 0o077) !== 0 || (uid !== own && uid !== 0))
    return { text: bytes.toString('utf8', 0, length), open }
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Writes a file atomically that only its owner can read. A link of that name is replaced. Throws the system's
 * error.
 */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  replaceOwn(path, text)
}
