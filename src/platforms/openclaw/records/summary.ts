import type { Payload } from '../../../model/event.ts'
import { asArray, asObject, asText, type JsonObject } from '../../../model/json.ts'

/** Lists of files at the end of a summary. */
const LISTS = /\n*<(read|modified)-files>\n?([\s\S]*?)\n?<\/\1-files>/g
/** More than a conversation reads. */
const MOST_FILES = 1000

/** The marker of a compaction or an abandoned branch, with the files listed in fields or in its text. */
export function summarized(marker: 'compaction' | 'branch', record: JsonObject): Payload {
  const summary = asText(record.summary)
  const found = new Map<string, string[]>()
  const text = summary?.replace(LISTS, (_, list: string, names: string) => {
    found.set(
      list,
      names.split('\n').map((name) => name.trim()),
    )
    return ''
  })
  const details = asObject(record.details)
  const readFiles = filesIn(details?.readFiles, found.get('read'))
  const modifiedFiles = filesIn(details?.modifiedFiles, found.get('modified'))
  const files = { ...(readFiles && { readFiles }), ...(modifiedFiles && { modifiedFiles }) }
  return { type: 'marker', marker, text: text || undefined, ...(readFiles || modifiedFiles ? { files } : {}) }
}

/** Undefined if neither lists any. */
function filesIn(field: unknown, listed: readonly string[] = []): string[] | undefined {
  const names = (asArray(field) ?? []).filter((name) => typeof name === 'string')
  const files = (names.length > 0 ? names : listed).filter((name) => name !== '')
  return files.length > 0 ? files.slice(0, MOST_FILES) : undefined
}
