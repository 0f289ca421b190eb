import { join } from 'node:path'
import { fileInside, NO_LINKS } from '../io/directories.ts'
import { readSmall } from '../io/source.ts'
import { asObject, type JsonObject, parsedJson } from '../model/json.ts'

/**
 * The end of the name of a file that the rows of a database are unpacked to: an object with each row by its
 * key.
 */
export const ROWS = '.rows.json'

/** Larger files are not ours. */
const LARGEST = 1024 * 1024 * 1024

/**
 * The rows of a database as an archive has them. Undefined where nothing was unpacked. Throws the system's
 * error.
 */
export function unpackedRows(folder: string, name: string): JsonObject[] | undefined {
  const path = join(folder, name)
  if (!fileInside(folder, path, NO_LINKS)) return undefined
  const rows = asObject(parsedJson(readSmall(path, LARGEST)?.toString('utf8') ?? ''))
  return Object.values(rows ?? {}).flatMap((row): JsonObject[] => {
    const fields = asObject(row)
    return fields ? [fields] : []
  })
}
