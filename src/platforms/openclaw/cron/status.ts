import { asText } from '../../../model/json.ts'

/** The words of the several logs and tables for the same end of a run. */
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

/** How a run ended, in one word for each end; a word nobody knows stays. */
export function statusOf(value: unknown): string | undefined {
  const text = asText(value)?.trim().toLowerCase()
  return text === undefined || text === '' ? undefined : Object.hasOwn(SAME, text) ? SAME[text] : text
}
