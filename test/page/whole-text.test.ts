import { describe, expect, it } from 'vitest'
import { losesLetters } from '../../src/render/whole-markdown.ts'
import { claude, text } from '../records.ts'
import { expectNoTrouble, needs, openWindow, useBrowser, withoutBrowser } from './browser.ts'
import { GARDEN, servedGarden } from './garden-session.ts'

const FORMS = [
  '[urgent]: rollback-now',
  'Done:\n\n[fixed]: src/cart.ts\n[^1]: deprecated',
  '| a | b |\n|---|---|\n| 1 | 2 | lost |',
  '[label](src/cart.ts "title") and ![words](pic.png)',
  '3. three\n7. seven\n\n- [x] done',
  '```ts title=cart.ts\nconst x = 1\n```',
  '$a\\,b$ and \\[ x \\]',
]

describe.skipIf(withoutBrowser)(`the words of a message on the page${needs}`, () => {
  useBrowser()

  it('are all there, whatever form of Markdown they have, of both speakers', async () => {
    const records = FORMS.flatMap((words, index) => [
      claude.user(2 * index + 1, words),
      claude.reply(2 * index + 2, [text(words)]),
    ])
    const { origin } = await servedGarden(records)
    const opened = await openWindow(origin)
    const { page } = opened
    await page.setViewportSize({ width: 1280, height: 4000 })
    await page.goto(`${origin}/session/${GARDEN}`)
    await page.locator('.prose, .plain').getByText('const x = 1').first().waitFor()
    const shown = await page.evaluate(() => {
      const main = document.querySelector('main')!
      const numbers = [...main.querySelectorAll('li')].map((item) => item.value).join(' ')
      const addresses = [...main.querySelectorAll('a')].map((link) => link.getAttribute('href')).join(' ')
      return `${main.textContent} ${numbers} ${addresses}`
    })
    for (const words of [
      'rollback-now',
      '[fixed]: src/cart.ts',
      '[^1]: deprecated',
      'lost',
      'pic.png',
      'title=cart.ts',
      '$a\\,b$',
    ])
      expect(shown.split(words).length - 1, words).toBeGreaterThanOrEqual(2)
    expect(losesLetters(`${FORMS.join('\n')}\n${FORMS.join('\n')}`, shown)).toBe(false)
    expectNoTrouble(opened)
  })
})
