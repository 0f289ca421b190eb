import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { call, claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import {
  broken,
  expectNoTrouble,
  needs,
  openPage,
  openWindow,
  served,
  servedDemo,
  soon,
  useBrowser,
  withoutBrowser,
} from './browser.ts'
import { GARDEN, servedGarden } from './garden-session.ts'

describe.skipIf(withoutBrowser)(`the first screen of a session${needs}`, () => {
  useBrowser()

  it('has its errors, context, net changes and cost, and the command that resumes it', async () => {
    const edit = (number: number, before: string, after: string) => [
      claude.reply(number, [
        call(`toolu_${number}`, 'Edit', {
          file_path: '/srv/garden/ferns.md',
          old_string: before,
          new_string: after,
        }),
      ]),
      claude.result(number + 1, `toolu_${number}`, 'ok', number === 24),
    ]
    const { origin } = await servedGarden([
      claude.user(21, 'Where do the ferns grow?', { parentUuid: null }),
      ...edit(22, 'sun', 'shade'),
      ...edit(24, 'moon', 'night'),
      claude.reply(26, [text('In the shade.')]),
    ])
    const opened = await openPage(origin)
    const { page } = opened
    await page.goto(`${origin}/session/${GARDEN}`)
    await page.getByRole('button', { name: '1 error' }).waitFor()
    await page.getByRole('button', { name: '1 file +1 −1' }).waitFor()
    await page.locator('.resume code').getByText(`--resume=${GARDEN}`).waitFor()
    expect(await broken(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    const facts = (await page.locator('.session-facts').boundingBox())!
    for (const name of ['1 error', '1 file +1 −1']) {
      const { y, height } = (await page.getByRole('button', { name }).boundingBox())!
      expect(y + height / 2).toBeLessThan(facts.y + facts.height)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: '1 file +1 −1' }).click()
    await page.getByRole('tabpanel').getByText('first state against last').waitFor()
    expectNoTrouble(opened)
  })

  it('has an error once that occurs several times in a row, with their number', async () => {
    const failing = (number: number, words: string) => [
      claude.reply(number, [call(`toolu_${number}`, 'Bash', { command: 'ls' })]),
      claude.result(number + 1, `toolu_${number}`, words, true),
    ]
    const { origin } = await servedGarden([
      claude.user(21, 'Where do the ferns grow?', { parentUuid: null }),
      ...[22, 24, 26].flatMap((number) => failing(number, 'no such folder')),
      ...failing(28, 'no permission'),
      ...failing(30, 'no such folder'),
      claude.reply(32, [text('In the shade.')]),
    ])
    const { page } = await openPage(origin)
    await page.goto(`${origin}/session/${GARDEN}`)
    const lines = page.locator('.error-line')
    await lines.nth(2).waitFor()
    expect(await lines.allTextContents()).toEqual(['no such folder ×3', 'no permission', 'no such folder'])
    await page.locator('.run-line').first().click()
    await soon(() => lines.count()).toBe(5)
  })

  it('has the panel before the conversation in the order of the tab key', async () => {
    const { origin } = await servedGarden()
    const { page } = await openPage(origin)
    await page.goto(`${origin}/session/${GARDEN}`)
    await page.locator('.outline button').first().waitFor()
    const order: string = await page.evaluate(
      "document.querySelector('.panel').compareDocumentPosition(document.querySelector('.conversation')) & Node.DOCUMENT_POSITION_FOLLOWING ? 'panel first' : 'conversation first'",
    )
    expect(order).toBe('panel first')
    const [panel, conversation] = [page.locator('.panel'), page.locator('.conversation')]
    expect((await panel.boundingBox())!.x).toBeGreaterThan((await conversation.boundingBox())!.x)
  })
})

describe.skipIf(withoutBrowser)(`the first rows${needs}`, () => {
  useBrowser()

  it.each(['/', '/sessions'])('of %s need six requests and 60 kB at most', async (path) => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    const { page } = opened
    await page.addInitScript(
      `new MutationObserver((_, observer) => {
        if (!document.querySelector('.session-name')) return
        observer.disconnect()
        const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        window.needed = all.map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))
      }).observe(document, { childList: true, subtree: true })`,
    )
    await page.goto(origin + path)
    await page.locator('.session-name').first().waitFor()
    const needed: { name: string; bytes: number }[] = await page.evaluate('window.needed')
    // The stream of events is open all the time, and the sign of the tab holds nothing up.
    const files = needed.filter(({ name }) => !/\/api\/events$|\.svg$/.test(name))
    expect(files.map(({ name }) => new URL(name).pathname).length).toBeLessThanOrEqual(6)
    const code = files.filter(({ name }) => !name.includes('/api/'))
    expect(code.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(60_000)
    expectNoTrouble(opened)
  })
})

describe.skipIf(withoutBrowser)(`going back${needs}`, () => {
  useBrowser()

  it('leads to the place in the list where one was, with its link in focus', async () => {
    const home = temporaryHome()
    for (let number = 1; number <= 300; number++) {
      const sessionId = uuid(1000 + number)
      const at = { sessionId, timestamp: new Date(Date.UTC(2026, 0, 1) + number * 60_000) }
      putClaude(home, sessionId, [claude.user(1, `Question ${number} about ivy?`, at)])
    }
    const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
    const { origin } = await served(flags, { data: join(home, 'data') })
    const opened = await openPage(origin)
    const { page } = opened
    await page.goto(`${origin}/sessions`)
    await page.locator('.session-link').first().waitFor()
    await page.evaluate("document.querySelector('.session-list').scrollTop = 9000")
    const inView = `[...document.querySelectorAll('.session-link')]
      .map((link) => ({ href: link.getAttribute('href'), y: link.getBoundingClientRect().y }))
      .find(({ y }) => y > 400 && y < 600)?.href ?? ''`
    await soon(() => page.evaluate<string>(inView)).not.toBe('')
    await page.getByText('Up to date').waitFor()
    const href = await page.evaluate<string>(inView)
    // The first click shows it beside the list, and Enter opens it.
    await page.locator(`.session-link[href="${href}"]`).click()
    await page.locator('.preview .message').first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.session .message').first().waitFor()
    await page.goBack()
    const same = page.locator(`.session-link[href="${href}"]:focus`)
    await same.waitFor()
    const { y } = (await same.boundingBox())!
    expect([y > 150, y < 800]).toEqual([true, true])
    // A link to the list leads to its beginning.
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.locator('.session-link').first().waitFor()
    expect(await page.evaluate<number>("document.querySelector('.session-list').scrollTop")).toBe(0)
    expectNoTrouble(opened)
  })
})
