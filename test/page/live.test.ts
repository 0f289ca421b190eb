import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { token } from '../http/page-server.ts'
import { call, claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'
import {
  expectNoTrouble,
  needs,
  openPage,
  openWindow,
  served,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

const flagsOf = (home: string): GlobalFlags => ({ claudeDir: [join(home, '.claude')] }) as GlobalFlags

const PARAGRAPHS = Array.from({ length: 12 }, (_, index) => `Paragraph ${index} about ferns.`).join('\n\n')

/** How far the list is scrolled, and where its first messages are on the screen. */
const PLACES = `[
  document.querySelector('.conversation-list').scrollTop,
  ...[...document.querySelectorAll('.message')].slice(0, 3).map((message) => message.getBoundingClientRect().top),
]`

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
    const opened = await openWindow(origin, { viewport: { width: 1280, height: 700 } })
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
    // Not at the very beginning, where nothing could move it.
    await page.mouse.wheel(0, 150)
    const places = () => page.evaluate<number[]>(PLACES)
    await expect.poll(async () => (await places())[0], { timeout: 120_000 }).toBe(150)
    const before = await places()
    write(claude.reply(6, [text('It grows on the north side.')]))
    await page.getByRole('button', { name: '1 new item' }).waitFor()
    expect(await places()).toEqual(before)
    await page.getByRole('button', { name: '1 new item' }).click()
    await page.getByText('It grows on the north side.').waitFor()
    await page.locator('.unread-mark').waitFor()
    expectNoTrouble(opened)
  })

  it('is followed without a growing blank below its last message', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(0), [claude.user(1, 'Where do the ferns grow?')])
    const { origin } = await served(flagsOf(home), { data: join(home, 'data') })
    const opened = await openWindow(origin, { viewport: { width: 1280, height: 700 } })
    const { page } = opened
    page.setDefaultTimeout(120_000)
    await page.goto(`${origin}/session/${uuid(0)}`)
    await page.getByText('Up to date').waitFor()
    for (let number = 2; number < 42; number += 2) {
      const lines = [
        claude.reply(number, [text(`Answer ${number}.`)]),
        claude.user(number + 1, `Question ${number}?`),
      ]
      appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      await page.locator('.message').getByText(`Question ${number}?`).waitFor()
    }
    /** From the last row to the end of what can be scrolled, in pixels. */
    const blank = () =>
      page.evaluate<number>(`(() => {
        const rows = [...document.querySelectorAll('.conversation .row')]
        const last = Math.max(...rows.map((row) => row.getBoundingClientRect().bottom))
        const list = document.querySelector('.conversation-list')
        return list.getBoundingClientRect().top + list.scrollHeight - list.scrollTop - last
      })()`)
    await expect.poll(blank, { timeout: 120_000 }).toBeLessThan(8)
    expectNoTrouble(opened)
  }, 400_000)

  it('is followed by its outline, its figures, its curve and what is found in it', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(0), [
      claude.user(1, 'Where do the ferns grow?'),
      claude.reply(2, [text('In the shade, beside the moss.')]),
      claude.user(3, 'And the ivy?'),
      claude.reply(4, [text('On the wall.')]),
    ])
    const write = (line: object) => appendFileSync(path, `${JSON.stringify(line)}\n`)
    const { origin } = await served(flagsOf(home), { data: join(home, 'data') })
    const opened = await openWindow(origin)
    const { page } = opened
    page.setDefaultTimeout(120_000)
    await page.goto(`${origin}/session/${uuid(0)}`)
    await page.getByText('Up to date').waitFor()
    await page.locator('.session-facts').getByText('4 messages').waitFor()
    await page.locator('.session-facts').getByText('16 tokens').waitFor()
    await page.getByRole('img', { name: 'over 2 replies' }).waitFor()
    await page.keyboard.press('/')
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('moss')
    await page.getByText('1 of 1', { exact: true }).waitFor()
    for (const number of [5, 7, 9]) {
      write(claude.user(number, `Question ${number} about moss?`))
      write(claude.reply(number + 1, [text(`Answer ${number}.`)]))
      await page.locator('.outline button').getByText(`Question ${number} about moss?`).waitFor()
    }
    await page.locator('.session-facts').getByText('10 messages').waitFor()
    await page.locator('.session-facts').getByText('40 tokens').waitFor()
    await page.getByRole('img', { name: 'over 5 replies' }).waitFor()
    await page.getByText('1 of 4', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByText('4 of 4', { exact: true }).waitFor()
    await page.locator('.message').getByText('Question 9 about moss?').waitFor()
    // A link to what was written since leads there.
    await page.locator('.message', { hasText: 'Question 7 about moss?' }).locator('.message-link').click()
    await page.waitForURL('**/session/*/7')
    await page.locator('[aria-current="true"].row-body').getByText('Question 7 about moss?').waitFor()
    expectNoTrouble(opened)
  }, 400_000)

  it('shows a subagent that starts meanwhile, and follows it where it was opened', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(0), [claude.user(1, 'Please look after the ferns.')])
    const { origin } = await served(flagsOf(home), { data: join(home, 'data') })
    const opened = await openWindow(origin)
    const { page } = opened
    page.setDefaultTimeout(120_000)
    await page.goto(`${origin}/session/${uuid(0)}`)
    await page.getByText('Up to date').waitFor()
    await page.locator('.message').getByText('Please look after the ferns.').waitFor()
    const started = { description: 'Water the ferns', prompt: 'Water them.' }
    appendFileSync(path, `${JSON.stringify(claude.reply(2, [call('toolu_2', 'Task', started)]))}\n`)
    await page.locator('.run-name').getByText('Task').waitFor()
    const helper = { isSidechain: true, agentId: 'a1' }
    const beside = put(join(home, '.claude/projects/-home-ann-garden', uuid(0), 'subagents/agent-a1.jsonl'), [
      claude.user(2, 'Water them.', { ...helper, parentUuid: null }),
    ])
    await page.locator('.subagent-open').click()
    const nested = page.locator('.nested')
    await nested.getByText('Water them.').waitFor()
    const write = (line: object) => appendFileSync(beside, `${JSON.stringify(line)}\n`)
    write(claude.reply(3, [call('toolu_3', 'Bash', { command: 'water --slowly' })], helper))
    await nested.locator('.run-name').getByText('water --slowly').waitFor()
    write(claude.reply(4, [text('All ferns are wet.')], helper))
    await nested.getByText('All ferns are wet.').waitFor()
    await page.locator('.outline button').getByText('Water').waitFor()
    await page.locator('.subagent-facts').getByText('1 call').waitFor()
    expectNoTrouble(opened)
  }, 400_000)

  it('says that the server is gone, and catches up when it is back and the browser has signed in', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(0), [claude.user(1, 'Where do the ferns grow?')])
    const data = join(home, 'data')
    const first = await served(flagsOf(home), { data })
    const { page } = await openWindow(first.origin)
    await page.goto(`${first.origin}/session/${uuid(0)}`)
    await page.getByText('Up to date').waitFor()
    await page.locator('.message').getByText('Where do the ferns grow?').waitFor()
    await first.close()
    await page.locator('.banner').getByText('The server does not answer').waitFor()
    appendFileSync(path, `${JSON.stringify(claude.reply(2, [text('In the shade.')]))}\n`)
    await served(flagsOf(home), { data, port: first.port })
    // Another start is another server, which knows no browser yet.
    await page.locator('.banner').getByText('This browser is not signed in').waitFor()
    expect(await page.locator('.banner').getByText('The server does not answer').count()).toBe(0)
    const other = await page.context().newPage()
    await other.goto(`${first.origin}/?token=${token}`)
    await page.getByText('Up to date').waitFor()
    await page.getByText('In the shade.').waitFor()
    expect(await page.getByText('not signed in').count()).toBe(0)
  })

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
  })
})
