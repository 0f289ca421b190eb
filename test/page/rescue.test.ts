import { rmSync } from 'node:fs'
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
import { GARDEN, servedGarden } from './garden-session.ts'

describe.skipIf(withoutBrowser)(`what clients delete${needs}`, () => {
  useBrowser()

  it('is first on the first page, which leads to what keeps it', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = opened
    await page.goto(origin)
    await page.locator('.warning-line').click()
    await page.waitForURL('**/rescue')
    await page.getByText('cleanupPeriodDays').waitFor()
    await page
      .getByRole('button', { name: /^Copy scrollback keep/ })
      .first()
      .click()
    await page.getByText('Copied the command').waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^scrollback keep/)
    expectNoTrouble(opened)
  })

  it('stays readable, with the command that restores it instead of the one that resumes it', async () => {
    const { origin, path } = await servedGarden()
    const opened = await openWindow(origin, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = opened
    await page.goto(`${origin}/session/${GARDEN}`)
    await page.locator('.resume code').getByText(`--resume=${GARDEN}`).waitFor()
    rmSync(path)
    await page.reload()
    await page.getByRole('link', { name: 'deleted by its client' }).waitFor()
    const command = page.locator('.resume code')
    await command.getByText(`restore ${GARDEN} --condensed`).waitFor()
    expect(await page.getByText('--resume=').count()).toBe(0)
    await page.locator('.conversation').getByText('It stays green.').waitFor()
    await page.keyboard.press('c')
    await page.getByText(/^Copied scrollback restore/).waitFor()
    await page.getByRole('link', { name: 'Rescue', exact: true }).first().click()
    const row = page.getByRole('row', { name: /Where do the ferns grow/ })
    await row.getByText('6 messages').waitFor()
    await row.getByRole('button', { name: /^Copy scrollback restore/ }).waitFor()
    expect(await broken(page)).toEqual([])
    expectNoTrouble(opened)
  })

  it('stays in its column in a narrow window, however long a name is', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin, { viewport: { width: 390, height: 844 } })
    const { page } = opened
    await page.route('**/api/vanishing?*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { sessions: object[] }
      const sessions = answer.sessions.map((session) => ({ ...session, project: 'a'.repeat(90) }))
      await route.fulfill({ json: { ...answer, sessions } })
    })
    await page.goto(`${origin}/rescue`)
    const cell = page.getByRole('cell', { name: 'aaaa' }).first()
    await cell.waitFor()
    const [inside, room] = await cell.evaluate((element) => [element.scrollWidth, element.clientWidth])
    expect(inside).toBeLessThanOrEqual(room!)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
