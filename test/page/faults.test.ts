import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import {
  needs,
  openPage,
  openWindow,
  served,
  servedDemo,
  settled,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

/** A server over a session in which the second message is this one. */
async function servedWith(words: string) {
  const home = temporaryHome()
  putClaude(home, uuid(0), [
    claude.user(1, 'Where do the ferns grow?'),
    claude.reply(2, [text(words)]),
    claude.user(3, 'And the moss?'),
  ])
  const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
  return served(flags, { data: join(home, 'data') })
}

describe.skipIf(withoutBrowser)(`a message that cannot be drawn${needs}`, () => {
  useBrowser()

  it.each([
    ['quotes in quotes', `${'> '.repeat(1000)}the innermost`],
    [
      'lists in lists',
      Array.from({ length: 150 }, (_, level) => `${'  '.repeat(level)}- level ${level}`).join('\n'),
    ],
    ['emphasis in emphasis', `${'*a **b '.repeat(1500)}the innermost${' b** a*'.repeat(1500)}`],
  ])('because of %s is shown as it is, and the others are there', async (_, words) => {
    const { origin } = await servedWith(words)
    const { page, trouble } = await openWindow(origin)
    await page.goto(`${origin}/session/${uuid(0)}`)
    await page.locator('.message').getByText('And the moss?').waitFor()
    await settled(page)
    const shown = page.locator('.message', { hasText: words.slice(0, 12).trim() })
    expect(await shown.textContent()).toContain(words.slice(0, 60).trim())
    expect(trouble.errors).toEqual([])
  })

  it('because of a fault shows its words, and the others are there', async () => {
    const { origin } = await servedWith(`It is long. ${'More of it. '.repeat(1500)}`)
    const { page } = await openPage(origin)
    // Only a message that is cut calls this.
    await page.context().addInitScript("String.prototype.toWellFormed = () => { throw new Error('a fault') }")
    await page.goto(`${origin}/session/${uuid(0)}`)
    await page.locator('.message').getByText('And the moss?').waitFor()
    await page.locator('.message', { hasText: 'It is long. More of it.' }).waitFor()
  })
})

describe.skipIf(withoutBrowser)(`the sessions of a project${needs}`, () => {
  useBrowser()

  it('are not those of another project below it', async () => {
    const home = temporaryHome()
    for (const [number, folder] of [
      [1, '/srv/shop'],
      [2, '/srv/shop/api'],
    ] as const)
      putClaude(
        home,
        uuid(number),
        [{ ...claude.user(number, `Hello from ${folder}`), cwd: folder }],
        folder.replaceAll('/', '-'),
      )
    const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
    const { origin } = await served(flags, { data: join(home, 'data') })
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/sessions?project=shop`)
    await page.locator('.total').getByText('1 session', { exact: true }).waitFor()
    await page.getByText('Hello from /srv/shop', { exact: true }).first().waitFor()
    expect(await page.getByText('Hello from /srv/shop/api').count()).toBe(0)
    await page.goto(`${origin}/sessions`)
    await page.locator('.total').getByText('2 sessions', { exact: true }).waitFor()
  })
})

describe.skipIf(withoutBrowser)(`an answer while files are indexed${needs}`, () => {
  useBrowser()

  it('says how much it is made from, in a search and in the list', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin)
    const incomplete = { files: 12, of: 40, messages: 7 }
    for (const name of ['search', 'listing'])
      await page.route(`**/api/${name}?*`, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...((await response.json()) as object), incomplete } })
      })
    await page.goto(`${origin}/search?q=refund`)
    await page.locator('.found-title').first().waitFor()
    expect(await page.locator('.results > *').first().textContent()).toBe(
      'Searched 12 of 40 files so far, without the words of 7 messages.',
    )
    await page.goto(`${origin}/sessions`)
    await page.getByText('Indexed 12 of 40 files so far.').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('that found nothing yet does not say that nothing matches, and comes again until all is searched', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin)
    const part = {
      total: 0,
      hits: [],
      searched: { sessions: 0, messages: 0, calls: 0 },
      incomplete: { files: 40, of: 40, messages: 7658 },
    }
    await page.route('**/api/search?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...part } })
    })
    await page.goto(`${origin}/search?q=refund`)
    await page.getByText('Nothing found yet').waitFor()
    const words = await page.locator('.results').innerText()
    expect(words).toContain('Searched 40 of 40 files so far, without the words of 7,658 messages.')
    expect(words).toContain('Searched 0 messages and 0 tool calls in 0 sessions.')
    expect(words).not.toContain('Nothing matches')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // Nobody types, and no event arrives.
    await page.locator('.found-title').first().waitFor()
    expect(await page.locator('.incomplete').count()).toBe(0)
  })
})
