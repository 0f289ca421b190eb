import { randomBytes } from 'node:crypto'
import { buildPage } from '../../../commands/serve/page.ts'
import type { Context, PageListening } from '../../../context/context.ts'
import { ScrollbackError } from '../../../errors.ts'

export interface PageOpener {
  /** Opens a session in the browser, at a line. */
  open(session: string, line: number | undefined): Promise<{ address: string; isOpen: boolean }>
  close(): void
}

const HOST = '127.0.0.1'

/** Serves the page while the picker is open. Nothing listens before the page is asked for. */
export function createPageOpener(context: Context): PageOpener {
  let listening: Promise<PageListening> | undefined
  return {
    async open(session, line) {
      const { servePage, openBrowser } = context
      if (!servePage) throw new ScrollbackError('nothing-found', 'There is no page here.')
      const quiet = { ...context, note: () => {} }
      listening ??= buildPage(quiet).then((files) =>
        servePage(quiet, {
          host: HOST,
          port: 0,
          token: randomBytes(32).toString('base64url'),
          names: [HOST],
          files,
          fault: () => {},
        }),
      )
      const { port, code } = await listening
      const path = ['session', session, ...(line === undefined ? [] : [String(line)])]
        .map(encodeURIComponent)
        .join('/')
      const address = `http://${HOST}:${port}/${path}?code=${code()}`
      return { address, isOpen: (await openBrowser?.(address)) === true }
    },
    close() {
      void listening?.then((page) => page.close()).catch(() => {})
    },
  }
}
