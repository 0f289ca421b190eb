import { asText } from '../../../model/json.ts'

/** Different words for the same outcome in logs and tables. */
const SAME: Readonly<Record<string, string>> = {
  succeeded: 'ok',
  success: 'ok',
  completed: 'ok',
  failed: 'error',
  failure: 'error',
  timed_out: 'error',
  timeout: 'error',
  lost: 'error',
}

/** The outcome of a run, with one word per outcome. Unknown words are returned unchanged. */
export function statusOf(value: unknown): string | undefined {
  const text = asText(value)?.trim().toLowerCase()
  return text === undefined || text === '' ? undefined : Object.hasOwn(SAME, text) ? SAME[text] : text
}
