import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { checkout } from '../program.ts'
import { call, claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { expectNoTrouble, needs, openWindow, served, soon, useBrowser, withoutBrowser } from './browser.ts'

const COUNT = 3000

/** A question, two calls and an answer in turn. */
const longSession = (): object[] =>
  Array.from({ length: COUNT }, (_, index) => {
    const number = index + 1
    const at = { timestamp: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString() }
    if (number % 4 === 1) return claude.user(number, `Question ${number} about ferns?`, at)
    if (number % 4 === 0) return claude.reply(number, [text(`Answer ${number}: in the shade.`)], at)
    return claude.reply(
      number,
      [call(`toolu_${number}`, 'Read', { file_path: `/srv/garden/${number}.md` })],
      at,
    )
  })

const namesOf = (page: Page, within: string): Promise<string[]> =>
  page.locator(`${within} .run-name b`).allInnerTexts()

describe.skipIf(withoutBrowser)(`runs of tool calls whose items arrive after they were drawn${needs}`, () => {
  useBrowser()

  it('are named in the middle of a long session', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(0), longSession())
    const { origin } = await served({ claudeDir: [join(home, '.claude')] } as GlobalFlags, {
      data: join(home, 'data'),
    })
    const opened = await openWindow(origin)
    const { page } = opened
    for (const line of [1601, 801, 2401]) {
      await page.goto(`${origin}/session/${uuid(0)}/${line}`)
      await page.locator('.run-count').first().waitFor()
      await page.locator('.message').getByText(`Question ${line} about ferns?`).waitFor()
      await page.locator('.waiting').first().waitFor({ state: 'detached' })
      expect({ line, names: [...new Set(await namesOf(page, '.conversation-list'))] }).toEqual({
        line,
        names: ['Read'],
      })
    }
    expectNoTrouble(opened)
  })

  it('show the call of a link, however many calls are before it in its run', async () => {
    const home = temporaryHome()
    const calls = Array.from({ length: 700 }, (_, index) => {
      const number = index + 2
      return claude.reply(number, [
        call(`toolu_${number}`, 'Read', { file_path: `/srv/garden/${number}.md` }),
      ])
    })
    putClaude(home, uuid(0), [claude.user(1, 'Read everything.'), ...calls])
    const { origin } = await served({ claudeDir: [join(home, '.claude')] } as GlobalFlags, {
      data: join(home, 'data'),
    })
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/session/${uuid(0)}/600`)
    const called = page.locator('.call[data-current="true"]')
    await called.getByText('/srv/garden/600.md').first().waitFor()
    await soon(async () => ((await called.boundingBox())?.y ?? -1) > 60).toBe(true)
    const { y = 0 } = (await called.boundingBox()) ?? {}
    expect(y).toBeLessThan(800)
    expect(await page.locator('.call').count()).toBe(200)
    await page.getByRole('button', { name: 'Show 200 more of 498 earlier calls' }).click()
    await soon(() => page.locator('.call').count()).toBe(400)
    expectNoTrouble(opened)
  })

  it('are named in a subagent that was opened', async () => {
    const home = temporaryHome()
    const helper = { isSidechain: true, agentId: 'a1' }
    putClaude(home, uuid(0), [
      claude.user(1, 'Please look after the ferns.'),
      claude.reply(2, [call('toolu_2', 'Task', { description: 'Water the ferns', prompt: 'Water them.' })]),
      claude.result(3, 'toolu_2', 'Done.'),
      claude.reply(4, [text('They are watered.')]),
    ])
    put(join(home, '.claude/projects/-home-ann-garden', uuid(0), 'subagents/agent-a1.jsonl'), [
      claude.user(11, 'Water them.', { ...helper, parentUuid: null }),
      claude.reply(12, [call('toolu_12', 'Bash', { command: 'water --slowly' })], helper),
      claude.result(13, 'toolu_12', 'ok'),
      claude.reply(14, [call('toolu_14', 'Read', { file_path: '/srv/garden/ferns.md' })], helper),
      claude.reply(15, [text('All ferns are wet.')], helper),
    ])
    const { origin } = await served({ claudeDir: [join(home, '.claude')] } as GlobalFlags, {
      data: join(home, 'data'),
    })
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/session/${uuid(0)}`)
    await page.locator('.subagent-open').click()
    await page.locator('.nested').getByText('All ferns are wet.').waitFor()
    expect(await namesOf(page, '.nested')).toEqual(['Bash', 'Read'])
    expectNoTrouble(opened)
  })

  it('are in the subagent that wrote them into the transcript of its parent, and not beside it', async () => {
    const home = temporaryHome()
    cpSync(join(checkout, 'test/fixtures/copilot/subagents'), home, { recursive: true })
    const { origin } = await served({ copilotDir: [join(home, '.copilot')] } as GlobalFlags, {
      data: join(home, 'data'),
    })
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/session/0c0f11e5-0000-4000-8000-000000000005`)
    await page.getByText('Four blue pots.').waitFor()
    await soon(() => page.getByText('There are four.').count()).toBe(0)
    await page.locator('.subagent-facts').getByText('1 call').waitFor()
    await page.locator('.subagent-open').click()
    await page.locator('.nested').getByText('There are four.').waitFor()
    expect(await namesOf(page, '.nested')).toEqual(['bash'])
    expectNoTrouble(opened)
  })
})
