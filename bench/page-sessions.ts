import { rmSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { openPage } from './page-browser.ts'
import { NAME, PEER_ROW, startPeer, VERSION } from './page-peer.ts'
import { type PageServer, pause, SETTLED_MS } from './page-server.ts'
import { peerTree } from './page-tree.ts'
import type { Report } from './report.ts'
import { generateOnce, installed, reusedFolder, type Setup } from './setup.ts'

const SESSIONS = 960
const MEGABYTES = 300
const STARTS = 5
/** Every list, as a person looks at each after the other. */
const PAGES = ['/', '/sessions', '/projects', '/edits', '/stats', '/search?q=store', '/doctor', '/secrets']

/** A history as many people have it: until its rows are on screen, and the memory of its server. */
export async function measureSessions(
  report: Report,
  setup: Pick<Setup, 'megabytes' | 'scaled'>,
  browser: Browser,
  startOver: (folders: readonly string[], home: string) => Promise<PageServer>,
): Promise<void> {
  const [files, size] = [Math.max(20, setup.scaled(SESSIONS)), setup.scaled(MEGABYTES)]
  const tree = reusedFolder(`tree-${files}-sessions`)
  generateOnce(tree, size, files)
  const home = reusedFolder(`home-of-${files}-sessions`)
  const untilRows = async (
    start = () => startOver([tree], home),
    row = '.session-link',
  ): Promise<{ seconds: number; server: PageServer }> => {
    const began = performance.now()
    const server = await start()
    const page = await openPage(browser, server.url)
    await page.locator(row).first().waitFor()
    const seconds = (performance.now() - began) / 1000
    await page.context().close()
    return { seconds, server }
  }
  const peer = installed(NAME, VERSION)
  const peersTree = 'path' in peer ? peerTree(`${files}-sessions`, [tree]) : ''
  for (const [what, isFirst, most] of [
    ['the first start, without a store', true, 1.4],
    ['a later start', false, 0.7],
  ] as const) {
    const times: number[] = []
    const theirs: number[] = []
    for (let turn = 0; turn < STARTS; turn++) {
      if (isFirst) rmSync(home, { recursive: true, force: true })
      const { seconds, server } = await untilRows()
      times.push(seconds)
      // Everything is indexed before a later start.
      if (turn === STARTS - 1 && isFirst) await pause(setup.megabytes < 100 ? 1000 : 2 * SETTLED_MS)
      await server.close()
      if (!('path' in peer)) continue
      const other = await untilRows(() => startPeer(peer.path, peersTree), PEER_ROW)
      theirs.push(other.seconds)
      await other.server.close()
    }
    report.add(
      `from the start to rows on screen over ${files} sessions: ${what}`,
      Math.min(...times),
      { most, unit: 's' },
      `the best of ${STARTS}, most ${Math.max(...times).toFixed(2)} s`,
    )
    const best = (of: readonly number[]) => ({ seconds: Math.min(...of) })
    if ('missing' in peer) report.skip(`the same of ${NAME}`, peer.missing)
    else report.slower(`time of this against ${NAME}, in turn`, best(times), best(theirs), { most: 1 })
  }
  const server = await startOver([tree], home)
  const page = await openPage(browser, server.url)
  for (const path of PAGES) {
    await page.goto(new URL(path, server.url).href)
    await pause(setup.megabytes < 100 ? 200 : 3000)
  }
  // The thread of long questions ends after a minute.
  await pause(setup.megabytes < 100 ? 1000 : 4 * SETTLED_MS)
  report.add(
    `memory of the server over ${files} sessions after ${PAGES.length} pages`,
    server.megabytes(),
    { most: 150, unit: 'MB' },
    `resident; at most ${server.peak().toFixed(0)} MB, while it searches for secrets`,
  )
  await page.context().close()
  await server.close()
}
