import { asObject, asText } from '../../model/json.ts'
import type { LineChange, RecordedChange } from '../platform.ts'
import { callIdOf } from './entry.ts'

/** A line of the diff: a sign, the padded number of the line, and the line. Of lines left out, `...`. */
const LINE = /^([-+ ])\s*(\d+) (.*)$/

/** The diff that the client adds to the result of an edit, as `details.diff`. */
export function recordedChanges(entry: unknown): RecordedChange[] {
  const message = asObject(asObject(entry)?.message)
  const diff = asText(asObject(message?.details)?.diff)
  const callId = message && callIdOf(message)
  if (!callId || diff === undefined) return []
  const hunks: LineChange[] = [{ before: [], after: [] }]
  for (const line of diff.split(/\r?\n/)) {
    const [, sign, , text] = LINE.exec(line) ?? []
    if (text === undefined) {
      hunks.push({ before: [], after: [] })
      continue
    }
    if (sign !== '+') hunks.at(-1)!.before.push(text)
    if (sign !== '-') hunks.at(-1)!.after.push(text)
  }
  const changed = hunks.filter(({ before, after }) => before.join('\n') !== after.join('\n'))
  return changed.length === 0 ? [] : [{ callId, hunks: changed }]
}
