import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { expectNoTrouble, needs, openWindow, served, useBrowser, withoutBrowser } from './browser.ts'

const HOUR_MS = 3_600_000

/** A session with one message, some hours ago. */
function writeSession(home: string, number: number, hoursAgo: number): void {
  const timestamp = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString()
  const more = { timestamp, sessionId: uuid(number) }
  putClaude(home, uuid(number), [
    claude.user(number, `Question ${number}?`, more),
    claude.reply(number + 1, [text('Yes.')], more),
  ])
}

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.ariaLabel ?? ""')

describe.skipIf(withoutBrowser)(`the shades of the statistics${needs}`, () => {
  useBrowser()

  it('are one stop of the tab key, and lead to the sessions of a day or an hour of the week', async () => {
    const home = temporaryHome()
    writeSession(home, 100, 40 * 24)
    writeSession(home, 200, 30 * 24)
    writeSession(home, 300, 30 * 24 - 5)
    const { origin } = await served({ claudeDir: [join(home, '.claude')] } as GlobalFlags, {
      data: join(home, 'data'),
    })
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/stats`)
    for (const name of ['Hours of the week', 'Days']) {
      const grid = page.getByRole('group', { name })
      await grid.waitFor()
      expect(await grid.locator('a[tabindex="0"]').count()).toBe(1)
      await grid.locator('a[tabindex="0"]').focus()
      await page.keyboard.press('Home')
      const first = await focused(page)
      await page.keyboard.press('End')
      const last = await focused(page)
      expect([first, last]).toEqual([
        expect.stringMatching(/^\d message/),
        expect.stringMatching(/^\d message/),
      ])
      expect(first).not.toBe(last)
      expect(await grid.locator('a[tabindex="0"]').count()).toBe(1)
    }
    await page.getByRole('group', { name: 'Hours of the week' }).locator('a').first().focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sessions?q=kind%3Ahuman&hour=*')
    const total = page.locator('.total')
    await total.getByText('1 session', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Active on/ }).click()
    await total.getByText('3 sessions', { exact: true }).waitFor()
    expectNoTrouble(opened)
  })
})
