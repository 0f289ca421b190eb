import type { Browser } from 'playwright-core'
import { asking, openPage } from './page-browser.ts'
import type { PageServer } from './page-server.ts'
import type { Report } from './report.ts'

/** Every page of the navigation, and statistics by what has the most rows. */
const ADDRESSES = [
  '/',
  '/sessions',
  '/sessions?group=project',
  '/search?q=the',
  '/search?q=who:human+is:question',
  '/projects',
  '/tags',
  '/stats',
  '/stats?by=session',
  '/stats?by=project',
  '/stats?by=tool',
  '/jobs',
  '/memory',
  '/collector',
  '/doctor',
]

/** The page's security policy keeps playwright from polling an expression by itself. */
const NOTHING_AWAITED = `new Promise((resolve) => {
  const look = () =>
    document.querySelector('main .skeleton, main [aria-busy=true]') ? setTimeout(look, 10) : resolve()
  look()
})`

/**
 * Opens every page, and returns when nothing is awaited any more. Throws if a page shows an error, asks
 * another host, or violates its content security policy.
 */
export async function measureAddresses(
  report: Report,
  { server, browser, messages }: { server: PageServer; browser: Browser; messages: string },
): Promise<void> {
  const { origin } = new URL(server.url)
  const page = await openPage(browser, server.url)
  const trouble: string[] = []
  page.on('pageerror', (error) => trouble.push(error.message))
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()))
  page.on('request', (request) => request.url().startsWith(origin) || trouble.push(request.url()))
  await page.locator('.session-link').first().waitFor()
  const { projects } = (await page.evaluate(asking('/api/projects'))) as { projects: { name: string }[] }
  const ofProject = projects.slice(0, 1).map(({ name }) => `/project/${encodeURIComponent(name)}`)
  const times: { address: string; ms: number }[] = []
  for (const address of [...ADDRESSES, ...ofProject]) {
    const began = performance.now()
    await page.goto(origin + address)
    await page.locator('main h1').first().waitFor()
    await page.evaluate(NOTHING_AWAITED)
    times.push({ address, ms: performance.now() - began })
    if (await page.locator('main .failed').count()) trouble.push(`${address} shows an error`)
  }
  await page.context().close()
  if (trouble.length > 0) throw new Error(`The page is in trouble: ${trouble.join('; ')}`)
  times.sort((one, other) => other.ms - one.ms)
  const [slowest] = times
  report.add(
    `every page over ${messages} messages, until nothing is awaited: the slowest of ${times.length}`,
    slowest!.ms / 1000,
    { unit: 's' },
    times
      .slice(0, 4)
      .map(({ address, ms }) => `${address} ${(ms / 1000).toFixed(2)} s`)
      .join(', '),
  )
}
