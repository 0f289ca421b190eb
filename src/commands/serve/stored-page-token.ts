import { join } from 'node:path'
import { ensureTokenFile, readPrivateFile } from '../../io/own-files.ts'

/** Tokens as we write them. */
const TOKEN = /^[\w-]{43}$/

/** The token of this and all later starts. Undefined if others can read it, or it cannot be written. */
export function storedPageToken(dataFolder: string): string | undefined {
  try {
    const path = join(dataFolder, 'page-token')
    ensureTokenFile(path)
    const { text, open } = readPrivateFile(path)
    return !open && TOKEN.test(text.trim()) ? text.trim() : undefined
  } catch {
    return undefined
  }
}
