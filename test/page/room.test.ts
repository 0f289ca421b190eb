import { describe, expect, it } from 'vitest'
import { call, claude, text } from '../records.ts'
import { needs, openWindow, servedDemo, useBrowser, withoutBrowser } from './browser.ts'
import { GARDEN, servedGarden } from './garden-session.ts'

/** Words of a table that are broken into several lines. */
const BROKEN_WORDS = `[...document.querySelectorAll('.prose td, .prose th')].flatMap((cell) =>
  [...cell.textContent.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = new Range()
    range.setStart(cell.firstChild, index)
    range.setEnd(cell.firstChild, index + word.length)
    return range.getClientRects().length > 1
  }).map(([word]) => word))`

describe.skipIf(withoutBrowser)(`where there is little room${needs}`, () => {
  useBrowser()

  it('the theme and the state of the page stay in sight in a low window', async () => {
    const { origin } = await servedDemo()
    for (const height of [768, 500]) {
      const { page } = await openWindow(origin, { viewport: { width: 1024, height } })
      await page.goto(`${origin}/tags`)
      await page.locator('h1').waitFor()
      for (const name of ['.theme', '.connection']) {
        const box = (await page.locator(name).boundingBox())!
        expect(box.y + box.height).toBeLessThanOrEqual(height)
      }
    }
  })

  it('the actions of a session are on one line of a phone', async () => {
    const { origin } = await servedDemo()
    const { page: phone } = await openWindow(origin, { viewport: { width: 390, height: 844 } })
    await phone.goto(`${origin}/session/e7cf0499`)
    await phone.locator('.net-changes').waitFor()
    const tops = await phone.locator('.session-actions > *').evaluateAll((all) =>
      (all as unknown as { getBoundingClientRect(): { top: number; bottom: number } }[]).map((each) => {
        const { top, bottom } = each.getBoundingClientRect()
        return Math.round((top + bottom) / 2)
      }),
    )
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(8)
  })

  it('a table does not break words, and a sign of a diff is beside a line however long it is', async () => {
    const wide = 'a long cell with very many words '.repeat(20)
    const { origin } = await servedGarden([
      claude.user(21, 'Which ferns?', { parentUuid: null, cwd: '/srv/garden' }),
      claude.reply(22, [
        call('toolu_22', 'Edit', {
          file_path: '/srv/garden/ferns.md',
          old_string: 'sun',
          new_string: 'W'.repeat(5000),
        }),
      ]),
      claude.result(23, 'toolu_22', 'Done.'),
      claude.reply(24, [
        text(`| name | variety | words |\n|---|---|---|\n| polypody | evergreens | ${wide} |`),
      ]),
    ])
    const { page } = await openWindow(origin, { viewport: { width: 390, height: 844 } })
    await page.goto(`${origin}/session/${GARDEN}`)
    await page.locator('.prose td').first().waitFor()
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([])
    await page.goto(`${origin}/edits`)
    await page.locator('.change summary').click()
    await page.locator('.diff-line.added').waitFor()
    const lines = await page.evaluate<number>(`(() => {
      const line = document.querySelector('.diff-line.added')
      const range = new Range()
      range.selectNodeContents(line.childNodes[1])
      return range.getClientRects()[0].top - line.querySelector('.sign').getBoundingClientRect().top
    })()`)
    expect(Math.abs(lines)).toBeLessThan(4)
  })

  it('the long name of a project is broken, not cut off', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/project/${'garden'.repeat(26)}`)
    await page.locator('h1').waitFor()
    const isCut = await page.evaluate<boolean>(
      `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('h1'))`,
    )
    expect(isCut).toBe(false)
  })
})
