import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { call, claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { expectNoTrouble, needs, openWindow, served, useBrowser, withoutBrowser } from './browser.ts'

const COUNT = 100_000
const LIST = '.conversation-list'

/** A session of so many items: a question, a call and an answer in turn. */
function longSession(): object[] {
  const at = (number: number) => ({
    timestamp: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
    uuid: `0a1b2c3d-1111-4222-8333-${String(number).padStart(12, '0')}`,
    parentUuid: number === 1 ? null : `0a1b2c3d-1111-4222-8333-${String(number - 1).padStart(12, '0')}`,
  })
  return Array.from({ length: COUNT }, (_, index) => {
    const number = index + 1
    if (number === COUNT) return claude.reply(number, [text('This is the very last answer.')], at(number))
    if (number === 1) return claude.user(number, 'This is the very first question.', at(number))
    if (number === COUNT / 2) return claude.user(number, 'Where did the heron nest?', at(number))
    if (number % 3 === 1) return claude.user(number, `Question ${number} about ferns?`, at(number))
    if (number % 3 === 2)
      return claude.reply(
        number,
        [call(`toolu_${number}`, 'Read', { file_path: `/srv/garden/${number}.md` })],
        at(number),
      )
    return claude.reply(number, [text(`Answer ${number}: in the shade.\n\nNot in the sun.`)], at(number))
  })
}

/** The first row whose beginning is in view. */
interface FirstRow {
  row: number
  /** Its distance from the top of the list. */
  top: number
}

const FIRST_ROW = `() => {
  const list = document.querySelector('${LIST}')
  const top = list.getBoundingClientRect().top
  const first = [...list.querySelectorAll('[data-row]')].find((row) => row.getBoundingClientRect().top >= top)
  return { row: Number(first.dataset.row), top: first.getBoundingClientRect().top - top }
}`

/** Scrolls by many screens in each of 20 frames, and reports the rows of the last one. */
const FLING = `new Promise((resolve) => {
  const list = document.querySelector('${LIST}')
  let frames = 0
  const next = () => {
    if (++frames <= 20) {
      list.scrollTop -= 6000
      return requestAnimationFrame(next)
    }
    resolve({
      ...(${FIRST_ROW})(),
      plain: list.querySelectorAll('.row-plain').length,
      complete: list.querySelectorAll('.row:not(.row-plain)').length,
    })
  }
  requestAnimationFrame(next)
})`

describe.skipIf(withoutBrowser)(`a session of 100,000 items${needs}`, () => {
  useBrowser()
  let lines: object[] = []
  beforeAll(() => {
    lines = longSession()
  })

  it('draws plain rows while it scrolls fast, and completes them in place', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(0), lines.slice(0, 6000))
    const { origin } = await served({ claudeDir: [join(home, '.claude')] } as GlobalFlags, {
      data: join(home, 'data'),
    })
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/session/${uuid(0)}`)
    await page.locator(`${LIST} .message`).last().waitFor()
    await page.locator('.outline li').first().waitFor()
    const last = await page.evaluate<FirstRow & { plain: number; complete: number }>(FLING)
    expect(last).toMatchObject({ plain: expect.any(Number), complete: 0 })
    expect(last.plain).toBeGreaterThan(0)
    await page.locator(`${LIST} .row-plain`).first().waitFor({ state: 'detached' })
    await page.locator(`${LIST} .message:not(.waiting)`).first().waitFor()
    const settled = await page.evaluate<FirstRow>(`(${FIRST_ROW})()`)
    expect(settled.row).toBe(last.row)
    expect(Math.abs(settled.top - last.top)).toBeLessThanOrEqual(2)
  })

  it('opens at its end, scrolls to its beginning and back, and finds words in between', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(0), lines)
    const { origin } = await served({ claudeDir: [join(home, '.claude')] } as GlobalFlags, {
      data: join(home, 'data'),
    })
    const opened = await openWindow(origin)
    const { page } = opened
    page.setDefaultTimeout(120_000)
    await page.goto(`${origin}/session/${uuid(0)}`)
    const last = page.locator(LIST).getByText('This is the very last answer.')
    const first = page.locator(LIST).getByText('This is the very first question.')
    await last.waitFor()
    await page.locator('.outline li').first().waitFor()
    expect(await last.isVisible()).toBe(true)
    // A list of all rows would have a hundred times as many.
    expect(await page.locator(`${LIST} [data-row]`).count()).toBeLessThan(200)
    await page.locator(LIST).click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('g')
    await page.keyboard.press('g')
    await first.waitFor()
    expect(await first.isVisible()).toBe(true)
    expect(await last.count()).toBe(0)
    await page.keyboard.press('Shift+G')
    await last.waitFor()
    // Also while nothing in the list has the focus.
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('Home')
    await first.waitFor()
    await page.keyboard.press('End')
    await last.waitFor()
    await page.keyboard.press('/')
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('heron')
    await page.getByText('1 of 1', { exact: true }).waitFor()
    const found = page.locator(LIST).getByText('Where did the heron nest?')
    await found.waitFor()
    expect(await found.isVisible()).toBe(true)
    expectNoTrouble(opened)
  }, 400_000)
})
