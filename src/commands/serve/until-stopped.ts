import type { Lifetime, PageListening } from '../kit/context.ts'
import { stopped } from '../kit/server.ts'
import { type Opening, openPage } from './open-page.ts'

/** Serves the page until the user stops it. With `open`, opens it in the browser first. */
export async function serveUntilStopped(
  listening: PageListening,
  { url, open }: { url: string; open: boolean },
  context: Opening & Pick<Lifetime, 'stop'>,
): Promise<void> {
  context.note('Press Ctrl-C to stop.')
  if (open) await openPage(listening, url, context)
  try {
    await stopped(context.stop)
  } finally {
    await listening.close()
  }
}
