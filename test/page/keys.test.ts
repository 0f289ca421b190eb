import { describe, expect, it } from 'vitest'
import { expectNoTrouble, needs, openPage, servedDemo, useBrowser, withoutBrowser } from './browser.ts'

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
})
