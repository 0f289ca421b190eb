import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { expectNoTrouble, needs, openPage, served, useBrowser, withoutBrowser } from './browser.ts'

const HEBREW = 'איפה גדלים השרכים בגינה שליד הבית?'
const ARABIC = 'السرخس ينمو في الظل، بعيدا عن الشمس.'
const CHINESE = '蕨类植物生长在树荫下，不喜欢强烈的阳光。'.repeat(8)

describe.skipIf(withoutBrowser)(`text that is not Latin${needs}`, () => {
  useBrowser()

  for (const width of [1440, 390])
    it(`runs in its own direction and fits ${width} pixels`, async () => {
      const home = temporaryHome()
      putClaude(home, uuid(0), [
        claude.user(1, HEBREW),
        claude.reply(2, [text(`${ARABIC} \`--shade\``)]),
        claude.user(3, CHINESE),
        claude.reply(4, [text('In the shade.')]),
      ])
      const { origin } = await served({ claudeDir: [join(home, '.claude')] } as GlobalFlags, {
        data: join(home, 'data'),
      })
      const opened = await openPage(origin, { viewport: { width, height: 844 } })
      const { page } = opened
      const directionOf = (words: string): Promise<string> =>
        page
          .getByText(words.slice(0, 12))
          .first()
          .evaluate((element) => getComputedStyle(element).direction)
      for (const path of [`/session/${uuid(0)}`, '/sessions', '/']) {
        await page.goto(origin + path)
        await page.getByText(HEBREW.slice(0, 12)).first().waitFor()
        expect([path, await directionOf(HEBREW)]).toEqual([path, 'rtl'])
        const wide = await page.evaluate(
          '[document.documentElement, ...document.querySelectorAll("main, .windowed")].some((element) => element.scrollWidth > element.clientWidth)',
        )
        expect([path, wide]).toEqual([path, false])
      }
      await page.goto(`${origin}/session/${uuid(0)}`)
      await page.getByText(ARABIC.slice(0, 12)).first().waitFor()
      expect(await directionOf(ARABIC)).toBe('rtl')
      expect(await directionOf(CHINESE)).toBe('ltr')
      // In a sentence from right to left, too, a flag begins with its dashes.
      const isInOrder = await page
        .locator('.prose code')
        .first()
        .evaluate((element) => {
          const leftOf = (index: number): number => {
            const range = document.createRange()
            range.setStart(element.firstChild!, index)
            range.setEnd(element.firstChild!, index + 1)
            return range.getBoundingClientRect().left
          }
          return leftOf(0) < leftOf(2)
        })
      expect(isInOrder).toBe(true)
      await page.goto(`${origin}/search?q=${encodeURIComponent('植物生长')}`)
      await page.locator('.hit mark').first().waitFor()
      await page.goto(`${origin}/search?q=${encodeURIComponent('השרכים')}`)
      const hit = page.locator('.hit-words').first()
      await hit.waitFor()
      expect(await hit.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
      expectNoTrouble(opened)
    })
})
