import type { Browser, Page } from 'playwright-core'
import { heapOf, openPage } from './page-browser.ts'
import { idleShare, type PageServer, pause, startServer } from './page-server.ts'
import { type PageTree, peerTree } from './page-tree.ts'
import type { Report } from './report.ts'
import { installed } from './setup.ts'

export const NAME = 'claude-run'
export const VERSION = '0.3.0'
/** A session in its list. */
export const PEER_ROW = '[data-index], aside button, aside [role="button"]'
/** A page that takes longer has failed. */
const PATIENCE_MS = 120_000

export const startPeer = (path: string, folder: string): Promise<PageServer> =>
  startServer([path, '--no-open', '-d', folder, '-p', '4791'])

interface Sides {
  tree: PageTree
  browser: Browser
  /** Our own server. */
  start(): Promise<PageServer>
  megabytes: number
}

interface Side {
  start(): Promise<PageServer>
  /** A session in the list. */
  listed: string
  /** Opens the long session. Resolves when one of its messages is on screen. */
  open(page: Page, server: PageServer): Promise<void>
}

/** Time, memory and idle processor time of both programs over the same files. */
export async function measurePeer(report: Report, sides: Sides): Promise<void> {
  const found = installed(NAME, VERSION)
  if ('missing' in found) return report.skip(`beside ${NAME}`, found.missing)
  const { tree, start, megabytes } = sides
  const folder = peerTree(String(megabytes), tree.folders.slice(0, 2), tree.long)
  const ours: Side = {
    start,
    listed: '.session-link',
    async open(page, { url }) {
      await page.goto(`${new URL(url).origin}/session/${tree.long}`)
      await page.locator('.conversation-list .message').first().waitFor()
    },
  }
  const theirs: Side = {
    start: () => startPeer(found.path, folder),
    listed: PEER_ROW,
    async open(page) {
      await page.locator(theirs.listed).first().click()
      await page.locator('.prose, [class*="whitespace-pre-wrap"]').first().waitFor({ timeout: PATIENCE_MS })
    },
  }
  for (const [name, side] of [
    ['scrollback', ours],
    [NAME, theirs],
  ] as const)
    await measureSide(report, name, side, sides)
}

async function measureSide(
  report: Report,
  name: string,
  side: Side,
  { browser, megabytes }: Sides,
): Promise<void> {
  const began = performance.now()
  const server = await side.start()
  const page = await openPage(browser, server.url)
  try {
    const seconds = (since: number): number => (performance.now() - since) / 1000
    const add = (what: string, value: number, unit: string): void =>
      report.add(`${name}: ${what}`, value, { unit }, 'the same files')
    await page.locator(side.listed).first().waitFor({ timeout: PATIENCE_MS })
    add('from the start to the first session on screen', seconds(began), 's')
    const opened = performance.now()
    await side.open(page, server)
    add('from opening the long session to a message on screen', seconds(opened), 's')
    await pause(megabytes < 100 ? 500 : 10_000)
    add('memory of the scripts of its page then', await heapOf(page), 'MB')
    add('memory of its server then', server.megabytes(), 'MB')
    const idle = megabytes < 100 ? 2 : 60
    add(`idle for ${idle} s with a page, of a core`, await idleShare(server, idle), '%')
  } catch (error) {
    report.skip(`${name}: the rest`, String((error as Error).message).split('\n')[0]!)
  } finally {
    await page.context().close()
    await server.close()
  }
}
