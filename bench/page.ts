/** The page in a browser, and its server, beside a program that npm can install. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { measureAddresses } from './page-addresses.ts'
import {
  asking,
  clickUntil,
  heapOf,
  type KeyTime,
  loadedBytes,
  openBrowser,
  openPage,
  typeAndWait,
} from './page-browser.ts'
import { measureLive } from './page-live.ts'
import { measurePeer } from './page-peer.ts'
import { measureScrolling } from './page-scroll.ts'
import { idleShare, type PageServer, pause, SETTLED_MS, startServer } from './page-server.ts'
import { measureSessions } from './page-sessions.ts'
import { type PageTree, pageTree } from './page-tree.ts'
import { mixedQueries } from './queries.ts'
import { createReport, type Report } from './report.ts'
import { homeOf, node, readIntoCache, type Setup } from './setup.ts'

const STARTS = 15
const CLICKS = 7
const LIST = '.session .conversation-list'
/** Rare and very common words, parts of words, and filters without words. */
const FINDS = ['store', 'the', 'a', 't', 's*', 'is:error', 'who:human', '-who:tool', 'tool:bash', 'file:src']

/** `isHour`: live updates take an hour, one a second, instead of following each other faster. */
export async function measurePage(setup: Setup, isHour: boolean): Promise<void> {
  const report = createReport('the page')
  const tree = await pageTree(setup)
  const browser = await openBrowser()
  if (!browser) {
    report.skip('the page', 'no Chromium found; name one in CHROMIUM')
    return report.print()
  }
  const startOver = (folders: readonly string[], home: string): Promise<PageServer> =>
    startServer(
      [
        setup.program,
        'serve',
        '--no-open',
        '--port',
        '0',
        ...folders.flatMap((each) => ['--claude-dir', each]),
      ],
      { SCROLLBACK_HOME: home },
    )
  const start = () => startOver(tree.folders, tree.home)
  try {
    await measureStart(report, start)
    const server = await start()
    await measureReading(report, server, tree, browser, setup.megabytes)
    await measureLive(report, { server, tree, browser, isShort: setup.megabytes < 100, isHour })
    const messages = tree.million.made.messages.toLocaleString('en')
    await measureAddresses(report, { server, browser, messages })
    await server.close()
    await measureSessions(report, setup, browser, startOver)
    setup.scrollback(setup.many, ['index'])
    await measureIdle(report, setup, await startOver([setup.many], homeOf(setup.many)), browser)
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

async function measureIdle(
  report: Report,
  { manyFiles, megabytes }: Setup,
  server: PageServer,
  browser: Browser,
): Promise<void> {
  const page = await openPage(browser, server.url)
  await page.locator('.session-link').first().waitFor()
  const seconds = megabytes < 100 ? 2 : 60
  // Answers to a page that was just opened are not idleness.
  await pause(megabytes < 100 ? 0 : SETTLED_MS)
  report.add(
    `idle server with a page over ${manyFiles}, of a core`,
    await idleShare(server, seconds),
    { most: 0.5, unit: '%' },
    `${seconds} s`,
  )
  await page.context().close()
  await server.close()
}

async function measureReading(
  report: Report,
  server: PageServer,
  { million, long, count, home }: PageTree,
  browser: Browser,
  megabytes: number,
): Promise<void> {
  const many = million.made.messages.toLocaleString('en')
  const { origin } = new URL(server.url)
  const page = await openPage(browser, server.url)
  await page.locator('.session-link').first().waitFor()
  const bytes = await loadedBytes(page)
  report.add('first load of the page, compressed', bytes / 1000, { most: 150, unit: 'kB' }, 'without answers')
  // The first statistics of a store add up all of its days and store the sums, which takes memory once.
  await pause(megabytes < 100 ? 0 : SETTLED_MS)
  report.add(
    `memory of the server over ${many} messages, ${SETTLED_MS / 1000} s after its first page was opened`,
    server.megabytes(),
    { most: 150, unit: 'MB' },
    `resident; at most ${server.peak().toFixed(0)} MB, while it adds up the days of a new store`,
  )
  const address = `/api/items?session=${long}&from=-20`
  const last: string = await page.evaluate(
    `${asking(address)}.then(({ items }) => items.findLast(({ text }) => text).text)`,
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
  const finds: { query: string; ms: number }[] = []
  for (const query of FINDS) {
    const address = `/api/positions?session=${long}&query=${encodeURIComponent(query)}`
    const ms: number = await page.evaluate(`(async () => {
      const times = []
      for (let turn = 0; turn < 5; turn++) {
        const began = performance.now()
        const { positions } = await ${asking(address)}
        if (!positions) throw new Error('no positions')
        times.push(performance.now() - began)
      }
      return Math.min(...times)
    })()`)
    finds.push({ query, ms })
  }
  finds.sort((a, b) => b.ms - a.ms)
  report.add(
    `finding in a session of ${count.toLocaleString('en')} messages, until its positions are in the page: the slowest of ${FINDS.length} queries`,
    finds[0]!.ms,
    { most: 50, unit: 'ms' },
    finds
      .slice(0, 4)
      .map(({ query, ms }) => `${query} ${ms.toFixed(0)} ms`)
      .join(', '),
  )
  await pause(1000)
  await measureScrolling(report, { page, browser, list: LIST, frames: megabytes < 100 ? 60 : 600 })
  report.add(
    'memory of its scripts after that',
    await heapOf(page),
    { unit: 'MB' },
    'after collecting garbage',
  )
  await page.goto(`${origin}/search`)
  const queries = mixedQueries(5).filter(({ query }) => /^[a-z ]{4,}$/.test(query))
  const keys: KeyTime[] = []
  for (const { query } of queries.slice(0, megabytes < 100 ? 3 : 20)) {
    readIntoCache(join(home, 'store.sqlite'))
    for (const key of await typeAndWait(page, query)) keys.push(key)
  }
  const spread = (times: readonly number[]): string =>
    `p50 ${at(times, 0.5).toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms, ${times.length} keys`
  const shown = keys.map(({ shownMs }) => shownMs)
  const answered = keys.map(({ serverMs }) => serverMs)
  const own = keys.map(({ shownMs, serverMs }) => shownMs - serverMs)
  report.add(
    `search as you type over ${many} messages, from the key until shown: p95`,
    at(shown, 0.95),
    { most: 50, unit: 'ms' },
    spread(shown),
  )
  report.add(
    'of these, from the request to its answer: p95',
    at(answered, 0.95),
    { unit: 'ms' },
    spread(answered),
  )
  report.add('of these, the page before and after: p95', at(own, 0.95), { unit: 'ms' }, spread(own))
  await page.context().close()
}

const sorted = (times: readonly number[]): number[] => [...times].sort((a, b) => a - b)
const at = (times: readonly number[], share: number): number =>
  sorted(times)[Math.ceil(times.length * share) - 1]!
const median = (times: readonly number[]): number => sorted(times)[Math.floor(times.length / 2)]!
