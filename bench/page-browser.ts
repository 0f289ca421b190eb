import { existsSync } from 'node:fs'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env.CHROMIUM ?? PATHS.find((path) => existsSync(path))

const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--enable-precise-memory-info'],
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

export interface Frames {
  drawn: number
  /** Frames of a sixtieth of a second in which nothing was drawn. */
  dropped: number
  longestMs: number
}

/** Scrolls a list from its end to its beginning within so many frames. */
export const scrollThrough = (page: Page, selector: string, frames: number): Promise<Frames> =>
  page.evaluate(
    `new Promise((resolve) => {
      const list = document.querySelector(${JSON.stringify(selector)})
      const step = 900
      const seen = { drawn: 0, dropped: 0, longestMs: 0 }
      let last = performance.now()
      const next = (now) => {
        const took = now - last
        last = now
        if (seen.drawn > 0) {
          seen.dropped += Math.max(0, Math.round(took / (1000 / 60)) - 1)
          seen.longestMs = Math.max(seen.longestMs, took)
        }
        if (++seen.drawn > ${frames}) return resolve(seen)
        list.scrollTop -= Math.max(step, list.scrollTop / (${frames} - seen.drawn + 1))
        requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
    })`,
  )

/**
 * Types a text letter by letter, and returns how long each letter took until its matches were shown, in ms.
 */
export const typeAndWait = (page: Page, text: string): Promise<number[]> =>
  page.evaluate(
    `(async () => {
      const field = document.querySelector('.search-field input')
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
      const times = []
      for (let length = 2; length <= ${JSON.stringify(text)}.length; length++) {
        const words = ${JSON.stringify(text)}.slice(0, length)
        if (words.endsWith(' ')) continue
        const began = performance.now()
        set.call(field, words)
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
        await new Promise((resolve) => {
          const look = () =>
            document.querySelector('.results')?.dataset.query === words.trim() ? resolve() : setTimeout(look, 1)
          look()
        })
        times.push(performance.now() - began)
        await new Promise((resolve) => setTimeout(resolve, 60))
      }
      return times
    })()`,
  )
