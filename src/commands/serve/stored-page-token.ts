import { join } from 'node:path'
import { ownTokenFile } from '../../io/own-files.ts'

/** Tokens as we write them. */
const TOKEN = /^[\w-]{43}$/

/** The token of this and all later starts. Undefined if others can read it, or it cannot be written. */
export function storedPageToken(dataFolder: string): string | undefined {
  try {
    const { text, open } = ownTokenFile(join(dataFolder, 'page-token'))
    return !open && TOKEN.test(text.trim()) ? text.trim() : undefined
  } catch {
    return undefined
  }
}
