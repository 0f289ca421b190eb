import { describe, expect, it } from 'vitest'
import { call, claude, text, uuid } from '../records.ts'
import { broken, expectNoTrouble, needs, openWindow, soon, useBrowser, withoutBrowser } from './browser.ts'
import { GARDEN, servedGarden } from './garden-session.ts'

/** The human went back to the first answer twice, and asked something else each time. */
const LINES = [
  claude.user(21, 'Where do the ferns grow?', { parentUuid: null }),
  claude.reply(22, [text('In the shade.')]),
  claude.user(23, 'And in the desert?'),
  claude.reply(24, [call('toolu_24', 'Bash', { command: 'ls /srv/desert' })]),
  claude.result(25, 'toolu_24', 'nothing'),
  claude.reply(26, [text('Nowhere at all.')]),
  claude.user(27, 'And at sea?', { parentUuid: uuid(22) }),
  claude.reply(28, [text('Not a single one.')]),
  claude.user(29, 'And in winter?', { parentUuid: uuid(22) }),
  claude.reply(30, [text('They sleep.')]),
]

describe.skipIf(withoutBrowser)(`where the human went back${needs}`, () => {
  useBrowser()

  it('is a switch between the branches, each with its own messages only', async () => {
    const { origin } = await servedGarden(LINES)
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/session/${GARDEN}`)
    const ways = page.locator('.way')
    await soon(() => ways.count()).toBe(3)
    expect(await ways.allInnerTexts()).toEqual([
      expect.stringMatching(/^1\s*And in the desert\?\s*abandoned · 3 items$/),
      expect.stringMatching(/^2\s*And at sea\?\s*abandoned · 2 items$/),
      expect.stringMatching(/^3\s*And in winter\?\s*current$/),
    ])
    const said = (): Promise<string[]> => page.locator('.message .prose').allInnerTexts()
    await page.getByText('They sleep.').waitFor()
    expect(await ways.nth(2).getAttribute('aria-pressed')).toBe('true')
    expect((await said()).join(' ')).not.toMatch(/desert|Nowhere|single/)
    await ways.nth(0).click()
    await page.getByText('Nowhere at all.').waitFor()
    await page.getByText('This branch was abandoned here').waitFor()
    expect(await ways.nth(0).getAttribute('aria-pressed')).toBe('true')
    expect((await said()).join(' ')).not.toMatch(/winter|sleep|single/)
    expect(await broken(page)).toEqual([])
    if (process.env.SHOTS) await page.screenshot({ path: '/tmp/fork.png' })
    await ways.nth(1).click()
    await page.getByText('Not a single one.').waitFor()
    await page.getByText('Nowhere at all.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Back to the current branch' }).click()
    await page.getByText('They sleep.').waitFor()
    expectNoTrouble(opened)
  })

  it('leads to the branch of a link, of the outline and of what is found, and is switched by key', async () => {
    const { origin } = await servedGarden(LINES)
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/session/${GARDEN}/6`)
    const current = page.locator('[aria-current="true"]')
    await current.getByText('Nowhere at all.').waitFor()
    await page.getByRole('list', { name: 'Human messages' }).getByText('And at sea?').click()
    await page.getByText('Not a single one.').waitFor()
    await page.keyboard.press('/')
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('sleep')
    await page.getByText('They sleep.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.locator('[aria-current="true"] .way').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Nowhere at all.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Not a single one.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('They sleep.').waitFor()
    // The next key comes at the moment at which the rows have changed.
    const press = `document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
    )`
    await page.evaluate(`
      new MutationObserver((_, observer) => {
        if (!document.body.textContent.includes('Nowhere at all.')) return
        observer.disconnect()
        ${press}
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
      ${press}
    `)
    await page.getByText('Not a single one.').waitFor()
  })
})
