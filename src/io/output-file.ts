import { closeSync, mkdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { createOwn, draftOf, openOwnToRead, readAt } from './own-files.ts'

/** A file that is written in pieces and only gets its name once it is complete. */
export interface OutputFile {
  write(piece: string | Uint8Array): void
  /** Renames the file to its final name. */
  done(): void
  /** Deletes the incomplete file. */
  drop(): void
}

/**
 * Only the owner may read the file and the folders that are created for it, because transcripts are private.
 * A link of that name is replaced, never followed. Throws the system's error.
 */
export function createOutputFile(path: string): OutputFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = draftOf(path)
  const descriptor = createOwn(temporary)
  let open = true
  const close = (): void => {
    if (open) closeSync(descriptor)
    open = false
  }
  return {
    write(piece) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    },
    done() {
      close()
      renameSync(temporary, path)
    },
    drop() {
      close()
      rmSync(temporary, { force: true })
    },
  }
}

const PART = 1024 * 1024

/** The contents of such a file, in chunks. */
export function* partsOfFile(path: string): Generator<Uint8Array> {
  const descriptor = openOwnToRead(path)
  try {
    for (let at = 0; ; ) {
      const part = readAt(descriptor, at, PART)
      if (part.length === 0) return
      at += part.length
      yield part
    }
  } finally {
    closeSync(descriptor)
  }
}
