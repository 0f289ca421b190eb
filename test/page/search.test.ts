import { describe, expect, it } from 'vitest'
import type { SearchAnswer } from '../../ui/api/ask.ts'
import {
  asked,
  expectNoTrouble,
  needs,
  note,
  openWindow,
  served,
  servedDemo,
  soon,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

describe.skipIf(withoutBrowser)(`the search${needs}`, () => {
  useBrowser()

  it('has one field, which its facets agree with and change', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/search?q=${encodeURIComponent('who:human stock -tool:Bash')}`)
    const words = page.getByRole('searchbox', { name: 'Words to search for' })
    await page.getByRole('button', { name: 'You', exact: true }).click()
    const you = page.locator('.facet-row', { hasText: 'You' })
    expect(await you.getAttribute('aria-pressed')).toBe('true')
    await you.click()
    await page.waitForURL('**/search?q=stock+-tool%3ABash')
    await soon(() => words.inputValue()).toBe('stock -tool:Bash')
    await page.keyboard.press('Escape')
    await words.fill('stock agent:openclaw:main')
    const main = page.locator('.facet-value', { hasText: 'main' })
    await soon(() => main.getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.waitForURL('**/search')
    await soon(() => words.inputValue()).toBe('')
    expectNoTrouble(opened)
  })

  it('names each session by its title, and by the name that it was given meanwhile', async () => {
    const { origin } = await served({ demo: true })
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/search?q=payment`)
    const title = page.locator('.found-title').first()
    await title.waitFor()
    const { hits } = await asked<SearchAnswer>(page, '/api/search?query=payment&limit=20')
    expect(await title.textContent()).toBe(hits[0]!.title)
    await note(page, { session: hits[0]!.path, name: 'The heron' })
    await page.reload()
    await title.getByText('The heron', { exact: true }).waitFor()
    await note(page, { session: hits[0]!.path, name: '' })
    expectNoTrouble(opened)
  })
})
