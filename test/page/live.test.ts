import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/commands/kit/global-flags.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { expectNoTrouble, needs, openPage, served, useBrowser, withoutBrowser } from './browser.ts'

const flagsOf = (home: string): GlobalFlags => ({ claudeDir: [join(home, '.claude')] }) as GlobalFlags

const PARAGRAPHS = Array.from({ length: 12 }, (_, index) => `Paragraph ${index} about ferns.`).join('\n\n')

describe.skipIf(withoutBrowser)(`a session that goes on${needs}`, () => {
  useBrowser()

  it('shows what is written, and stays in place for a person who has scrolled up', async () => {
    const home = temporaryHome()
    const lines = [
      claude.user(1, 'Where do the ferns grow?'),
      claude.reply(2, [text(PARAGRAPHS)]),
      claude.user(3, 'And in winter?'),
      claude.reply(4, [text(PARAGRAPHS)]),
    ]
    const path = putClaude(home, uuid(0), lines)
    const write = (line: object) => appendFileSync(path, `${JSON.stringify(line)}\n`)
    const { origin } = await served(flagsOf(home), { data: join(home, 'data') })
    const opened = await openPage(origin, { viewport: { width: 1280, height: 700 } })
    const { page } = opened
    await page.goto(`${origin}/session/${uuid(0)}`)
    await page.getByText('Up to date').waitFor()
    await page.getByText('Paragraph 11 about ferns.').last().waitFor()
    write(claude.user(5, 'And the moss?'))
    await page.locator('.message').getByText('And the moss?').waitFor()
    // The list follows, so the new message is in view.
    expect(await page.locator('.message').getByText('And the moss?').isVisible()).toBe(true)
    await page.locator('.conversation-list').hover()
    await page.mouse.wheel(0, -4000)
    await page.getByRole('button', { name: 'To the end' }).waitFor()
    const top = await page.evaluate('document.querySelector(".conversation-list").scrollTop')
    write(claude.reply(6, [text('It grows on the north side.')]))
    await page.getByRole('button', { name: '1 new item' }).click()
    await page.getByText('It grows on the north side.').waitFor()
    await page.locator('.unread-mark').waitFor()
    expect(top).toBe(0)
    expectNoTrouble(opened)
  }, 120_000)

  it('says that the server is gone, and catches up when it is back', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(0), [claude.user(1, 'Where do the ferns grow?')])
    const data = join(home, 'data')
    const first = await served(flagsOf(home), { data })
    const { page } = await openPage(first.origin)
    await page.goto(`${first.origin}/session/${uuid(0)}`)
    await page.getByText('Up to date').waitFor()
    await page.locator('.message').getByText('Where do the ferns grow?').waitFor()
    await first.close()
    await page.getByText('The server does not answer.').waitFor()
    appendFileSync(path, `${JSON.stringify(claude.reply(2, [text('In the shade.')]))}\n`)
    await served(flagsOf(home), { data, port: first.port })
    await page.getByText('Up to date').waitFor()
    await page.getByText('In the shade.').waitFor()
    expect(await page.getByText('The server does not answer.').count()).toBe(0)
  }, 120_000)

  it('needs one connection for all tabs, and another tab takes over when the first is closed', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(0), [claude.user(1, 'Where do the ferns grow?')])
    const { origin } = await served(flagsOf(home), { data: join(home, 'data') })
    const opened = await openPage(origin)
    await opened.page.getByText('Up to date').waitFor()
    const listening: string[] = []
    const context = opened.page.context()
    context.on('request', (request) => {
      if (request.url().endsWith('/api/events')) listening.push(request.url())
    })
    const others = []
    for (let tab = 0; tab < 8; tab++) {
      const page = await context.newPage()
      await page.goto(`${origin}/session/${uuid(0)}`)
      await page.getByText('Up to date').waitFor()
      others.push(page)
    }
    expect(listening).toEqual([])
    appendFileSync(path, `${JSON.stringify(claude.reply(2, [text('In the shade.')]))}\n`)
    for (const page of others) await page.getByText('In the shade.').waitFor()
    const taken = context.waitForEvent('request', (request) => request.url().endsWith('/api/events'))
    await opened.page.close()
    await taken
    appendFileSync(path, `${JSON.stringify(claude.user(3, 'And the moss?'))}\n`)
    for (const page of others) await page.locator('.message').getByText('And the moss?').waitFor()
  }, 120_000)
})
