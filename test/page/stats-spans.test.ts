import { describe, expect, it } from 'vitest'
import type { StatsAnswer } from '../../ui/api/ask.ts'
import { dollars } from '../../ui/text/format.ts'
import {
  asked,
  broken,
  expectNoTrouble,
  needs,
  openPage,
  servedDemo,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

describe.skipIf(withoutBrowser)(`two spans of the statistics${needs}`, () => {
  useBrowser()

  it('are side by side with their differences, next to the cost of projects and a scale', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    const totals = async (span: string) =>
      (await asked<StatsAnswer>(page, `/api/stats?all=true&timezone=UTC&${span}`)).totals
    await page.goto(`${origin}/stats?since=2026-11-01&until=2026-11-07`)
    const [now, before] = [
      await totals('since=2026-11-01&until=2026-11-07'),
      await totals('since=2026-10-25&until=2026-10-31'),
    ]
    const table = page.getByRole('region', { name: 'Compared with the previous period' }).first()
    await table.getByText('Oct 25 to Oct 31').waitFor()
    const row = table.getByRole('row').filter({ hasText: 'Cost at list price' })
    const difference = (now.cost ?? 0) - (before.cost ?? 0)
    expect(difference).not.toBe(0)
    await row.getByText(dollars(now.cost), { exact: true }).waitFor()
    await row.getByText(dollars(before.cost), { exact: true }).waitFor()
    const sign = difference > 0 ? '+' : '−'
    await row.getByText(`${sign}${dollars(Math.abs(difference))} (`).waitFor()
    await page.goto(`${origin}/stats`)
    await table.getByText('30 days before').waitFor()
    const projects = page.getByRole('heading', { name: 'Cost by project' })
    await projects.waitFor()
    await page.locator('.columns-scale span').nth(4).getByText('$0.00').waitFor()
    await page
      .locator('.figure-note')
      .getByText(/% read from cache/)
      .waitFor()
    expect(await broken(page)).toEqual([])
    expectNoTrouble(opened)
  })
})
