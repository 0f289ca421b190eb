import { describe, expect, it } from 'vitest'
import type { ListingAnswer } from '../../ui/api/ask.ts'
import { expectNoTrouble, needs, openPage, servedDemo, useBrowser, withoutBrowser } from './browser.ts'

describe.skipIf(withoutBrowser)(`days${needs}`, () => {
  useBrowser()

  it('are those of the reader in the calendar, and in the lists that it leads to', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin, { timezoneId: 'Pacific/Auckland' })
    const { page } = opened
    const day = page.locator('.heat a').last()
    await day.waitFor()
    const [, since = ''] = /after%3A([\d-]+)/.exec((await day.getAttribute('href')) ?? '') ?? []
    const asked = page.waitForResponse(/\/api\/listing/)
    await day.click()
    const response = await asked
    const { searchParams } = new URL(response.url())
    // Auckland is 13 hours ahead of UTC in November.
    const start = Date.parse(`${since}T00:00:00Z`) - 13 * 3_600_000
    expect(searchParams.get('query')).toBe(
      `after:${new Date(start).toISOString()} before:${new Date(start + 86_400_000).toISOString()}`,
    )
    const { sessions, total } = (await response.json()) as ListingAnswer
    expect(total).toBeGreaterThan(0)
    for (const { startedAt, lastActivityAt } of sessions) {
      expect(Date.parse(lastActivityAt!)).toBeGreaterThanOrEqual(start)
      expect(Date.parse(startedAt!)).toBeLessThan(start + 86_400_000)
    }
    await page.locator('.session-line').first().waitFor()
    const found = page.waitForRequest(/\/api\/search/)
    await page.goto(`${origin}/search?q=tax&since=${since}`)
    expect(new URL((await found).url()).searchParams.get('query')).toBe(
      `tax after:${new Date(start).toISOString()}`,
    )
    const typed = page.waitForRequest(/\/api\/search/)
    await page.goto(`${origin}/search?q=tax+after:${since}`)
    expect(new URL((await typed).url()).searchParams.getAll('query').join(' ')).toContain(
      `after:${new Date(start).toISOString()}`,
    )
    await page.locator('.hit').first().waitFor()
    expectNoTrouble(opened)
  })
})
