import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { FacetsAnswer, ListingAnswer, SearchAnswer, StatsAnswer } from '../../ui/api/ask.ts'
import { count } from '../../ui/text/format.ts'
import {
  asked,
  expectNoTrouble,
  needs,
  openPage,
  openWindow,
  servedDemo,
  soon,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

/** A control of the statistics, what it is set to, and what the address has then. */
interface Control {
  name: string
  how: 'choose' | 'fill' | 'press'
  value?: string
  address: string
}

const STATISTICS: readonly Control[] = [
  { name: 'Project', how: 'choose', value: 'web', address: 'project=web' },
  { name: 'Client', how: 'choose', value: 'openclaw', address: 'platform=openclaw' },
  { name: 'Agent', how: 'choose', value: 'ops', address: 'agent=ops' },
  { name: '7 days', how: 'press', address: 'since=7d' },
  { name: 'From', how: 'fill', value: '2026-11-01', address: 'since=2026-11-01' },
  { name: 'Until', how: 'fill', value: '2026-10-10', address: 'until=2026-10-10' },
]

async function set(page: Page, { name, how, value = '' }: Control): Promise<void> {
  if (how === 'choose') await page.getByRole('combobox', { name, exact: true }).selectOption(value)
  else if (how === 'fill') await page.getByLabel(name, { exact: true }).fill(value)
  else await page.getByRole('radio', { name, exact: true }).check()
}

/** The query in the address of the page. */
const queryIn = (page: Page): string => new URL(page.url()).searchParams.get('q') ?? ''

const sessionsIn = (total: number): string => `${count(total)} ${total === 1 ? 'session' : 'sessions'}`

/** How many sessions the list has for a query. */
async function totalOf(page: Page, query: string, more = ''): Promise<number> {
  const search = new URLSearchParams({ ...(query && { query }), all: 'true', limit: '1' })
  return (await asked<ListingAnswer>(page, `/api/listing?${search}${more}`)).total
}

const shows = (page: Page, total: number): Promise<void> =>
  page.locator('.total').getByText(sessionsIn(total), { exact: true }).waitFor()

/** A day is asked for as a moment, in the zone of the reader, which is UTC here. */
const momentsIn = (query: string): string =>
  query.replace(/\b(after|before):(\d{4}-\d\d-\d\d)/g, '$1:$2T00:00:00.000Z')

describe.skipIf(withoutBrowser)(`every filter${needs}`, () => {
  useBrowser()

  it('of the sessions fills the query by one click, and shows as many as it says', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    await page.goto(`${origin}/sessions`)
    const facets = await asked<FacetsAnswer>(page, '/api/facets?all=true')
    const chips = page.locator('.facet-value', { has: page.locator('.facet-count') })
    await chips.first().waitFor()
    const many = await chips.count()
    for (let index = 0; index < many; index++) {
      const chip = chips.nth(index)
      const shown = Number(await chip.locator('.facet-count').textContent())
      await chip.click()
      await soon(() => queryIn(page)).not.toBe('')
      const query = queryIn(page)
      const [, name = '', value = ''] = /^(\w+):"?([^"]+)"?$/.exec(query) ?? []
      const known = facets[name as 'agent' | 'project'].find((each) => each.value === value)
      expect({ query, sessions: known?.sessions }).toEqual({ query, sessions: shown })
      expect({ query, total: await totalOf(page, query) }).toEqual({ query, total: shown })
      await shows(page, shown)
      await chip.click()
      await soon(() => queryIn(page)).toBe('')
    }
    await chips.nth(0).click()
    await soon(() => queryIn(page)).not.toBe('')
    const chosen = queryIn(page)
    await chips.nth(1).click()
    await soon(() => queryIn(page)).not.toBe(chosen)
    await page.goBack()
    await soon(() => queryIn(page)).toBe(chosen)
    expectNoTrouble(opened)
  })

  it('of the sessions that is in a menu does the same, and several values are alternatives', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin)
    await page.goto(`${origin}/sessions`)
    await page.getByRole('button', { name: 'Kind', exact: true }).click()
    await page.getByRole('button', { name: /^Scheduled/ }).click()
    await soon(() => queryIn(page)).toBe('kind:cron')
    await page.getByRole('button', { name: /^Program/ }).click()
    await soon(() => queryIn(page)).toBe('kind:cron kind:program')
    await shows(page, await totalOf(page, 'kind:cron kind:program'))
    await page.keyboard.press('Escape')
    expect(await page.locator('.panel-menu').count()).toBe(0)
    await page.getByRole('button', { name: 'Today', exact: true }).click()
    await soon(() => queryIn(page)).toBe('kind:cron kind:program after:today')
    await page.getByRole('button', { name: '7 d', exact: true }).click()
    await soon(() => queryIn(page)).toBe('kind:cron kind:program after:7d')
    await page.getByRole('button', { name: 'Dates' }).click()
    await page.getByLabel('From').fill('2026-11-01')
    await page.getByLabel('Until').fill('2026-11-10')
    await soon(() => queryIn(page)).toBe('kind:cron kind:program after:2026-11-01 before:2026-11-11')
    await shows(page, await totalOf(page, momentsIn(queryIn(page))))
  })

  it('of the sessions can be typed, in the language of the search', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    await page.goto(`${origin}/sessions`)
    for (const query of [
      'flaky',
      'project:web -kind:cron',
      'tool:Bash',
      'model:opus who:human',
      'is:starred',
    ]) {
      await page.getByLabel('Words and filters').fill(query)
      await soon(() => queryIn(page)).toBe(query)
      const total = await totalOf(page, query)
      expect({ query, found: total > 0 }).toEqual({ query, found: true })
      await shows(page, total)
    }
    await page.getByLabel('Words and filters').fill('zzzz')
    await page.getByText('No session matches').waitFor()
    expectNoTrouble(opened)
  })

  it('of an address from before is part of the query, also of the search', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(
      `${origin}/sessions?kind=cron,human&agent=ops&since=2026-11-01&until=2026-11-10&starred=true`,
    )
    await soon(() => queryIn(page)).toBe(
      'agent:ops after:2026-11-01 before:2026-11-11 kind:cron kind:human is:starred',
    )
    expect(new URL(page.url()).searchParams.size).toBe(1)
    await page.goto(`${origin}/search?q=orders&who=human&project=api`)
    await soon(() => queryIn(page)).toBe('orders project:api who:human')
  })

  it('and the order, the groups and what is listed besides are in the address', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin)
    await page.goto(`${origin}/sessions`)
    await page.getByRole('button', { name: 'View' }).click()
    await page.getByRole('combobox', { name: 'Order' }).selectOption('cost')
    await page.waitForURL('**/sessions?sort=cost')
    await page.getByRole('combobox', { name: 'Order' }).selectOption('')
    await page.getByRole('radio', { name: 'Project', exact: true }).check()
    await page.waitForURL('**/sessions?group=project')
    await page.locator('.group-title a').first().waitFor()
    await page.getByRole('button', { name: 'Deleted sessions too' }).click()
    await page.waitForURL('**/sessions?group=project&deleted=true')
    await shows(page, await totalOf(page, '', '&deleted=true'))
  })

  it('can be saved under a name, and comes back by it', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin)
    await page.goto(`${origin}/sessions?q=agent:codex`)
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByLabel('Name of this search').fill('Work of Codex')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.goto(`${origin}/search`)
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByRole('link', { name: 'Work of Codex' }).click()
    await soon(() => queryIn(page)).toBe('agent:codex')
    await shows(page, await totalOf(page, 'agent:codex'))
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByRole('button', { name: 'Forget Work of Codex' }).click()
    expect(await page.getByRole('link', { name: 'Work of Codex' }).count()).toBe(0)
  })

  it('of the search finds as much as the endpoint', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    await page.goto(`${origin}/search?q=orders`)
    await page.getByRole('button', { name: 'Who' }).click()
    await page.getByRole('button', { name: 'You', exact: true }).click()
    await soon(() => queryIn(page)).toBe('orders who:human')
    await page.keyboard.press('Escape')
    await page.locator('.facet-value', { hasText: 'api' }).click()
    await soon(() => queryIn(page)).toBe('orders who:human project:api')
    const { total } = await asked<SearchAnswer>(
      page,
      `/api/search?${new URLSearchParams({ query: queryIn(page), context: '1', limit: '20' })}`,
    )
    await page
      .locator('.results')
      .getByText(`${count(total)} matches`)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Options' }).click()
    await page.getByRole('combobox', { name: 'Order' }).selectOption('newest')
    await soon(() => new URL(page.url()).searchParams.get('sort')).toBe('newest')
    expect(await page.title()).toBe('orders who:human project:api · Search · Scrollback')
    expectNoTrouble(opened)
  })

  it('of the statistics is in the address, and sums up what the endpoint does', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    for (const control of STATISTICS) {
      await page.goto(`${origin}/stats`)
      await page.locator('.filters select').first().waitFor()
      await set(page, control)
      await page.waitForURL((url) => `${url.search}&`.includes(`${control.address}&`))
      const all = control.address.startsWith('project') ? '' : 'all=true&'
      const { totals } = await asked<StatsAnswer>(page, `/api/stats?${all}timezone=UTC&${control.address}`)
      const calls = page.locator('.figures > div', { hasText: 'Tool calls' }).locator('dd')
      await expect
        .poll(async () => (await calls.textContent())?.startsWith(count(totals.toolCalls)))
        .toBe(true)
    }
    expectNoTrouble(opened)
  })
})
