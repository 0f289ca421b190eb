import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'
import { expectNoTrouble, needs, openPage, served, useBrowser, withoutBrowser } from './browser.ts'

const MANY = 400

/** Many sessions of one project, and one without a project. */
function meadow(): { flags: GlobalFlags; data: string } {
  const home = temporaryHome()
  for (let number = 1; number <= MANY; number++) {
    const more = { sessionId: uuid(number), uuid: uuid(number * 10) }
    putClaude(home, uuid(number), [
      {
        ...claude.user(1, `Flower ${number}`, more),
        timestamp: new Date(1.79e12 - number * 6e4).toISOString(),
      },
    ])
  }
  putOpenclaw(home, `${uuid(9000)}.jsonl`, [
    openclaw.header(uuid(9000)),
    openclaw.user(1, 'Where am I?'),
    openclaw.reply(2, [text('Nowhere.')]),
  ])
  const flags = { claudeDir: [join(home, '.claude')], openclawDir: [join(home, '.openclaw')] }
  return { flags: flags as GlobalFlags, data: join(home, 'data') }
}

describe.skipIf(withoutBrowser)(`a long list of sessions${needs}`, () => {
  useBrowser()

  it('asks for the rows in view alone, and shows every group, with a link if it has a page', async () => {
    const { flags, data } = meadow()
    const { origin } = await served(flags, { data })
    const opened = await openPage(origin)
    const { page } = opened
    const limits: number[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (/\/api\/(?:sessions|listing)$/.test(pathname)) limits.push(Number(searchParams.get('limit')))
    })
    await page.goto(`${origin}/sessions`)
    await page.getByText(`${MANY + 1} sessions`, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Flower 1', exact: false }).first().waitFor()
    const list = page.getByRole('region', { name: 'Sessions' })
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2
    })
    await page.locator('.session-name', { hasText: 'Flower 200' }).waitFor()
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await page.locator('.session-name', { hasText: `Flower ${MANY}` }).waitFor()
    expect(limits.filter((limit) => limit < 1 || limit > 100)).toEqual([])
    await page.goto(`${origin}/sessions?group=project`)
    const without = page.locator('.group-title', { hasText: 'Without a project' })
    await without.waitFor()
    expect(await without.locator('a').count()).toBe(0)
    await page.locator('.group-title a', { hasText: 'garden' }).click()
    await page.waitForURL('**/project/garden')
    await page.getByText(`All ${MANY}`, { exact: true }).waitFor()
    expectNoTrouble(opened)
  })
})
