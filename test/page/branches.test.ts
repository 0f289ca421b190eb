import { describe, expect, it } from 'vitest'
import { call, claude, text, uuid } from '../records.ts'
import { broken, expectNoTrouble, needs, openPage, useBrowser, withoutBrowser } from './browser.ts'
import { GARDEN, servedGarden } from './garden-session.ts'

/** The human went back to the first answer and asked something else. */
const LINES = [
  claude.user(21, 'Where do the ferns grow?', { parentUuid: null }),
  claude.reply(22, [text('In the shade.')]),
  claude.user(23, 'And in the desert?'),
  claude.reply(24, [call('toolu_24', 'Bash', { command: 'ls /srv/desert' })]),
  claude.result(25, 'toolu_24', 'nothing'),
  claude.reply(26, [text('Nowhere at all.')]),
  claude.user(27, 'And in winter?', { parentUuid: uuid(22) }),
  claude.reply(28, [text('They sleep.')]),
]

describe.skipIf(withoutBrowser)(`an abandoned branch${needs}`, () => {
  useBrowser()

  it('is opened and folded again by the row at its beginning', async () => {
    const { origin } = await servedGarden(LINES)
    const opened = await openPage(origin)
    const { page } = opened
    await page.goto(`${origin}/session/${GARDEN}`)
    const fold = page.locator('.branch-switch')
    const words = page.locator('.message').getByText('Nowhere at all.')
    await fold.getByText('3 items of an abandoned branch').waitFor()
    expect(await fold.getAttribute('aria-expanded')).toBe('false')
    expect(await words.count()).toBe(0)
    await fold.click()
    await words.waitFor()
    expect(await fold.getAttribute('aria-expanded')).toBe('true')
    const rows = await page.locator('.conversation-list .row').allInnerTexts()
    expect(rows.findIndex((row) => row.includes('abandoned branch'))).toBe(2)
    expect(rows.findIndex((row) => row.includes('And in the desert?') && !row.includes('hide'))).toBe(3)
    expect(await broken(page)).toEqual([])
    await fold.click()
    await words.waitFor({ state: 'detached' })
    await fold.getByText('show').waitFor()
    expectNoTrouble(opened)
  }, 120_000)

  it('is opened by a link to a message in it, and by key', async () => {
    const { origin } = await servedGarden(LINES)
    const { page } = await openPage(origin)
    await page.goto(`${origin}/session/${GARDEN}/6`)
    await page.locator('[aria-current="true"]').getByText('Nowhere at all.').waitFor()
    for (let step = 0; step < 3; step++) await page.keyboard.press('k')
    await page.locator('[aria-current="true"] .branch-switch').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.message').getByText('Nowhere at all.').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.locator('.message').getByText('Nowhere at all.').waitFor()
  }, 120_000)
})
