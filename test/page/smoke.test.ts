import { describe, expect, it } from 'vitest'
import { expectNoTrouble, needs, openPage, servedDemo, useBrowser, withoutBrowser } from './browser.ts'

describe.skipIf(withoutBrowser)(`the page${needs}`, () => {
  useBrowser()

  it('opens, lists sessions and shows one', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    expect(new URL(page.url()).search).toBe('')
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.getByLabel('Words and filters').fill('flaky')
    // The only one that matches is shown beside the list, and a click on it opens it.
    await page.locator('.preview').getByText('Good find. That is reason 2 for Postgres then.').waitFor()
    await page.locator('.session-link', { hasText: 'Find out why the stock test is flaky' }).click()
    await page.getByText('Good find. That is reason 2 for Postgres then.').first().waitFor()
    await page.getByRole('heading', { name: 'Find out why the stock test is flaky' }).waitFor()
    expect(await page.title()).toBe('Find out why the stock test is flaky · Scrollback')
    expectNoTrouble(opened)
  })
})
