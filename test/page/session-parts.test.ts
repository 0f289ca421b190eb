import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { call, claude, put, text } from '../records.ts'
import {
  broken,
  expectNoTrouble,
  needs,
  type OpenedPage,
  openWindow,
  useBrowser,
  withoutBrowser,
} from './browser.ts'
import { GARDEN, servedGarden, sharedGarden } from './garden-session.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const LONG = `white ${'paint '.repeat(40)}`.trim()
const PARAGRAPHS = Array.from({ length: 30 }, (_, index) => `Paragraph ${index} about fences.`).join('\n\n')
const FENCE = '/home/ann/garden/fence.txt'
const GATE = '/home/ann/garden/gate.txt'

const edit = (path: string, before: string, after: string) => ({
  ...{ file_path: path, old_string: before, new_string: after },
})
const used = (number: number, tokens: number) => ({
  message: {
    ...claude.reply(number, [text(PARAGRAPHS)]).message,
    usage: { input_tokens: tokens, output_tokens: 5 },
  },
})

/** The line of a record is its number minus 20. */
const LINES = [
  claude.user(21, '', {
    parentUuid: null,
    message: {
      role: 'user',
      content: [
        text('Paint the **fence** like this.'),
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ],
    },
  }),
  claude.reply(22, [], used(22, 1000)),
  claude.reply(23, [call('toolu_23', 'Edit', edit(FENCE, 'brown', 'green'))]),
  claude.result(24, 'toolu_23', 'The file was changed.'),
  claude.reply(25, [text('Now the gate.')]),
  claude.reply(26, [call('toolu_26', 'Task', { description: 'Paint the gate', prompt: 'Paint it.' })]),
  claude.result(27, 'toolu_26', 'Done.'),
  claude.reply(28, [text('And the ladder.')]),
  claude.reply(29, [call('toolu_29', 'Bash', { command: 'fetch ladder' })]),
  claude.result(30, 'toolu_29', 'there is no ladder', true),
  {
    ...claude.user(31, ''),
    ...{ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', message: undefined },
    compactMetadata: { trigger: 'auto', preTokens: 1000 },
  },
  claude.reply(32, [], used(32, 9000)),
  claude.reply(33, [text('All is painted.')]),
]

const { home, server } = sharedGarden(LINES)
const helper = { isSidechain: true, agentId: 'a1', sessionId: GARDEN }
put(join(home, '.claude/projects/-home-ann-garden', GARDEN, 'subagents/agent-a1.jsonl'), [
  claude.user(26, 'Paint it.', { ...helper, parentUuid: null }),
  claude.reply(27, [call('toolu_127', 'Edit', edit(GATE, 'grey\nlatch', `${LONG}\nlatch`))], helper),
  claude.result(28, 'toolu_127', 'The file was changed.'),
])

/** The page of a session, with a subagent that changed a file, and permission to copy. */
async function openGarden(origin?: string): Promise<OpenedPage> {
  origin ??= (await server()).origin
  const opened = await openWindow(origin, { permissions: ['clipboard-read', 'clipboard-write'] })
  await opened.page.goto(`${origin}/session/${GARDEN}`)
  await opened.page.locator('.message').getByText('All is painted.').waitFor()
  await opened.page.locator('.outline button').first().waitFor()
  return opened
}

/** How many colors the strip has. */
const COLORS = `(() => {
  const canvas = document.querySelector('.minimap canvas')
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  const colors = new Set()
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) colors.add(data.slice(at, at + 3).join())
  return colors.size
})()`
const SCROLLED = 'document.querySelector(".conversation-list").scrollTop'
const WIDTH_OF_IMAGE = 'document.querySelector(".pictures img")?.naturalWidth'

/** What was copied, once the page says that it was. */
async function copied(page: Page, what: string): Promise<string> {
  await page.getByText(`Copied ${what}`).waitFor()
  return page.evaluate('navigator.clipboard.readText()')
}

/** Waits until the server has stored what an action changes, which the page shows before. */
const stored = (page: Page, action: () => Promise<void>): Promise<unknown> =>
  Promise.all([page.waitForResponse('**/api/tag'), action()])

const openTab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click()

describe.skipIf(withoutBrowser)(`the parts of a session${needs}`, () => {
  useBrowser()

  it('include a strip of the whole session, and a click on it leads there', async () => {
    const opened = await openGarden()
    const { page } = opened
    // The human, the agent, the calls, the error and the marker.
    await expect.poll(() => page.evaluate(COLORS), { timeout: 120_000 }).toBeGreaterThanOrEqual(5)
    const strip = page.locator('.minimap')
    // The strip moves when the last facts above it come, so a click finds it anew.
    await strip.click({ position: { x: 24, y: 2 } })
    await page.getByText('like this.').first().waitFor()
    await expect.poll(() => page.evaluate(SCROLLED), { timeout: 120_000 }).toBe(0)
    // It gets shorter when the last facts come between a look at its height and the click.
    await vi.waitFor(
      async () => {
        const { height } = (await strip.boundingBox())!
        await strip.click({ position: { x: 24, y: height - 2 }, timeout: 2000 })
      },
      { timeout: 120_000 },
    )
    await page.getByRole('button', { name: 'To the end' }).waitFor({ state: 'detached' })
    expectNoTrouble(opened)
  })

  it('include an outline, which marks where the view is, and a click on it leads there', async () => {
    const opened = await openGarden()
    const { page } = opened
    const marked = page.locator('.outline button[aria-current="true"]')
    // At once, and not only when the list is scrolled.
    await marked.waitFor()
    await page.keyboard.press('Home')
    await marked.getByText('Paint the **fence** like this.').waitFor()
    await page.locator('.outline button').getByText('compaction').click()
    await page.locator('.row-body[aria-current="true"] .marker').waitFor()
    expect(await marked.count()).toBe(1)
    expectNoTrouble(opened)
  })

  it('include the curve of the context, and a click on it leads to the reply', async () => {
    const opened = await openGarden()
    const { page } = opened
    const curve = page.getByRole('img', { name: /^Context of up to 9.* tokens over \d+ replies$/ })
    const { height } = (await curve.boundingBox())!
    await curve.click({ position: { x: 1, y: height / 2 } })
    await page.getByText('Paragraph 0 about fences.').first().waitFor()
    await page.getByRole('button', { name: 'To the end' }).waitFor()
    expectNoTrouble(opened)
  })

  it('include images, which are fetched when somebody asks for them', async () => {
    const opened = await openGarden()
    const { page } = opened
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/image')) asked.push(request.url())
    })
    await page.keyboard.press('Home')
    const chip = page.locator('.media button')
    await chip.waitFor()
    expect(await page.locator('.pictures img').count()).toBe(0)
    expect(asked).toEqual([])
    await chip.click()
    await expect.poll(() => page.evaluate(WIDTH_OF_IMAGE), { timeout: 120_000 }).toBe(1)
    expect(asked).toHaveLength(1)
    expectNoTrouble(opened)
  })

  it('include a link at messages, calls, errors and markers', async () => {
    const opened = await openGarden()
    const { page } = opened
    const links = [
      ['.message', 'All is painted.', 13],
      ['.marker', 'The context was compacted', 11],
      ['.run-head', 'fetch ladder', 9],
      ['.error-row', 'there is no ladder', 10],
    ] as const
    for (const [part, words, line] of links) {
      await page.locator(part, { hasText: words }).locator('.message-link').click()
      await page.waitForURL(`**/session/${GARDEN}/${line}`)
      await page.locator('.row-body[aria-current="true"]').getByText(words).first().waitFor()
    }
    expectNoTrouble(opened)
  })

  it('are copied as Markdown: a message, and the whole session', async () => {
    const opened = await openGarden()
    const { page } = opened
    await page.keyboard.press('Home')
    await page.locator('.message', { hasText: 'like this.' }).hover()
    await page
      .locator('.message', { hasText: 'like this.' })
      .getByRole('button', { name: 'Copy as Markdown' })
      .click()
    expect(await copied(page, 'the message')).toBe('Paint the **fence** like this.')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.locator('.menu').getByText('Copy as Markdown').click()
    const whole = await copied(page, 'the session as Markdown')
    expect(whole).toContain('Paint the **fence** like this.')
    expect(whole).toContain('All is painted.')
    expect(await page.locator('.menu').count()).toBe(0)
    expectNoTrouble(opened)
  })

  it('are saved as Markdown, as a web page and as JSON', async () => {
    const opened = await openGarden()
    const { page } = opened
    const formats = [
      ['Save as Markdown', '.md', 'Paint the **fence** like this.'],
      ['Save as a web page', '.html', '<!doctype html>'],
      ['Save as JSON', '.json', '"All is painted."'],
    ] as const
    for (const [name, ending, words] of formats) {
      await page.getByRole('button', { name: 'Export' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ])
      expect(download.suggestedFilename().endsWith(ending)).toBe(true)
      expect(readFileSync(await download.path(), 'utf8')).toContain(words)
    }
  })

  it('include the command that resumes it, to be copied', async () => {
    const opened = await openGarden()
    const { page } = opened
    await page.locator('.resume').getByText(`--resume=${GARDEN}`).waitFor()
    await page.getByRole('button', { name: 'Copy the command', exact: true }).click()
    expect(await copied(page, 'the command')).toContain(`--resume=${GARDEN}`)
    expectNoTrouble(opened)
  })

  it('include a name and tags of one’s own, which stay', async () => {
    const { origin } = await servedGarden(LINES)
    const opened = await openGarden(origin)
    const { page } = opened
    await openTab(page, 'Details')
    await page.getByLabel('Your name for it').fill('The green fence')
    await stored(page, () => page.getByLabel('Your name for it').press('Enter'))
    await page.getByRole('heading', { name: 'The green fence' }).waitFor()
    for (const tag of ['paint', 'ladder']) {
      await page.getByLabel('Tags', { exact: true }).fill(tag)
      await stored(page, () => page.getByLabel('Tags', { exact: true }).press('Enter'))
      await page.getByRole('button', { name: `Remove the tag ${tag}` }).waitFor()
    }
    await stored(page, () => page.getByRole('button', { name: 'Remove the tag ladder' }).click())
    await page.getByRole('button', { name: 'Remove the tag ladder' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'The green fence' }).waitFor()
    await openTab(page, 'Details')
    await page.getByRole('button', { name: 'Remove the tag paint' }).waitFor()
    expect(await page.getByRole('button', { name: 'Remove the tag ladder' }).count()).toBe(0)
    expectNoTrouble(opened)
  })

  it('include what it changed in files, with the changes of a subagent', async () => {
    const opened = await openGarden()
    const { page } = opened
    await openTab(page, 'Changes')
    await page.getByRole('tabpanel').getByText('2 files').waitFor()
    const linesOf = async (name: string): Promise<string[]> => {
      const change = page.locator('.file-review', { hasText: name })
      await change.scrollIntoViewIfNeeded()
      await change.locator('.diff-line').first().waitFor()
      return (await change.locator('.diff-line').allInnerTexts()).map((line) => line.trimEnd())
    }
    expect(await linesOf('fence.txt')).toEqual(['−brown', '+green'])
    expect(await linesOf('gate.txt')).toEqual(['−grey', `+${LONG}`, ' latch'])
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const cut = await page.evaluate(
        '[...document.querySelectorAll(".file-review .diff")].some((diff) => diff.scrollWidth > diff.clientWidth)',
      )
      expect({ width, cut }).toEqual({ width, cut: false })
    }
    expect(await broken(page)).toEqual([])
    expectNoTrouble(opened)
  })
})
