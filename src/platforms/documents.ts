import { readSmall, type SeekableSource } from '../io/source.ts'
import type { Artifact } from '../model/artifact.ts'
import { asObject, type JsonObject, parsedJson } from '../model/json.ts'
import { sourceOf } from './folders.ts'

/** Larger documents are not read. */
const LARGEST = 256 * 1024 * 1024

/**
 * A file that is one JSON object, and its bytes. Without an object it is damaged. Throws the system's error,
 * and `EFBIG` if it is too large.
 */
export function documentAt(path: string): { document: JsonObject | undefined; bytes: Buffer } {
  const bytes = readSmall(path, LARGEST)
  if (!bytes) throw Object.assign(new Error('the document is too large'), { code: 'EFBIG' })
  return { document: asObject(parsedJson(bytes.toString('utf8'))), bytes }
}

/** Values as the lines of an artifact. */
export const sourceOfLines = (values: readonly unknown[], artifact: Artifact): SeekableSource =>
  sourceOf(Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join('')), artifact)

/** What is not the document that was expected: the lines of an archive, or a malformed line. */
export function damagedSource(bytes: Buffer, artifact: Artifact): SeekableSource {
  const source = sourceOf(Buffer.concat([bytes, NEWLINE]), artifact)
  const end = bytes.indexOf(NEWLINE)
  const first = bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
  // The first line of an archive is an object, and so is a whole document with something else in it.
  const isWhole = [first, bytes.toString('utf8')].some((text) => parsedJson(text) !== undefined)
  return isWhole ? source : { ...source, torn: true }
}

const NEWLINE = Buffer.from('\n')
