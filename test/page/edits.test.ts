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

describe.skipIf(withoutBrowser)(`recent edits${needs}`, () => {
  useBrowser()

  it('are the files of all sessions, newest first, each with its session and what it changed', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/edits`)
    const files = page.locator('.edits li')
    await files.first().getByText('what-we-learned.md').waitFor()
    const times = await page
      .locator('.edits time')
      .evaluateAll((all) => (all as unknown as { dateTime: string }[]).map(({ dateTime }) => dateTime))
    expect(times.length).toBeGreaterThan(10)
    expect(times).toEqual(times.toSorted().reverse())
    // Of each agent, whatever it calls its tools.
    await files.getByText('sitemap.js').first().waitFor()
    const events = files.filter({ hasText: 'events.js' }).first()
    await events.locator('summary').click()
    await events
      .locator('.diff')
      .getByText(/refund|seen/)
      .first()
      .waitFor()
    expect(await broken(page)).toEqual([])
    await events.locator('a.link').click()
    await page.waitForURL('**/session/*/*')
    await page.locator('.call[data-current="true"], .row-body[aria-current="true"]').first().waitFor()
    expectNoTrouble(opened)
  })
})
