import { join } from 'node:path'
import { readPrivateFile } from '../../io/own-files.ts'

/** Tokens as we write them. */
const TOKEN = /^[\w-]{43}$/

/** The token of an earlier start. Undefined if there is none that only its owner can read. */
export function storedPageToken(dataFolder: string): string | undefined {
  try {
    const { text, open } = readPrivateFile(join(dataFolder, 'page-token'))
    return !open && TOKEN.test(text.trim()) ? text.trim() : undefined
  } catch {
    return undefined
  }
}
