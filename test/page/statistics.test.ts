import { describe, expect, it } from 'vitest'
import { DIMENSIONS } from '../../src/stats/summarize.ts'
import type { StatsAnswer } from '../../ui/api/ask.ts'
import { brief, count, dollars } from '../../ui/text/format.ts'
import {
  asked,
  expectNoTrouble,
  needs,
  openPage,
  openWindow,
  servedDemo,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

describe.skipIf(withoutBrowser)(`the statistics${needs}`, () => {
  useBrowser()

  it('show for every kind of row what the endpoint answers', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    for (const by of DIMENSIONS) {
      const answer = await asked<StatsAnswer>(
        page,
        `/api/stats?all=true&timezone=UTC&order=desc&limit=100&by=${by}`,
      )
      await page.goto(`${origin}/stats?by=${by}`)
      const table = page.getByRole('region', { name: 'In figures' })
      await table.locator('tfoot td').last().waitFor()
      const { rows, rowsSum } = answer
      const last = by === 'tool' ? count(rowsSum.errors) : dollars(rowsSum.cost)
      const first = rows[0]!
      expect({
        by,
        rows: await table.locator('tbody tr').count(),
        last: await table.locator('tfoot td').last().textContent(),
        first: await table.locator('tbody tr').first().locator('td').last().textContent(),
      }).toEqual({
        by,
        rows: rows.length,
        last,
        first: by === 'tool' ? (first.errors === 0 ? '' : count(first.errors)) : dollars(first.cost),
      })
    }
    expectNoTrouble(opened)
  })

  it('have no column for a figure that a kind of row lacks, and show the pace of the block that runs', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    const titles = async (by: string): Promise<string[]> => {
      await page.goto(`${origin}/stats?by=${by}`)
      const heads = page.getByRole('region', { name: 'In figures' }).locator('thead th')
      await heads.first().waitFor()
      return heads.allTextContents()
    }
    for (const by of ['block', 'model']) {
      const shown = await titles(by)
      for (const title of ['You', 'Calls', 'Errors']) expect(shown).not.toContain(title)
    }
    expect(await titles('tool')).toEqual(['Tool', 'Sessions', 'Calls', 'Errors'])
    expect(await titles('week')).toContain('You')
    await page.goto(`${origin}/stats?by=block`)
    await page.getByText('Tokens a minute').waitFor()
    await page.getByText('Projected at its end').waitFor()
  })

  it('are those of a time from one day to another, which needs no mouse', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/stats`)
    await page.getByLabel('From', { exact: true }).fill('2026-11-01')
    await page.getByLabel('Until', { exact: true }).fill('2026-11-07')
    await page.waitForURL('**/stats?since=2026-11-01&until=2026-11-07')
    const { totals } = await asked<StatsAnswer>(
      page,
      '/api/stats?all=true&timezone=UTC&since=2026-11-01&until=2026-11-07',
    )
    await page.locator('.figures dd').last().getByText(dollars(totals.cost), { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Models of each row' }).click()
    await page.locator('.data tr.part').first().waitFor()
    await page.getByRole('button', { name: 'Clear all filters' }).click()
    await page.waitForURL('**/stats?breakdown=true')
    expectNoTrouble(opened)
  })

  it('say below each chart over time what it leaves out, as it has no time', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/stats`)
    const answer = await asked<StatsAnswer>(page, '/api/stats?all=true&timezone=UTC&by=day')
    const undated = answer.rows.find(({ key }) => key === '(no time)')!
    const cost = dollars(undated.cost)
    const values = page.locator('.series-value')
    await values.last().waitFor()
    const drawn = answer.totals.outputTokens! - undated.outputTokens!
    expect(await values.nth(1).textContent()).toBe(`${brief(drawn)} in all`)
    await page.getByText(`${brief(undated.outputTokens!)} written, ${cost} of replies that have no`).waitFor()
    await page.getByText(`Without ${cost} of replies that have no time`, { exact: true }).waitFor()
    await page.getByText('Without 1 message that has no time', { exact: true }).waitFor()
    await page.goto(`${origin}/stats?since=2026-11-01`)
    await values.last().waitFor()
    expect(await page.getByText('no time').count()).toBe(0)
  })

  it('say what is wrong instead of showing the table of another address', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/stats`)
    await page.getByRole('region', { name: 'In figures' }).locator('tfoot td').last().waitFor()
    await page.evaluate(
      "history.pushState(null, '', '/stats?by=nothing'); dispatchEvent(new PopStateEvent('popstate'))",
    )
    await page.getByText('The table could not be loaded').waitFor()
  })

  it('count with a project and a client what the list of sessions has with them', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/stats?project=web&platform=openclaw`)
    await page.getByRole('region', { name: 'In figures' }).locator('tfoot td').first().waitFor()
    expect(await page.locator('.failed').count()).toBe(0)
    const { totals, silent = 0 } = await asked<StatsAnswer>(page, '/api/stats?project=web&platform=openclaw')
    const listed = await asked<{ total: number }>(
      page,
      '/api/listing?all=true&query=project:web+platform:openclaw',
    )
    expect(listed.total).toBeGreaterThan(0)
    expect(totals.sessions + silent).toBe(listed.total)
  })

  it('say in words of the page that filters leave nothing', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/stats?project=shop-notes&platform=kilo-code`)
    await page.getByText('Nothing with these filters').waitFor()
    await page.getByRole('region', { name: 'In figures' }).waitFor()
    expect(await page.locator('.failed').count()).toBe(0)
    await page.goto(`${origin}/stats?project=no-such-garden`)
    await page.getByText('No session has this project or this agent.').waitFor()
    expect(await page.locator('.failed').count()).toBe(0)
    expect(await page.getByText('scrollback projects').count()).toBe(0)
  })
})
