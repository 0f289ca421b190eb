import { asArray, asObject, asText } from '../../model/json.ts'
import type { RecordedChange } from '../platform.ts'

/** What a call found: the file before an edit, or that a written file did not exist. */
export function recordedChanges(entry: unknown): RecordedChange[] {
  return (asArray(asObject(asObject(entry)?.message)?.content) ?? []).flatMap((each) => {
    const part = asObject(each)
    const callId = asText(part?.callID)
    const metadata = asObject(asObject(part?.state)?.metadata)
    if (callId === undefined || !metadata) return []
    return metadata.exists === false ? [{ callId, original: null }] : []
  })
}
