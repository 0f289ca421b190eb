import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import {
  expectNoTrouble,
  needs,
  openWindow,
  served,
  settled,
  soon,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

/** Puts a session whose last message is so many minutes old. */
function putFlower(home: string, number: number, minutes: number): string {
  const more = { sessionId: uuid(number), uuid: uuid(number * 10) }
  const timestamp = new Date(Date.now() - minutes * 60_000).toISOString()
  return putClaude(home, uuid(number), [{ ...claude.user(1, `Flower ${number}`, more), timestamp }])
}

/** So many sessions in one list without groups, the first one the newest. */
async function meadow(many: number) {
  const home = temporaryHome()
  const paths = Array.from({ length: many }, (_, number) => putFlower(home, number + 1, 60 + number * 60))
  const { origin } = await served({ claudeDir: [join(home, '.claude')] } as GlobalFlags, {
    data: join(home, 'data'),
  })
  const opened = await openWindow(origin)
  const { page } = opened
  await page.goto(`${origin}/sessions?group=none`)
  await page.locator('.session-name', { hasText: /^Flower 1$/ }).waitFor()
  await settled(page)
  return { home, paths, opened, page }
}

const total = (page: Page, many: number) =>
  page.locator('.total').getByText(`${many} sessions`, { exact: true }).waitFor()

/** The titles of the row that has the focus and of the one that is marked. */
const chosen = (page: Page) =>
  page.evaluate<(string | undefined)[]>(`[
    document.activeElement?.closest('.session-line'),
    document.querySelector('.session-line[data-selected="true"]'),
  ].map((line) => line?.querySelector('.session-name').textContent)`)

describe.skipIf(withoutBrowser)(`a list of sessions that changes${needs}`, () => {
  useBrowser()

  it('keeps the focus and the mark on the session that was chosen, and Enter opens it', async () => {
    const { home, paths, opened, page } = await meadow(8)
    for (let press = 0; press < 4; press++) await page.keyboard.press('j')
    await soon(() => chosen(page)).toEqual(['Flower 4', 'Flower 4'])
    putFlower(home, 21, 3)
    await total(page, 9)
    expect(await chosen(page)).toEqual(['Flower 4', 'Flower 4'])
    // One from below goes to the top.
    const more = { sessionId: uuid(7), uuid: uuid(701), parentUuid: uuid(70) }
    const line = { ...claude.user(2, 'More?', more), timestamp: new Date().toISOString() }
    appendFileSync(paths[6]!, `${JSON.stringify(line)}\n`)
    await page.locator('[data-row="0"] .session-name').getByText('More?').waitFor()
    expect(await chosen(page)).toEqual(['Flower 4', 'Flower 4'])
    await page.keyboard.press('j')
    await soon(() => chosen(page)).toEqual(['Flower 5', 'Flower 5'])
    putFlower(home, 22, 2)
    await total(page, 10)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/session/${uuid(5)}`)
    expectNoTrouble(opened)
  })

  it('shows what is new at its beginning, and pushes nothing away from a person who has scrolled', async () => {
    const { home, opened, page } = await meadow(60)
    const placeOf = (title: string) =>
      page.evaluate<number>(
        `[...document.querySelectorAll('.session-name')].find(({ textContent }) => textContent === '${title}')?.getBoundingClientRect().top`,
      )
    putFlower(home, 101, 5)
    await total(page, 61)
    await page.locator('[data-row="0"] .session-name').getByText('Flower 101').waitFor()
    const list = page.getByRole('region', { name: 'Sessions' })
    expect(await list.evaluate((element) => element.scrollTop)).toBe(0)
    await list.hover()
    await page.mouse.wheel(0, 1500)
    await soon(() => list.evaluate((element) => element.scrollTop)).toBe(1500)
    const before = await placeOf('Flower 26')
    expect(before).toBeGreaterThan(0)
    for (const number of [102, 103, 104]) {
      putFlower(home, number, 105 - number)
      await total(page, number - 40)
      expect(await placeOf('Flower 26')).toBe(before)
    }
    expectNoTrouble(opened)
  })

  it('counts what its filters leave at the same time as its rows', async () => {
    const { home, opened, page } = await meadow(3)
    const facet = page.locator('.facets').getByRole('button', { name: /garden/ })
    await facet.getByText('3', { exact: true }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const many of [4, 5]) {
      putFlower(home, 20 + many, 10 - many)
      await total(page, many)
      await facet.getByText(String(many), { exact: true }).waitFor({ timeout: 5000 })
    }
    const of = (path: string) => asked.filter((each) => each === path).length
    expect(of('/api/facets')).toBe(of('/api/listing'))
    expectNoTrouble(opened)
  })
})
