import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import {
  expectNoTrouble,
  needs,
  note,
  openPage,
  served,
  servedDemo,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

const SESSION = '/session/21c10370-341b-4cb3-b1ad-8aa6dbfb1e51'

/** Types the words, waits for the choice and takes it. */
async function take(page: Page, words: string, choice: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Page, project/ }).fill(words)
  await page.getByRole('option', { name: choice }).first().click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe.skipIf(withoutBrowser)(`the palette${needs}`, () => {
  useBrowser()

  it('reaches tags, jobs and texts of memory, and does what the page can do', async () => {
    const { origin } = await served({ demo: true })
    const opened = await openPage(origin)
    const { page } = opened
    await note(page, { session: '21c10370', tags: ['heron'] })
    await page.goto(origin)
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    // Other choices contain the same words, and may be there earlier.
    await take(page, 'heron', /heron.*tag of 1 session/)
    await page.waitForURL('**/sessions?q=tag%3Aheron')
    await take(page, 'cold disk', /Copy to the cold disk.*on Sunday/)
    await page.waitForURL('**/jobs?job=*')
    await take(page, 'tools.md', /TOOLS\.md.*memory of main/)
    await page.waitForURL('**/memory?file=*TOOLS.md')
    await page.goto(origin + SESSION)
    await page.locator('.session-head').waitFor()
    await page.getByText('Fixed, and the retry is gone').first().waitFor()
    await take(page, 'layout', 'Change the layout')
    await page.waitForURL('**layout=*')
    await note(page, { session: '21c10370', remove: 'heron' })
    expectNoTrouble(opened)
  })

  it('finds a session by its title, however many are newer', async () => {
    const home = temporaryHome()
    for (let number = 1; number <= 80; number++)
      putClaude(home, uuid(number), [
        {
          ...claude.user(1, number === 80 ? 'The oldest oak' : `Flower ${number}`, {
            ...{ sessionId: uuid(number), uuid: uuid(number * 10) },
          }),
          timestamp: new Date(1.79e12 - number * 6e4).toISOString(),
        },
      ])
    const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
    const { origin } = await served(flags, { data: join(home, 'data') })
    const { page } = await openPage(origin)
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    // The session, not its message, which has no time beside the project.
    await take(page, 'oldest oak', /The oldest oak.*garden ·/)
    await page.waitForURL(`**/session/${uuid(80)}`)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('says what kind each match is, and marks the words in it', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin)
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('stock')
    const options = page.getByRole('option')
    await options
      .filter({ hasText: /(?:You|Agent) said/ })
      .first()
      .waitFor()
    const kinds = await page.locator('.choice-kind').allTextContents()
    expect(kinds).toContain('Search')
    expect(kinds.every((kind) => kind !== '')).toBe(true)
    const marks = await page.locator('.choice-title mark').allTextContents()
    expect(marks.length).toBeGreaterThan(2)
    expect(marks.every((mark) => mark.toLowerCase().startsWith('stock'))).toBe(true)
    // The first one of each line is in sight, also where the line is cut.
    const hidden = await page.locator('.choice-title:has(mark)').evaluateAll((titles) =>
      titles
        .filter((title) => {
          const mark = title.querySelector('mark')!.getBoundingClientRect()
          return mark.right > title.getBoundingClientRect().right
        })
        .map(({ textContent }) => textContent),
    )
    expect(hidden).toEqual([])
  })
})
