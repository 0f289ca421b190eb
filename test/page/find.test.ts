import { describe, expect, it } from 'vitest'
import { call, claude, text } from '../records.ts'
import { expectNoTrouble, needs, openPage, soon, useBrowser, withoutBrowser } from './browser.ts'
import { GARDEN, servedGarden } from './garden-session.ts'

const LINES = [
  claude.user(21, 'Where do the ferns grow?', { parentUuid: null }),
  claude.reply(22, [call('toolu_22', 'Bash', { command: 'ls /srv/garden' })]),
  claude.result(23, 'toolu_22', 'no such folder', true),
  claude.reply(24, [text('Ferns grow in the shade.')]),
  claude.user(25, 'And the moss?'),
  claude.reply(26, [text('It stays green under the ferns.')]),
]

/** The words that the page marks. */
const MARKED = `[...(CSS.highlights.get('found') ?? [])].map(String)`

describe.skipIf(withoutBrowser)(`finding in a session${needs}`, () => {
  useBrowser()

  it('takes filters beside words, opens the call that fails, and says what it does not understand', async () => {
    const { origin } = await servedGarden(LINES)
    const opened = await openPage(origin)
    const { page } = opened
    await page.goto(`${origin}/session/${GARDEN}`)
    await page.getByText('It stays green').first().waitFor()
    // The key for the details moves the focus there, and the key to find takes it back.
    await page.keyboard.press('i')
    await page.locator('[role="tab"]:focus', { hasText: 'Details' }).waitFor()
    await page.keyboard.press('/')
    const field = page.getByRole('searchbox', { name: 'Find in this session' })
    await soon(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    const result = page.locator('.find-result')
    await field.fill('ferns')
    await result.getByText(/^\d of 3$/).waitFor()
    await field.fill('ferns who:agent')
    await result.getByText(/^\d of 2$/).waitFor()
    await field.fill('tool:bash')
    await result.getByText(/^\d of 2$/).waitFor()
    await field.fill('is:error')
    await result.getByText('1 of 1').waitFor()
    await page.locator('.run[data-open="true"]').getByText('no such folder').first().waitFor()
    await field.fill('is:blue')
    await result.getByText(/nothing found · is:blue is not a known property/).waitFor()
    await field.fill('project:garden')
    await result.getByText(/a filter of sessions finds nothing within one/).waitFor()
    // The last query is refused.
    expect(opened.trouble.errors).toEqual([expect.stringContaining('400')])
  })

  it('shows no count of other words while it looks for these', async () => {
    const { origin } = await servedGarden(LINES)
    const { page } = await openPage(origin)
    await page.goto(`${origin}/session/${GARDEN}`)
    await page.getByText('It stays green').first().waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/positions?*query=moss', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.keyboard.press('/')
    const field = page.getByRole('searchbox', { name: 'Find in this session' })
    await field.fill('ferns')
    await page.getByText(/^\d of 3$/).waitFor()
    await field.fill('moss')
    await page.locator('.find-result').getByText('searching', { exact: true }).waitFor()
    held.resolve()
    await page.getByText('1 of 1').waitFor()
  })

  it('marks the words of a search in the message that a hit opens, until the field closes', async () => {
    const { origin } = await servedGarden(LINES)
    const opened = await openPage(origin)
    const { page } = opened
    await page.goto(`${origin}/search?q=${encodeURIComponent('ferns green project:garden')}`)
    await page.locator('.hit').first().click()
    await page.waitForURL(`**/session/${GARDEN}/6?find=ferns+green`.replace('+', '%20'))
    await page.locator('.row-body[aria-current="true"]').getByText('It stays green').waitFor()
    await page.getByText('1 of 1').waitFor()
    await soon(() => page.evaluate<string[]>(MARKED)).toContain('green')
    // The keys of the conversation work at once.
    await page.keyboard.press('k')
    await page.locator('.row-body[aria-current="true"]').getByText('And the moss?').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(`**/session/${GARDEN}/6`)
    await soon(() => page.evaluate<string[]>(MARKED)).toEqual([])
    expectNoTrouble(opened)
  })
})
