import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  broken,
  expectNoTrouble,
  needs,
  openWindow,
  servedDemo,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

interface Opened {
  path: string
  /** What is opened, and words that are there then. */
  open(page: Page): Promise<void>
  words: string
}

const key =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.keyboard.press(name)
const press =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).first().click()

/** Everything that opens on the pages, besides the page of a session. */
const OPENED: readonly Opened[] = [
  { path: '/', open: key('Control+k'), words: 'what is going on' },
  { path: '/', open: key('?'), words: 'go to anything' },
  { path: '/sessions', open: press('View'), words: 'Deleted sessions too' },
  { path: '/sessions?q=kind:human+after:2026-11-01', open: press('since'), words: 'Until' },
  { path: '/sessions', open: press('Kind'), words: 'Scheduled' },
  { path: '/sessions?q=stock', open: press('Saved'), words: 'Name of this search' },
  { path: '/search?q=who:human+stock', open: press('Options'), words: 'Deleted sessions too' },
  { path: '/session/21c10370-341b-4cb3-b1ad-8aa6dbfb1e51', open: key('d'), words: 'Copy as patch' },
  { path: '/search?q=stock', open: press('Save as tag rule'), words: 'One word' },
  {
    path: '/stats?by=model',
    open: (page) => page.getByRole('radio', { name: 'Tokens' }).check(),
    words: 'Lowest cost first',
  },
  { path: '/stats?by=block&since=2026-11-01', open: press('Models of each row'), words: 'Tokens a minute' },
  { path: '/project/api', open: press('Show the evidence'), words: 'Where the human stepped in' },
]

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1440, height: 900 }

describe.skipIf(withoutBrowser)(`what opens on a page${needs}`, () => {
  useBrowser()

  // Colors do not depend on the size, so each of both is seen once.
  for (const [colorScheme, viewport] of [
    ['light', DESK],
    ['dark', PHONE],
  ] as const)
    it(`is accessible and not wider than the window, ${colorScheme}, ${viewport.width} pixels`, async () => {
      const { origin } = await servedDemo()
      const opened = await openWindow(origin, { colorScheme, viewport })
      const { page } = opened
      for (const { path, open, words } of OPENED) {
        await page.goto(origin + path)
        await page.locator('h1').waitFor()
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
        await open(page)
        await page.getByText(words).or(page.getByPlaceholder(words)).first().waitFor({ state: 'attached' })
        expect({ path, broken: await broken(page) }).toEqual({ path, broken: [] })
        const wide = await page.evaluate(
          '[document.documentElement, document.querySelector("main")].some((element) => element.scrollWidth > element.clientWidth)',
        )
        expect({ path, wide }).toEqual({ path, wide: false })
      }
      expectNoTrouble(opened)
    })
})
