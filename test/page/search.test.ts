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

  it('shows the filters of a query as chips that remove them, and the controls agree', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/search?q=${encodeURIComponent('who:human stock -tool:Bash')}`)
    const who = page.getByRole('combobox', { name: 'Who' })
    const words = page.getByRole('searchbox', { name: 'Words to search for' })
    await soon(() => who.inputValue()).toBe('human')
    await page.getByRole('button', { name: 'not tool: Bash' }).click()
    await page.waitForURL('**/search?q=who%3Ahuman+stock')
    await who.selectOption('agent')
    await page.waitForURL('**/search?q=stock&who=agent')
    await soon(() => words.inputValue()).toBe('stock')
    await page.getByRole('button', { name: 'who: agent' }).click()
    await page.waitForURL('**/search?q=stock')
    await soon(() => who.inputValue()).toBe('')
    await words.fill('stock who:human agent:main')
    await page.getByRole('button', { name: 'agent: main' }).waitFor()
    await page.getByRole('button', { name: 'Clear all filters' }).click()
    await page.waitForURL('**/search?q=stock')
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
