/** The page in a browser, and its server, beside a program that npm can install. */
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import {
  clickUntil,
  heapOf,
  loadedBytes,
  openBrowser,
  openPage,
  scrollThrough,
  typeAndWait,
} from './page-browser.ts'
import { measurePeer } from './page-peer.ts'
import { idleShare, type PageServer, pause, startServer } from './page-server.ts'
import { liveLine, type PageTree, pageTree } from './page-tree.ts'
import { mixedQueries } from './queries.ts'
import { createReport, type Report } from './report.ts'
import { node, type Setup } from './setup.ts'

const STARTS = 15
const CLICKS = 7
const STREAMS = 20
const LIST = '.conversation-list'

export async function measurePage(setup: Setup): Promise<void> {
  const report = createReport('the page')
  const tree = await pageTree(setup)
  const browser = await openBrowser()
  if (!browser) {
    report.skip('the page', 'no Chromium found; name one in CHROMIUM')
    return report.print()
  }
  const start = () =>
    startServer(
      [
        setup.program,
        'serve',
        '--no-open',
        '--port',
        '0',
        ...tree.folders.flatMap((each) => ['--claude-dir', each]),
      ],
      { SCROLLBACK_HOME: tree.home },
    )
  try {
    await measureStart(report, start)
    const server = await start()
    await measureReading(report, server, tree, browser, setup.megabytes)
    await measureLive(report, server, tree, browser, setup.megabytes)
    await server.close()
    await measurePeer(report, { tree, browser, start, megabytes: setup.megabytes })
  } finally {
    await browser.close()
  }
  report.print()
}

async function measureStart(report: Report, start: () => Promise<PageServer>): Promise<void> {
  const nothing: number[] = []
  const ours: number[] = []
  // The first start writes the token.
  await (await start()).close()
  for (let turn = 0; turn < STARTS; turn++) {
    const began = performance.now()
    spawnSync(node, ['-e', '0'])
    nothing.push(performance.now() - began)
    const server = await start()
    ours.push(server.startMs)
    await server.close()
  }
  const best = (of: readonly number[]) => ({ seconds: Math.min(...of) / 1000 })
  report.slower('`serve` until its address is printed, time against `node -e 0`', best(ours), best(nothing), {
    most: 2,
  })
}

async function measureReading(
  report: Report,
  server: PageServer,
  { million, long, count }: PageTree,
  browser: Browser,
  megabytes: number,
): Promise<void> {
  const many = million.made.messages.toLocaleString('en')
  const { origin } = new URL(server.url)
  const page = await openPage(browser, server.url)
  await page.locator('.session-link').first().waitFor()
  const bytes = await loadedBytes(page)
  report.add('first load of the page, compressed', bytes / 1000, { most: 150, unit: 'kB' }, 'without answers')
  report.add(
    `memory of the server over ${many} messages after its first answers`,
    server.megabytes(),
    { most: 150, unit: 'MB' },
    'resident',
  )
  const address = `/api/items?session=${long}&from=-20`
  const last: string = await page.evaluate(
    `fetch(${JSON.stringify(address)}).then((response) => response.json()).then(({ items }) => items.findLast(({ text }) => text).text)`,
  )
  const words = last.split('\n')[0]!.slice(0, 20)
  const clicks: number[] = []
  for (let click = 0; click <= CLICKS; click++) {
    await page.goto(`${origin}/sessions`)
    await page.locator('.session-link').first().waitFor()
    clicks.push(await clickUntil(page, `/session/${long}`, LIST, words))
    await page.locator('.outline li').first().waitFor()
  }
  const [first, ...others] = clicks as [number, ...number[]]
  report.add(
    `from the click to the last of ${count.toLocaleString('en')} messages on screen, median`,
    median(others),
    { most: 200, unit: 'ms' },
    `best ${Math.min(...others).toFixed(0)}, with the first load of the code ${first.toFixed(0)} ms`,
  )
  await pause(1000)
  const frames = await scrollThrough(page, LIST, megabytes < 100 ? 60 : 600)
  report.add(
    'frames dropped while scrolling all of it from end to end',
    (100 * frames.dropped) / (frames.drawn + frames.dropped),
    { most: 1, unit: '%' },
    `${frames.dropped} of ${frames.drawn + frames.dropped}, the longest ${frames.longestMs.toFixed(0)} ms, painted without a graphics card`,
  )
  report.add(
    'memory of its scripts after that',
    await heapOf(page),
    { unit: 'MB' },
    'after collecting garbage',
  )
  await page.goto(`${origin}/search`)
  const queries = mixedQueries(5).filter(({ query }) => /^[a-z ]{4,}$/.test(query))
  const times: number[] = []
  for (const { query } of queries.slice(0, megabytes < 100 ? 3 : 20))
    times.push(...(await typeAndWait(page, query)))
  report.add(
    `search as you type over ${many} messages, from the key until shown: p95`,
    at(times, 0.95),
    { most: 50, unit: 'ms' },
    `p50 ${at(times, 0.5).toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms, ${times.length} keys`,
  )
  await page.context().close()
}

async function measureLive(
  report: Report,
  server: PageServer,
  { live, liveId }: PageTree,
  browser: Browser,
  megabytes: number,
): Promise<void> {
  const isShort = megabytes < 100
  const idle = isShort ? 2 : 60
  await pause(2000)
  report.add(
    'idle server without a page, of a core',
    await idleShare(server, idle),
    { most: 0.5, unit: '%' },
    `${idle} s`,
  )
  const url = new URL(server.url)
  const page = await openPage(browser, server.url)
  await page.goto(`${url.origin}/session/${liveId}`)
  await page.getByText('Up to date').waitFor()
  report.add(
    'idle server with a page, of a core',
    await idleShare(server, idle),
    { most: 0.5, unit: '%' },
    `${idle} s`,
  )
  const before = await heapOf(page)
  const control = new AbortController()
  const headers = { authorization: `Bearer ${url.searchParams.get('token')}` }
  for (let stream = 0; stream < STREAMS; stream++) {
    const { body } = await fetch(`${url.origin}/api/events`, { headers, signal: control.signal })
    void body!.pipeTo(new WritableStream()).catch(() => {})
  }
  const updates = isShort ? 20 : 600
  for (let number = 2; number < updates + 2; number++) {
    appendFileSync(live, liveLine(liveId, number))
    await pause(100)
  }
  const words = updates % 3 === 0 ? `Question ${updates + 1}` : `Answer ${updates + 1}`
  await page.locator(LIST).getByText(words).first().waitFor()
  report.add(
    `memory of the page after ${updates} live updates, as many as in ten minutes`,
    await heapOf(page),
    { unit: 'MB' },
    `${before.toFixed(1)} MB before`,
  )
  report.add(
    `memory of the server after them, with ${STREAMS} more pages`,
    server.megabytes(),
    { most: 150, unit: 'MB' },
    'resident',
  )
  control.abort()
  await page.context().close()
}

const sorted = (times: readonly number[]): number[] => [...times].sort((a, b) => a - b)
const at = (times: readonly number[], share: number): number =>
  sorted(times)[Math.ceil(times.length * share) - 1]!
const median = (times: readonly number[]): number => sorted(times)[Math.floor(times.length / 2)]!
