import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ListingAnswer, SearchAnswer, StatsAnswer } from '../../ui/api/ask.ts'
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

/** A control, what it is set to, and what the address has then. */
interface Control {
  /** The name of a choice, a field or a switch. */
  name: string
  how: 'choose' | 'fill' | 'press'
  value?: string
  address: string
  /** What the endpoint is asked for, if it is something else. */
  asks?: string
}

const choose = (name: string, value: string, address: string): Control => ({
  name,
  how: 'choose',
  value,
  address,
})
const fill = (name: string, value: string, address: string): Control => ({
  name,
  how: 'fill',
  value,
  address,
})
const press = (name: string, address: string): Control => ({ name, how: 'press', address })

/** A day is asked for as a moment, in the zone of the reader, which is UTC here. */
const from = (day: string): string => `since=${day}T00:00:00.000Z`
const until = (day: string): string => `until=${day}T23:59:59.999Z`

const DAYS: readonly Control[] = [
  { ...fill('From', '2026-11-01', 'since=2026-11-01'), asks: from('2026-11-01') },
  { ...fill('Until', '2026-10-10', 'until=2026-10-10'), asks: until('2026-10-10') },
]

const SESSIONS: readonly Control[] = [
  fill('Title', 'tax', 'title=tax'),
  choose('Project', 'web', 'project=web'),
  choose('Kind', 'cron', 'kind=cron'),
  choose('Active since', '7d', 'since=7d'),
  { ...fill('Active from', '2026-11-06', 'since=2026-11-06'), asks: from('2026-11-06') },
  choose('Client', 'openclaw', 'platform=openclaw'),
  choose('Agent', 'ops', 'agent=ops'),
  fill('Model', 'opus', 'model=opus'),
  fill('Git branch', 'main', 'branch=main'),
  { ...fill('Started before', '2026-10-10', 'until=2026-10-10'), asks: until('2026-10-10') },
  press('Starred', 'starred=true'),
  press('Deleted sessions too', 'deleted=true'),
  press('Backups too', 'backups=true'),
  press('Scheduled', 'kind=cron'),
  press('Group by project', 'group=project'),
  choose('Order', 'cost', 'sort=cost'),
]

const SEARCH: readonly Control[] = [
  { ...choose('Who', 'human', 'who=human'), asks: 'query=who:human' },
  { ...choose('Project', 'web', 'project=web'), asks: 'query=project:web' },
  { ...choose('Client', 'openclaw', 'platform=openclaw'), asks: 'query=platform:openclaw' },
  choose('When', '30d', 'since=30d'),
  choose('Order', 'newest', 'sort=newest'),
  { ...choose('Agent', 'main', 'agent=main'), asks: 'query=agent:main' },
  { ...fill('Git branch', 'main', 'branch=main'), asks: 'query=branch:main' },
  { ...fill('Tool', 'Bash', 'tool=Bash'), asks: 'query=tool:Bash' },
  { ...fill('File', 'orders', 'file=orders'), asks: 'query=file:orders' },
  ...DAYS,
  { ...press('Starred', 'starred=true'), asks: 'query=is:starred' },
  press('Deleted sessions too', 'deleted=true'),
  press('Backups too', 'backups=true'),
  press('Tool output too (slower)', 'raw=true'),
]

const STATISTICS: readonly Control[] = [
  choose('Project', 'web', 'project=web'),
  choose('Client', 'openclaw', 'platform=openclaw'),
  choose('Agent', 'ops', 'agent=ops'),
  choose('When', '7d', 'since=7d'),
  fill('From', '2026-11-01', 'since=2026-11-01'),
  fill('Until', '2026-10-10', 'until=2026-10-10'),
]

async function set(page: Page, { name, how, value = '' }: Control): Promise<void> {
  if (how === 'choose') await page.getByRole('combobox', { name, exact: true }).selectOption(value)
  else if (how === 'fill') await page.getByLabel(name, { exact: true }).fill(value)
  else await page.getByRole('button', { name, exact: true }).click()
}

/**
 * Opens the page at the address, sets the control, and waits until the address has it. The same page is not
 * loaded again: going to its address without filters takes them away.
 */
async function setOn(page: Page, address: string, control: Control): Promise<void> {
  const { pathname, search } = new URL(address)
  if (new URL(page.url(), address).pathname !== pathname) await page.goto(address)
  else
    await page.evaluate(
      `history.pushState(null, '', '${pathname}${search}'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
  await page.locator('.filters select').first().waitFor()
  const more = page.getByRole('button', { name: 'More filters' })
  if ((await more.count()) > 0) await more.click()
  await set(page, control)
  await page.waitForURL((url) => `${url.search}&`.includes(`${control.address}&`))
}

describe.skipIf(withoutBrowser)(`every filter${needs}`, () => {
  useBrowser()

  it('of the sessions is in the address, and shows as many as the endpoint answers', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    for (const control of SESSIONS) {
      await setOn(page, `${origin}/sessions`, control)
      const asks = control.asks ?? control.address.replace('group=project', 'byProject=true')
      const { total } = await asked<ListingAnswer>(page, `/api/listing?all=true&${asks}`)
      const words = `${count(total)} ${total === 1 ? 'session' : 'sessions'}`
      await page.locator('.page-subtitle').getByText(words, { exact: true }).waitFor()
    }
    expectNoTrouble(opened)
  })

  it('of the sessions can hold several kinds, and choosing an agent leaves the others to choose', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/sessions?kind=cron&agent=ops`)
    await page.getByRole('button', { name: 'With a human' }).click()
    await page.waitForURL('**/sessions?kind=cron%2Chuman&agent=ops')
    const kind = page.getByRole('combobox', { name: 'Kind' })
    await soon(() => kind.locator('option:checked').textContent()).toBe('Several kinds')
    const agents = page.getByRole('combobox', { name: 'Agent', exact: true }).locator('option')
    await soon(() => agents.allTextContents()).toEqual([
      'Every agent',
      'claude',
      'codex',
      'copilot',
      'gemini',
      'main',
      'opencode',
      'ops',
      'pi',
    ])
  })

  it('of the search is in the address, and finds as much as the endpoint', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    for (const control of SEARCH) {
      await setOn(page, `${origin}/search?q=orders`, control)
      const { total, query } = await asked<SearchAnswer>(
        page,
        `/api/search?query=orders&context=1&limit=20&${control.asks ?? control.address}`,
      )
      await page.locator(`.results[data-query="${query}"]`).waitFor()
      const words = total === 0 ? 'Nothing matches' : `${count(total)} ${total === 1 ? 'match' : 'matches'}`
      await page.locator('.results').getByText(words).first().waitFor()
    }
    expectNoTrouble(opened)
  })

  it('of the statistics is in the address, and sums up what the endpoint does', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    for (const control of STATISTICS) {
      await setOn(page, `${origin}/stats`, control)
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
