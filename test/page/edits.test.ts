import { describe, expect, it } from 'vitest'
import { call, claude } from '../records.ts'
import {
  broken,
  expectNoTrouble,
  needs,
  openWindow,
  servedDemo,
  useBrowser,
  withoutBrowser,
} from './browser.ts'
import { servedGarden } from './garden-session.ts'

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

  it('leave out calls that failed or that a person declined', async () => {
    const edit = (number: number, file: string) =>
      claude.reply(number, [
        call(`toolu_${number}`, 'Edit', {
          file_path: `/srv/garden/${file}`,
          old_string: 'sun',
          new_string: 'shade',
        }),
      ])
    const declined = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    const { origin } = await servedGarden([
      claude.user(21, 'Mend the ferns', { parentUuid: null, cwd: '/srv/garden' }),
      edit(22, 'moss.md'),
      claude.result(23, 'toolu_22', declined, true),
      edit(24, 'ivy.md'),
      claude.result(25, 'toolu_24', 'String to replace not found in file.', true),
      edit(26, 'ferns.md'),
      claude.result(27, 'toolu_26', 'Done.'),
      edit(28, 'ferns.md'),
      claude.result(29, 'toolu_28', 'String to replace not found in file.', true),
    ])
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/edits`)
    await page.locator('.change-name').first().waitFor()
    expect(await page.locator('.change-name').allTextContents()).toEqual(['ferns.md'])
    expect(await page.getByText('2 edits').count()).toBe(0)
    expectNoTrouble(opened)
  })
})
