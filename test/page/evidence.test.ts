import { describe, expect, it } from 'vitest'
import {
  broken,
  expectNoTrouble,
  needs,
  openPage,
  servedDemo,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

describe.skipIf(withoutBrowser)(`the evidence of a project${needs}`, () => {
  useBrowser()

  it('is shown on request, and each entry opens its record', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    await page.goto(new URL('/project/api', page.url()).href)
    await page.getByRole('button', { name: 'Show the evidence' }).click()
    await page.getByRole('heading', { name: 'Where the human stepped in' }).waitFor()
    await page.getByText(/^From (?:all )?\d+ /).waitFor()
    expect(await broken(page)).toEqual([])
    await page
      .getByRole('link', { name: /Change of course.*I disagree on 3\./ })
      .first()
      .click()
    await page.waitForURL(/\/session\/f6818f97[^/]*\/4$/)
    await page.getByText('People get angry when the teapot is gone at the till.').first().waitFor()
    expectNoTrouble(opened)
  })
})
