import { describe, expect, it } from 'vitest'
import { expectNoTrouble, needs, openPage, servedDemo, useBrowser, withoutBrowser } from './browser.ts'

const NOTE = '/srv/shed: permission denied'

describe.skipIf(withoutBrowser)(`what could not be read${needs}`, () => {
  useBrowser()

  it('is shown once, also if several answers say so, until it is put away', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    await page.route(/\/api\/(?:live|overview|stats)/, async (route) => {
      const response = await route.fetch()
      const headers = {
        ...response.headers(),
        'scrollback-notes': encodeURIComponent(JSON.stringify([NOTE])),
      }
      await route.fulfill({ response, headers })
    })
    await page.goto(origin)
    await page.getByText('1 note on what is missing here').click()
    await page.getByText(NOTE).waitFor()
    expect(await page.getByText(NOTE).count()).toBe(1)
    await page.getByRole('button', { name: 'Collapse' }).click()
    await page.getByText(NOTE).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Statistics', exact: true }).first().click()
    await page.getByText('Most edited files').waitFor()
    expect(await page.getByText('what is missing here').count()).toBe(0)
    // Statistics of other spans may still be on their way.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expectNoTrouble(opened)
  })
})
