/** The first waits, in ms. They are short, because most broken connections recover soon. */
const FIRST_WAITS = [500, 1000, 2000]
const LONG_WAIT = 30_000
const LONGEST_WAIT = 300_000

/**
 * The wait before the next attempt in ms: 0.5, 1 and 2 s, then 30 s doubling up to 300 s, each varied by up
 * to a fifth.
 */
export function waitBefore(failed: number, random: () => number = Math.random): number {
  const steady =
    FIRST_WAITS[failed - 1] ?? Math.min(LONGEST_WAIT, LONG_WAIT * 2 ** (failed - 1 - FIRST_WAITS.length))
  return Math.round(steady * (0.8 + 0.4 * random()))
}

/** Resolves after `ms` milliseconds or when stopped. */
export const pause = (ms: number, stop?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop?.aborted) return resolve()
    const timer = setTimeout(done, ms)
    stop?.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      stop?.removeEventListener('abort', done)
      resolve()
    }
  })
