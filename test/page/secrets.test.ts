import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'
import {
  expectNoTrouble,
  needs,
  openPage,
  openWindow,
  served,
  useBrowser,
  withoutBrowser,
} from './browser.ts'
import { STUB, sendEvent } from './events.ts'

/** Made when it runs, so that no file contains anything that looks like a key. */
const key = (part: string): string => `gh${'p_'}${part}2c3D4e5F6${part}2c3D4e5F6${part}2c3D4e5F6`

/** A key in a transcript, another one in the prompt history, and a third one in memory. */
function shed(): { flags: GlobalFlags; data: string } {
  const home = temporaryHome()
  const folder = join(home, '.claude')
  putClaude(home, uuid(0), [claude.user(1, `Use ${key('a1B')}`), claude.reply(2, [text('Done.')])])
  put(join(folder, 'history.jsonl'), [
    { display: `take ${key('c2D')}`, timestamp: Date.UTC(2026, 10, 1), project: '/home/ann/garden' },
  ])
  put(join(folder, 'projects/-home-ann-garden/memory/MEMORY.md'), `# Shed\n\nThe key is ${key('e3F')}\n`)
  return { flags: { claudeDir: [folder] } as GlobalFlags, data: join(home, 'data') }
}

describe.skipIf(withoutBrowser)(`the places of secrets${needs}`, () => {
  useBrowser()

  it('lead to the message or to the text of memory, and to nothing where there is no page', async () => {
    const { flags, data } = shed()
    const { origin } = await served(flags, { data })
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/secrets`)
    const places = page.locator('td.whole p')
    await places.first().waitFor()
    expect(await places.count()).toBe(3)
    const inHistory = places.filter({ hasText: 'history.jsonl' })
    await inHistory.getByText('prompt history').waitFor()
    expect(await inHistory.locator('a').count()).toBe(0)
    await places.filter({ hasText: 'MEMORY.md' }).locator('a').click()
    await page.waitForURL('**/memory?file=*')
    await page.getByText('The key is').waitFor()
    await page.goBack()
    await places
      .filter({ hasText: uuid(0) })
      .locator('a')
      .click()
    await page
      .locator('article[aria-current="true"], [aria-current="true"] article')
      .getByText('Use')
      .first()
      .waitFor()
    expectNoTrouble(opened)
  })

  it('are searched with a bar that shows how far that is', async () => {
    const { flags, data } = shed()
    const { origin } = await served(flags, { data })
    const { page } = await openPage(origin)
    await page.context().addInitScript(STUB)
    await page.route('**/api/secrets*', () => {})
    await page.goto(`${origin}/secrets`)
    const bar = page.getByRole('progressbar', { name: 'Searching' })
    await bar.waitFor()
    expect(await bar.getAttribute('value')).toBe(null)
    await sendEvent(page, 'progress', { version: 1, question: 'secrets', done: 250_000, all: 1_000_000 })
    await page.getByText('250 kB of 1.0 MB').waitFor()
    expect(await bar.getAttribute('value')).toBe('250000')
  })
})
