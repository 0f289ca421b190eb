import { describe, expect, it } from 'vitest'
import { call, claude, text } from '../records.ts'
import {
  broken,
  expectNoTrouble,
  needs,
  openWindow,
  servedDemo,
  soon,
  useBrowser,
  withoutBrowser,
} from './browser.ts'
import { GARDEN, servedGarden } from './garden-session.ts'

const SESSION = '/session/21c10370-341b-4cb3-b1ad-8aa6dbfb1e51'

/** What the record of a result states where there was no file before. */
const CREATED = { toolUseResult: { type: 'create', originalFile: null } }

describe.skipIf(withoutBrowser)(`the changes of a session${needs}`, () => {
  useBrowser()

  it('are all open beside a tree, are marked as viewed, and are copied as a patch', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = opened
    await page.goto(origin + SESSION)
    await page.getByRole('button', { name: '4 files +13 −2' }).click()
    await page.locator('.hunk').first().waitFor()
    const files = await page.locator('.file-review').count()
    expect(await page.locator('.review-file').count()).toBe(files)
    expect(await page.locator('.hunk').count()).toBeGreaterThanOrEqual(files)
    await page.getByLabel('Viewed').first().check()
    await page.getByText('1 viewed').waitFor()
    await page.reload()
    await page.locator('.conversation .message').first().waitFor()
    await page.keyboard.press('d')
    await page.getByText('1 viewed').waitFor()
    await page.getByLabel('Viewed').first().uncheck()
    await page.getByRole('button', { name: 'Copy as patch' }).click()
    await page.getByText(/^Copied a patch of/).waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^diff --git a\//)
    expect(await broken(page)).toEqual([])
    expectNoTrouble(opened)
  })

  it('lead to the message that caused them, and its edit leads back', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(origin + SESSION)
    await page.locator('.conversation .message').first().waitFor()
    await page.keyboard.press('d')
    const file = page.locator('.file-review', { hasText: 'in-turn.js' })
    await file.getByRole('button', { name: 'Why is this here?' }).click()
    await file.getByText('More waiting is the retry in other clothes.').waitFor()
    await file.getByRole('link', { name: 'See it in the conversation' }).click()
    await page.waitForURL(`**${SESSION}/*`)
    await page.getByRole('button', { name: 'Hide the panel' }).click()
    const edit = page.locator('.conversation .diff-figure', { hasText: 'in-turn.js' })
    await edit.getByRole('button', { name: 'All changes of it' }).click()
    await page.locator('.review').waitFor()
    expectNoTrouble(opened)
  })

  it('tell for each line of a hunk which prompt led to it, as two may have written it', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/session/1154d7d3-9dbe-48b3-a91b-9531672c87c9`)
    await page.locator('.conversation .message').first().waitFor()
    await page.keyboard.press('d')
    const file = page.locator('.file-review', { hasText: '002_order_lines_index.sql' })
    await file.getByRole('button', { name: 'Why is this here?' }).click()
    const reasons = file.locator('.why')
    await reasons.nth(1).waitFor()
    const words = await reasons.allTextContents()
    expect(words[0]).toMatch(/^line 1You asked The orders page in the back office takes four seconds/)
    expect(words[1]).toMatch(/^line 2You asked Is there any other foreign key/)
  })

  it('tell why a hunk removes lines, and name each file and change for those who hear the page', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/session/b4a22c68`)
    await page.locator('.conversation .message').first().waitFor()
    await page.keyboard.press('d')
    const file = page.locator('.file-review', { hasText: 'events.js' })
    await file.getByRole('button', { name: 'Why was this removed?' }).click()
    await file.locator('.why').getByText('You asked').first().waitFor()
    const levels = await page
      .locator('main :is(h1, h2, h3)')
      .evaluateAll((all) => (all as unknown as { tagName: string }[]).map(({ tagName }) => tagName))
    expect(levels).not.toContain('H3')
    const names = await page
      .locator('.diff')
      .evaluateAll((all) =>
        (all as unknown as { getAttribute(name: string): string }[]).map((each) =>
          each.getAttribute('aria-label'),
        ),
      )
    expect(new Set(names).size).toBe(names.length)
    expect(names[0]).toMatch(/, line \d+$/)
    expect(await page.locator('pre[role="region"]').count()).toBe(0)
  })

  it('are copied without a file that is recorded only in part, which is named', async () => {
    const edit = (number: number, name: string, input: object): object[] => [
      claude.reply(number, [call(`toolu_${number}`, name, input)]),
      { ...claude.result(number + 1, `toolu_${number}`, 'Done.'), ...(name === 'Write' && CREATED) },
    ]
    const { origin } = await servedGarden([
      claude.user(21, 'Write down the moss, and mend the ferns', { parentUuid: null, cwd: '/srv/garden' }),
      ...edit(22, 'Write', { file_path: '/srv/garden/moss.md', content: 'Moss\n' }),
      ...edit(24, 'Edit', { file_path: '/srv/garden/ferns.md', old_string: 'sun', new_string: 'shade' }),
    ])
    const { page } = await openWindow(origin, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${origin}/session/${GARDEN}`)
    await page.locator('.conversation .message').first().waitFor()
    await page.keyboard.press('d')
    await page.getByRole('button', { name: 'Copy as patch' }).click()
    await page
      .getByText(/^Copied a patch of 1 file\. 1 file is not in the patch: .*ferns\.md is only in part/)
      .waitFor()
  })
})

describe.skipIf(withoutBrowser)(`the errors of a session${needs}`, () => {
  useBrowser()

  it('are reached forward and backward by a click, and by a list', async () => {
    const failing = (number: number, words: string) => [
      claude.reply(number, [call(`toolu_${number}`, 'Bash', { command: 'ls' })]),
      claude.result(number + 1, `toolu_${number}`, words, true),
    ]
    const { origin } = await servedGarden([
      claude.user(21, 'Where do the ferns grow?', { parentUuid: null }),
      ...failing(22, 'no such fern'),
      claude.reply(24, [text('Not there.')]),
      ...failing(26, 'no such moss'),
      claude.reply(28, [text('Nor there.')]),
      ...failing(30, 'no such ivy'),
      claude.reply(32, [text('In the shade.')]),
    ])
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/session/${GARDEN}`)
    const number = page.locator('.errors .error-words')
    await number.getByText('3 errors', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Previous error' }).click()
    await number.getByText('Error 3 of 3', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Previous error' }).click()
    await number.getByText('Error 2 of 3', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next error' }).click()
    await number.getByText('Error 3 of 3', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'List of errors' }).click()
    const list = page.getByRole('list', { name: /^Errors/ })
    await soon(() => list.locator('.error-text').allTextContents()).toEqual([
      'no such ivy',
      'no such moss',
      'no such fern',
    ])
    expect(await broken(page)).toEqual([])
    await list.getByText('no such fern').click()
    await number.getByText('Error 1 of 3', { exact: true }).waitFor()
    expectNoTrouble(opened)
  })
})
