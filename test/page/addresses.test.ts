import { describe, expect, it } from 'vitest'
import type { ListingAnswer } from '../../ui/api/ask.ts'
import {
  asked,
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

describe.skipIf(withoutBrowser)(`the addresses of the page${needs}`, () => {
  useBrowser()

  it('show the message that they name', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    await opened.page.goto(`${origin}${SESSION}/11`)
    const chosen = opened.page.locator('[aria-current="true"].row-body')
    await chosen.getByText('More waiting is the retry in other clothes').waitFor()
    expectNoTrouble(opened)
  })

  it('open the tool call that they name, which can be closed again', async () => {
    const { origin } = await servedGarden()
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/session/${GARDEN}/6`)
    const run = page.locator('[aria-current="true"] .run')
    await run.getByText('They sleep under leaves.').waitFor()
    await run.locator('> .run-head .run-line').click()
    await page.locator('.run[data-open="false"]').waitFor()
    expect(await page.getByText('They sleep under leaves.').count()).toBe(0)
    expectNoTrouble(opened)
  })

  it('take the filters, and going back takes them away', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/sessions`)
    const orders = page.locator('.session-link', { hasText: 'Orders page takes four seconds' })
    await orders.waitFor()
    await page.locator('.facet-value', { hasText: 'web' }).click()
    await page.waitForURL('**/sessions?q=project%3Aweb')
    await orders.waitFor({ state: 'detached' })
    await page.getByLabel('Words and filters').fill('project:web kind:human twice')
    await page.waitForURL('**/sessions?q=project%3Aweb+kind%3Ahuman+twice')
    const twice = page.locator('.session-link', { hasText: 'Pay button sends the order twice' })
    // The list of the words before is still there for a moment.
    const search = new URLSearchParams({ query: 'project:web kind:human twice', all: 'true', limit: '1' })
    const { total } = await asked<ListingAnswer>(page, `/api/listing?${search}`)
    await soon(() => page.locator('.session-link').count()).toBe(total)
    await twice.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/session/*')
    await page.goBack()
    await page.waitForURL('**/sessions?q=project%3Aweb+kind%3Ahuman+twice**')
    expect(await page.getByLabel('Words and filters').inputValue()).toBe('project:web kind:human twice')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.waitForURL('**/sessions')
    await orders.waitFor()
    expectNoTrouble(opened)
  })

  it('open a search with its words and filters, each match a link to its message', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/search?q=teapot&who=human`)
    const hit = page.locator('.hit').first()
    await hit.waitFor()
    expect(await hit.getAttribute('href')).toMatch(/^\/session\/[^/]+\/\d+\?find=/)
    await hit.click()
    await page.locator('[aria-current="true"].row-body').first().waitFor()
    expectNoTrouble(opened)
  })

  it('say what to do if nothing is there', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/session/00000000-0000-4000-8000-000000000000`)
    await page.getByText('There is no such session').waitFor()
    await page.getByRole('link', { name: 'See all sessions' }).click()
    await page.waitForURL('**/sessions')
  })
})
