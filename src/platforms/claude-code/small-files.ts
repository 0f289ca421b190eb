import { dirname } from 'node:path'
import { fileInside, NO_LINKS } from '../../io/directories.ts'
import { readSmall } from '../../io/source.ts'
import { asObject, type JsonObject } from '../../model/json.ts'

const LIMIT = 256 * 1024

/** Reads a small JSON file next to a transcript. Undefined if it is missing or unreadable. */
export function readJson(path: string, limit = LIMIT): JsonObject | undefined {
  if (!fileInside(dirname(path), path, NO_LINKS)) return undefined
  try {
    const content = readSmall(path, limit)
    return content && asObject(JSON.parse(content.toString('utf8')))
  } catch {
    return undefined
  }
}
