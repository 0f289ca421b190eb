import { appendFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { heapOf, nodesOf, openPage } from './page-browser.ts'
import { idleShare, type PageServer, pause, SETTLED_MS } from './page-server.ts'
import { liveLine, type PageTree } from './page-tree.ts'
import type { Report } from './report.ts'

/** More pages that listen, as those in the background do. */
const STREAMS = 20
/** Windows that are all visible: each asks for what it shows. */
const WINDOWS = 20
const WINDOWS_MS = 60_000
/** As many updates as in an hour with one a second. */
const UPDATES = 3600
const FAST_MS = 50
const LIST = '.conversation-list'

interface Live {
  server: PageServer
  tree: PageTree
  browser: Browser
  isShort: boolean
  isHour: boolean
}

/** What pages and server take while nothing happens, and while a session goes on. */
export async function measureLive(report: Report, given: Live): Promise<void> {
  const { server, tree, browser, isShort, isHour } = given
  const { live, liveId } = tree
  const seconds = isShort ? 2 : 60
  const addIdle = async (what: string): Promise<void> =>
    report.add(what, await idleShare(server, seconds), { most: 0.5, unit: '%' }, `${seconds} s`)
  await pause(2000)
  await addIdle('idle server without a page, of a core')
  const url = new URL(server.url)
  const address = `${url.origin}/session/${liveId}`
  const page = await openPage(browser, server.url)
  await page.goto(address)
  await page.getByText('Up to date').waitFor()
  // Answers to a page that was just opened, and tidying up after them, are not idleness.
  await pause(isShort ? 0 : SETTLED_MS)
  await addIdle('idle server with a page, of a core')
  const home = await openPage(browser, server.url)
  for (const part of ['.session-link', '.heat a', '.columns', '.bars'])
    await home.locator(part).first().waitFor()
  await pause(3000)

  const before = [await heapOf(page), await heapOf(home)] as const
  const nodesBefore = await nodesOf(home)
  const control = new AbortController()
  const headers = { authorization: `Bearer ${url.searchParams.get('token')}` }
  for (let stream = 0; stream < STREAMS; stream++) {
    const { body } = await fetch(`${url.origin}/api/events`, { headers, signal: control.signal })
    void body!.pipeTo(new WritableStream()).catch(() => {})
  }
  const updates = isShort ? 20 : UPDATES
  for (let number = 2; number < updates + 2; number++) {
    appendFileSync(live, liveLine(liveId, number))
    await pause(isHour ? 1000 : FAST_MS)
  }
  await waitForLast(page, updates + 1)
  await pause(12_000)
  const speed = isHour ? 'one a second, which takes an hour' : `one every ${FAST_MS} ms`
  report.add(
    `memory of the page of a session after ${updates} live updates, all of which it shows`,
    await heapOf(page),
    { unit: 'MB' },
    `${before[0].toFixed(1)} MB before; ${speed}`,
  )
  report.add(
    'memory of the first page after them, which shows as much as before',
    await heapOf(home),
    { most: Number((before[1] * 1.1).toFixed(1)), unit: 'MB' },
    `${before[1].toFixed(1)} MB before; ${await nodesOf(home)} elements and texts, ${nodesBefore} before`,
  )
  report.add(
    `memory of the server after them, with ${STREAMS} more pages`,
    server.megabytes(),
    { most: 150, unit: 'MB' },
    'resident; these listen, as pages in the background do',
  )
  control.abort()
  const written = await measureWindows(report, given, updates + 1)
  await home.context().close()
  // What the same session takes in a page that was not open meanwhile, once all of it was in view.
  const fresh = await openPage(browser, server.url)
  await fresh.goto(address)
  await waitForLast(fresh, written)
  await fresh.locator('.outline li').first().waitFor()
  await scrollSlowly(fresh)
  await scrollSlowly(page)
  const whole = await heapOf(fresh)
  report.add(
    'memory of that page once all of it was in view, against a page that was opened after the updates',
    (await heapOf(page)) / whole,
    { most: 1.25 },
    `${(await heapOf(page)).toFixed(1)} against ${whole.toFixed(1)} MB`,
  )
  await fresh.context().close()
  await page.context().close()
}

/**
 * What the server takes while many windows show the first page and a session goes on. Returns the number of
 * the last update.
 */
async function measureWindows(
  report: Report,
  { server, tree: { live, liveId }, browser, isShort }: Live,
  last: number,
): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const count = isShort ? 2 : WINDOWS
  for (let number = 0; number < count; number++) {
    const window = await context.newPage()
    window.setDefaultTimeout(300_000)
    await window.goto(server.url)
    await window.locator('.session-link').first().waitFor()
  }
  const ends = performance.now() + (isShort ? 2000 : WINDOWS_MS)
  let most = 0
  let number = last
  for (; performance.now() < ends; await pause(1000)) {
    appendFileSync(live, liveLine(liveId, ++number))
    most = Math.max(most, server.megabytes())
  }
  await context.close()
  report.add(
    `memory of the server while ${count} visible windows follow a session with one update a second`,
    most,
    { unit: 'MB' },
    'resident, at most',
  )
  return number
}

const waitForLast = (page: Page, number: number): Promise<void> =>
  page
    .locator(LIST)
    .getByText(number % 3 === 1 ? `Question ${number} ` : `Answer ${number}.`)
    .first()
    .waitFor()

/** From end to beginning and back, so slowly that everything is fetched and drawn. */
const scrollSlowly = (page: Page): Promise<void> =>
  page.evaluate(`(async () => {
    const list = document.querySelector('${LIST}')
    for (const by of [-600, 600])
      for (let steps = 0; steps < 600; steps++) {
        const before = list.scrollTop
        list.scrollTop += by
        await new Promise((resolve) => setTimeout(resolve, 30))
        if (list.scrollTop === before) break
      }
  })()`)
