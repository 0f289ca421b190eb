import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectNoTrouble, needs, openPage, servedDemo, soon, useBrowser, withoutBrowser } from './browser.ts'

describe.skipIf(withoutBrowser)(`the page without a mouse${needs}`, () => {
  useBrowser()

  it('opens a session, changes its layout, finds words and comes back', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.locator('.session-link').getByText('What we learned from September').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.locator('.session-link:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/session/*')
    await page.locator('.conversation .message').first().waitFor()
    await page.locator('.conversation-list:focus').waitFor()
    await page.keyboard.press('l')
    await page.waitForURL('**/session/*?layout=dialogue')
    await page.keyboard.press('/')
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('stock')
    await page.getByText(/^\d+ of \d+$/).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' })
    expectNoTrouble(opened)
  })

  it('reaches everything through the palette', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('orders page')
    await page.getByRole('option', { name: 'Orders page takes four seconds' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/session/*')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expectNoTrouble(opened)
  })

  it('walks through what a search found, and opens a hit where it is', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    const focused = () => page.evaluate<string>('document.activeElement.getAttribute("href") ?? ""')
    await page.goto(`${origin}/search?q=postgres`)
    const words = page.getByRole('searchbox', { name: 'Words to search for' })
    const hits = page.locator('a.hit')
    await hits.nth(2).waitFor()
    const addresses = await hits.evaluateAll<string[], Element>((all) =>
      all.map((hit) => hit.getAttribute('href')!),
    )
    // The session opens where it matches, from its title, too.
    expect(await page.locator('.found-title').first().getAttribute('href')).toBe(addresses[0])
    await page.keyboard.press('ArrowDown')
    await soon(focused).toBe(addresses[0])
    await page.keyboard.press('j')
    expect(await focused()).toBe(addresses[1])
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowUp')
    await page.locator('input[type=search]:focus').waitFor()
    await page.keyboard.press('Escape')
    expect([await words.inputValue(), await page.locator('input:focus').count()]).toEqual(['postgres', 0])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect([await words.inputValue(), await focused()]).toEqual(['postgres', addresses[1]])
    await page.keyboard.press('Enter')
    await page.waitForURL(origin + addresses[1])
    const current = page.locator('.row-body[aria-current=true]')
    await current.waitFor()
    await soon(() => current.textContent()).toMatch(/postgres/i)
    expect(await isInView(page)).toBe(true)
    await page.goBack()
    await hits.first().waitFor()
    // The best match of words that are not answered yet.
    await words.fill('refund')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/session/*/*?find=refund')
    await current.waitFor()
    expect(await isInView(page)).toBe(true)
    await page.goBack()
    await page.waitForURL('**/search?q=refund')
    expectNoTrouble(opened)
  })
})

/** Whether the current row of a conversation is in view, which may take some frames. */
async function isInView(page: Page): Promise<boolean> {
  const isThere = `(() => {
    const { top, bottom } = document.querySelector('.row-body[aria-current=true]').getBoundingClientRect()
    const list = document.querySelector('.conversation-list').getBoundingClientRect()
    return top < list.bottom && bottom > list.top
  })()`
  await soon(() => page.evaluate<boolean>(isThere)).toBe(true)
  await page.waitForTimeout(300)
  return page.evaluate<boolean>(isThere)
}
