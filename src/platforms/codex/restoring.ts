import { asObject, asText, type JsonObject, parsedJson } from '../../model/json.ts'
import type { Restoring } from '../platform.ts'

/** Where Codex keeps the names that people gave to threads. The last entry of a thread counts. */
const NAMES = 'session_index.jsonl'

function entryOf(text: string | undefined, id: string): JsonObject | undefined {
  return text
    ?.split('\n')
    .map((line) => asObject(parsedJson(line)))
    .findLast((entry) => entry?.id === id)
}

export const restoring: Restoring = {
  directories: ['payload.cwd'],
  index: {
    of: () => NAMES,
    add(current, former, { id }) {
      if (current !== undefined && entryOf(current, id)) return { text: current, key: id }
      const named = entryOf(former, id)
      const name = asText(named?.thread_name)
      // A thread needs no name.
      if (name === undefined) return undefined
      const before =
        current === undefined || current === '' || current.endsWith('\n') ? current : `${current}\n`
      const entry = { id, thread_name: name, updated_at: asText(named?.updated_at) }
      return { text: `${before ?? ''}${JSON.stringify(entry)}\n`, key: id }
    },
  },
}
