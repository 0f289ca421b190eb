import type { Lifetime } from '../kit/context.ts'
import type { PageListening } from '../kit/server/listening.ts'
import { type Opening, openPage } from './open-page.ts'

/** Opens the page if that is wanted, and serves it until it is stopped. */
export async function servedUntilStopped(
  listening: PageListening,
  { url, open }: { url: string; open: boolean },
  context: Opening & Pick<Lifetime, 'stop'>,
): Promise<void> {
  context.note('Press Ctrl-C to stop.')
  if (open) await openPage(listening, url, context)
  try {
    await ended(context.stop)
  } finally {
    await listening.close()
  }
}

const ended = (stop: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (!stop || stop.aborted) return resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
