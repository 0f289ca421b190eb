import { type FSWatcher, watch } from 'node:fs'

/** Writes come in bursts; a refresh for each would be wasted. */
const SETTLE_MS = 300
/** What the system does not tell, on network drives for one, is looked for so often. */
const POLL_MS = 30_000

/**
 * Yields whenever something may have changed below the folders, until `stop` is aborted. The system tells; a slow look around
 * catches what it does not.
 */
export async function* watchFolders(
  folders: readonly string[],
  stop: AbortSignal | undefined,
): AsyncGenerator<void> {
  let wake = (): void => {}
  // What came before the system began to watch is found by a first look.
  let changed = true
  const told = (): void => {
    changed = true
    wake()
  }
  const watchers: FSWatcher[] = []
  for (const folder of folders)
    try {
      watchers.push(watch(folder, { recursive: true, persistent: false }, told).on('error', () => {}))
    } catch {
      // Looked at slowly then.
    }
  stop?.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!stop?.aborted) {
      if (!changed)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, POLL_MS)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      if (stop?.aborted) return
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
      changed = false
      yield
    }
  } finally {
    for (const each of watchers) each.close()
  }
}
