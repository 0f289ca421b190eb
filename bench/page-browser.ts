import { existsSync } from 'node:fs'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env.CHROMIUM ?? PATHS.find((path) => existsSync(path))

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-precise-memory-info',
]

/** Undefined without Chromium. */
export const openBrowser = async (): Promise<Browser | undefined> =>
  executablePath === undefined ? undefined : chromium.launch({ executablePath, args: ARGUMENTS })

export async function openPage(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(300_000)
  await page.goto(url)
  return page
}

/** How the page asks its server, as an expression: its cookie alone is not enough. */
export const asking = (address: string): string =>
  `fetch(${JSON.stringify(address)}, { headers: { 'scrollback-key': localStorage.getItem('scrollback-key') } }).then((response) => response.json())`

/** The memory of the page's scripts after garbage was collected, in megabytes. */
export async function heapOf(page: Page): Promise<number> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}

/** The compressed bytes of everything that was loaded except answers. */
export const loadedBytes = (page: Page): Promise<number> =>
  page.evaluate(`[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ name }) => !new URL(name).pathname.startsWith('/api/'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)

/**
 * Follows a link as a click does, and returns how long it took until a text is on screen, in ms. The time is
 * taken in the page, after the frame that draws it.
 */
export const clickUntil = (page: Page, href: string, within: string, text: string): Promise<number> =>
  page.evaluate(
    `new Promise((resolve) => {
      const link = document.createElement('a')
      link.href = ${JSON.stringify(href)}
      document.querySelector('main').append(link)
      const began = performance.now()
      link.click()
      const look = () => {
        const shown = document.querySelector(${JSON.stringify(within)})?.textContent.includes(${JSON.stringify(text)})
        if (shown) requestAnimationFrame(() => resolve(performance.now() - began))
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })`,
  )

/** The time of one key, in ms. */
export interface KeyTime {
  /** From the key until the first matches were in the document. */
  shownMs: number
  /** From the request until its answer had arrived. The rest is the page. */
  serverMs: number
}

/** Types a text letter by letter, and returns how long each letter took until its matches were shown. */
export const typeAndWait = (page: Page, text: string): Promise<KeyTime[]> =>
  page.evaluate(
    `(async () => {
      const field = document.querySelector('.search-field input')
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
      const times = []
      for (let length = 2; length <= ${JSON.stringify(text)}.length; length++) {
        const words = ${JSON.stringify(text)}.slice(0, length)
        if (words.endsWith(' ')) continue
        performance.clearResourceTimings()
        const isShown = () => document.querySelector('.results')?.dataset.query === words.trim()
        const began = performance.now()
        set.call(field, words)
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
        const shown = await new Promise((resolve) => {
          if (isShown()) return resolve(performance.now())
          const observer = new MutationObserver(() => {
            if (!isShown()) return
            observer.disconnect()
            resolve(performance.now())
          })
          observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-query'] })
        })
        await new Promise((resolve) => setTimeout(resolve, 60))
        const asked = performance.getEntriesByType('resource').findLast(({ name }) => name.includes('/api/search'))
        times.push({ shownMs: shown - began, serverMs: asked ? asked.responseEnd - asked.startTime : 0 })
      }
      return times
    })()`,
  )

/** How many elements and texts the page holds, those out of the document included. */
export async function nodesOf(page: Page): Promise<number> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  return metrics.find(({ name }) => name === 'Nodes')!.value
}
