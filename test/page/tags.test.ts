import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { expectNoTrouble, needs, openWindow, served, useBrowser, withoutBrowser } from './browser.ts'

/** Two sessions and a memory document. */
function garden(): { flags: GlobalFlags; data: string } {
  const home = temporaryHome()
  const lines = [claude.user(1, 'Where do the ferns grow?'), claude.reply(2, [text('In the shade.')])]
  putClaude(home, uuid(0), lines)
  const moss = { sessionId: uuid(50) }
  putClaude(home, uuid(50), [
    claude.user(51, 'And the moss?', moss),
    claude.reply(52, [text('On stones.')], moss),
  ])
  put(
    join(home, '.claude/projects/-home-ann-garden/memory/MEMORY.md'),
    '# Garden\n\nThe lichen grows on the wall.\n',
  )
  return { flags: { claudeDir: [join(home, '.claude')] } as GlobalFlags, data: join(home, 'data') }
}

describe.skipIf(withoutBrowser)(`tags on the page${needs}`, () => {
  useBrowser()

  it('come from a search, filter the sessions, and go with their rule', async () => {
    const { flags, data } = garden()
    const { origin } = await served(flags, { data })
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/search?q=ferns&who=human`)
    await page.getByRole('button', { name: 'Save as tag rule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as tag rule' })
    await dialog.getByText('ferns who:human').waitFor()
    await dialog.getByRole('textbox', { name: 'Tag' }).fill('plants')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.goto(`${origin}/tags`)
    await page.getByRole('link', { name: 'Rule: ferns who:human' }).waitFor()
    await page.getByRole('link', { name: 'plants', exact: true }).click()
    await page.waitForURL('**/sessions?q=tag%3Aplants**')
    const total = page.locator('.total')
    await total.getByText('1 session', { exact: true }).waitFor()
    expect(await page.locator('.session-link').count()).toBe(1)
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await total.getByText('2 sessions', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Star', exact: true }).first().click()
    await page.getByLabel('Words and filters').fill('is:starred')
    await total.getByText('1 session', { exact: true }).waitFor()
    await page.goto(`${origin}/tags`)
    await page.getByRole('heading', { name: 'Starred and named' }).waitFor()
    await page.getByRole('button', { name: 'Remove the rule of plants' }).click()
    await page.getByRole('link', { name: 'Rule: ferns who:human' }).waitFor({ state: 'detached' })
    expectNoTrouble(opened)
  })

  it('are single words, which the dialog says', async () => {
    const { flags, data } = garden()
    const { origin } = await served(flags, { data })
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/search?q=ferns`)
    await page.getByRole('button', { name: 'Save as tag rule' }).click()
    await page.getByRole('textbox', { name: 'Tag' }).fill('two words')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('"two words" is not a valid tag').waitFor()
  })

  it('are no part of memory, whose matches show the name of the file and lead to it', async () => {
    const { flags, data } = garden()
    const { origin } = await served(flags, { data })
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/search?q=lichen`)
    await page.getByRole('link', { name: 'MEMORY.md', exact: true }).click()
    await page.waitForURL('**/memory?file=*')
    await page.getByText('The lichen grows on the wall.').waitFor()
    expectNoTrouble(opened)
  })
})
