import { describe, expect, it } from 'vitest'
import type { SessionsAnswer } from '../../ui/api/ask.ts'
import { dollars } from '../../ui/text/format.ts'
import { claude, text } from '../records.ts'
import { asked, expectNoTrouble, needs, openPage, served, useBrowser, withoutBrowser } from './browser.ts'
import { servedGarden } from './garden-session.ts'

describe.skipIf(withoutBrowser)(`what pages say of the same${needs}`, () => {
  useBrowser()

  it('is one number of sessions, and one cost of each', async () => {
    const { origin } = await served({ demo: true })
    const opened = await openPage(origin)
    const { page } = opened
    const { total } = await asked<SessionsAnswer>(page, '/api/sessions?all=true&limit=1')
    await page.goto(origin)
    await page.locator('.page-subtitle').getByText(`${total} sessions of`).waitFor()
    await page.goto(`${origin}/sessions`)
    await page.locator('.total').getByText(`${total} sessions`, { exact: true }).waitFor()
    await page.goto(`${origin}/stats`)
    await page.locator('.figures dd').first().getByText(String(total)).first().waitFor()
    const { sessions } = await asked<SessionsAnswer>(page, '/api/sessions?all=true&sort=cost&limit=1')
    const [row] = sessions
    await page.goto(`${origin}/session/${row!.id}`)
    await page.locator('.session-facts').getByText(dollars(row!.cost), { exact: true }).waitFor()
    expectNoTrouble(opened)
  })

  it('is of the same days where a chart and a list are beside each other, however long ago', async () => {
    const { origin } = await servedGarden([
      { ...claude.user(21, 'Where do the ferns grow?'), timestamp: '2026-02-03T10:00:00.000Z' },
      { ...claude.reply(22, [text('In the shade.')]), timestamp: '2026-02-03T10:00:05.000Z' },
    ])
    const { page } = await openPage(origin)
    await page.goto(origin)
    const projects = page.getByRole('region', { name: 'Busiest projects' })
    await page.getByText(/Busiest projects/).waitFor()
    await page.locator('.bar-row').first().waitFor()
    expect(await page.getByText('Nothing in 90 days').count()).toBe(0)
    expect(await projects.count()).toBeLessThan(2)
  })

  it('is late where a job has not run when it should have', async () => {
    const { origin } = await served({ demo: true })
    const { page } = await openPage(origin)
    await page.goto(`${origin}/jobs`)
    const row = page.getByRole('row').filter({ hasText: 'Health of the API' })
    await row.getByText(/^overdue since /).waitFor()
  })
})
