import type { ZoneSpan } from '../store/figures.ts'

const HOUR_MS = 3_600_000
const STEP_MS = 7 * 24 * HOUR_MS

/** Local time between two moments as spans of one offset each; `offsetAt` answers what is added to UTC, in ms. */
export function zoneSpans(
  fromMs: number,
  untilMs: number,
  offsetAt: (ms: number) => number = (ms) => -new Date(ms).getTimezoneOffset() * 60_000,
): ZoneSpan[] {
  const spans: ZoneSpan[] = [{ fromMs: Number.MIN_SAFE_INTEGER, offsetMs: offsetAt(fromMs) }]
  for (let at = fromMs; at < untilMs; at += STEP_MS) {
    const end = Math.min(at + STEP_MS, untilMs)
    const offsetMs = offsetAt(end)
    if (offsetMs === spans.at(-1)!.offsetMs) continue
    let [low, high] = [at, end]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(middle) === offsetMs) high = middle
      else low = middle
    }
    spans.push({ fromMs: high, offsetMs })
  }
  return spans
}
