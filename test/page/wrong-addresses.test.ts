import { describe, expect, it } from 'vitest'
import { needs, openWindow, servedDemo, useBrowser, withoutBrowser } from './browser.ts'

const SESSION = '/session/21c10370-341b-4cb3-b1ad-8aa6dbfb1e51'

const WRONG = [
  {
    path: `${SESSION}/9999`,
    words: /^This session has no message at line 9999\. Its last one is at line \d+\.$/,
  },
  { path: `${SESSION}/abc`, words: /^This session has no message at line abc\./ },
  { path: '/jobs?job=nope', words: 'There is no such job' },
  { path: '/memory?file=nope', words: 'No such text' },
]

describe.skipIf(withoutBrowser)(`an address of nothing${needs}`, () => {
  useBrowser()

  it.each(WRONG)('is said to be one: $path', async ({ path, words }) => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(origin + path)
    await page.getByText(words).waitFor()
    expect(await page.locator('.failed').count()).toBe(0)
  })

  it('is not said to be one if a message is there', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}${SESSION}/3`)
    await page.locator('[aria-current="true"].row-body, .call[data-current="true"]').first().waitFor()
    expect(await page.locator('.remarks').count()).toBe(0)
  })

  it('of a query that is too long cannot be typed, and is refused in words', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/sessions`)
    const field = page.getByRole('searchbox', { name: 'Words and filters' })
    await field.focus()
    await page.keyboard.insertText('fern '.repeat(4000))
    expect((await field.inputValue()).length).toBe(4000)
    await page.route(/\/api\/listing\?/, (route) => route.fulfill({ status: 431 }))
    await page.goto(`${origin}/sessions?q=moss`)
    await page.getByText('This question is too long. Use fewer words or filters.').waitFor()
  })
})
