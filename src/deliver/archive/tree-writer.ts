import {
  closeSync,
  constants,
  existsSync,
  lutimesSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createOwn, draftOf, makeFolders, readAt, writeAt } from '../../io/own-files.ts'

/** Number of files that stay open. */
const MOST_OPEN = 64
/** Number of bytes that are copied at a time. */
const PIECE = 1024 * 1024
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

/** A hook for tests, which receives the number of unpacked bytes. */
export const unpackHook = { bytes: undefined as ((count: number) => void) | undefined }

/** Writes the files of a tree, many of them in turn. Throws file system errors. */
export function createTreeWriter(folder: string) {
  const open = new Map<string, number>()
  const folders = new Set<string>()
  const makeFolder = (path: string): void => {
    if (folders.has(path)) return
    makeFolders(path)
    folders.add(path)
  }
  const descriptorOf = (name: string): number => {
    let descriptor = open.get(name)
    if (descriptor !== undefined) return descriptor
    const path = join(folder, name)
    makeFolder(dirname(path))
    descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | NO_FOLLOW, 0o600)
    if (open.size >= MOST_OPEN) release(open.keys().next().value!)
    open.set(name, descriptor)
    return descriptor
  }
  function replaced(name: string, fill: (write: (bytes: Buffer) => void) => void): void {
    const path = join(folder, name)
    makeFolder(dirname(path))
    const draft = draftOf(path)
    const descriptor = createOwn(draft)
    let at = 0
    try {
      try {
        fill((bytes) => {
          writeAt(descriptor, bytes, at)
          at += bytes.length
          unpackHook.bytes?.(bytes.length)
        })
      } finally {
        closeSync(descriptor)
      }
      release(name)
      renameSync(draft, path)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  }
  const release = (name: string): void => {
    const descriptor = open.get(name)
    if (descriptor !== undefined) closeSync(descriptor)
    open.delete(name)
  }
  return {
    write(name: string, bytes: Buffer, offset: number): void {
      writeAt(descriptorOf(name), bytes, offset)
      unpackHook.bytes?.(bytes.length)
    },
    /** The bytes of a file between two places, in pieces. */
    *read(name: string, from: number, end: number): Generator<Buffer> {
      for (let at = from; at < end; ) {
        const bytes = readAt(descriptorOf(name), at, Math.min(PIECE, end - at))
        if (bytes.length === 0) return
        yield bytes
        at += bytes.length
      }
    },
    writeWhole(name: string, content: string): void {
      const path = join(folder, name)
      release(name)
      makeFolder(dirname(path))
      writeFileSync(path, content, { mode: 0o600 })
      unpackHook.bytes?.(content.length)
    },
    /** Sets the modification time of a file to that of its content. */
    date(name: string, atMs: number): void {
      release(name)
      lutimesSync(join(folder, name), atMs / 1000, atMs / 1000)
    },
    /** Gives a file another name, unless that was done before a crash. */
    rename(name: string, to: string): void {
      for (const each of [name, to]) release(each)
      makeFolder(dirname(join(folder, to)))
      if (existsSync(join(folder, name))) renameSync(join(folder, name), join(folder, to))
    },
    /** Copies the first bytes of a file, unless a copy of that size exists. */
    copy(name: string, to: string, bytes: number): void {
      if (statSync(join(folder, to), { throwIfNoEntry: false })?.size === bytes) return
      const from = descriptorOf(name)
      replaced(to, (write) => {
        for (let at = 0; at < bytes; at += PIECE) write(readAt(from, at, Math.min(PIECE, bytes - at)))
      })
    },
    /** Replaces a file atomically. */
    replace: replaced,
    close(): void {
      for (const name of [...open.keys()]) release(name)
    },
  }
}

export type TreeWriter = ReturnType<typeof createTreeWriter>
