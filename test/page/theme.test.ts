import { describe, expect, it } from 'vitest'
import {
  broken,
  expectNoTrouble,
  needs,
  openPage,
  servedDemo,
  soon,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

const THEME = 'document.documentElement.dataset.theme'
const SCHEME = 'getComputedStyle(document.documentElement).colorScheme'

describe.skipIf(withoutBrowser)(`the theme${needs}`, () => {
  useBrowser()

  it('is that of the system until the person chooses one, which stays', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin, { colorScheme: 'light' })
    const { page } = opened
    const theme = () => page.evaluate<string>(THEME)
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect([await theme(), await page.evaluate(SCHEME)]).toEqual(['light', 'light'])
    await page.emulateMedia({ colorScheme: 'dark' })
    await soon(theme).toBe('dark')
    await page.getByRole('radio', { name: 'Light' }).check()
    await soon(theme).toBe('light')
    await page.reload()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(await theme()).toBe('light')
    await page.getByRole('radio', { name: 'Dark' }).check()
    await page.emulateMedia({ colorScheme: 'light' })
    await soon(theme).toBe('dark')
    expect([await page.evaluate(SCHEME), await broken(page)]).toEqual(['dark', []])
    await page.getByRole('radio', { name: 'Auto' }).check()
    await soon(theme).toBe('light')
    expectNoTrouble(opened)
  })

  it('is there before anything is painted', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin)
    const text = await (await page.request.get(`${origin}/`)).text()
    expect(text).toMatch(/<script type="module" blocking="render"/)
  })
})
