import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import {
  asked,
  broken,
  expectNoTrouble,
  needs,
  openPage,
  served,
  useBrowser,
  withoutBrowser,
} from './browser.ts'
import { STUB, sendEvent } from './events.ts'

const send = (page: Page, data: object): Promise<void> => sendEvent(page, 'index', data)

describe.skipIf(withoutBrowser)(`a first index${needs}`, () => {
  useBrowser()

  it('shows how far it is, says that sessions will appear, and shows them when it is done', async () => {
    const home = temporaryHome()
    mkdirSync(join(home, '.claude'), { recursive: true })
    const { origin } = await served({ claudeDir: [join(home, '.claude')] } as GlobalFlags, {
      data: join(home, 'data'),
    })
    const opened = await openPage(origin)
    const { page } = opened
    await page.context().addInitScript(STUB)
    await page.goto(origin)
    await page.getByText('No sessions on this machine yet').waitFor()
    const progress = { files: { done: 1234, all: 5678 }, bytes: { done: 250, all: 1000 } }
    await send(page, progress)
    await page.getByText('Indexing: 1,234 of 5,678 files').waitFor()
    await page.getByText('Sessions appear here as they are indexed').waitFor()
    expect(await page.getByRole('progressbar', { name: 'Indexing' }).getAttribute('value')).toBe('0.25')
    expect(await broken(page)).toEqual([])
    // Another tab asks the one that listens.
    const other = await page.context().newPage()
    await other.goto(`${origin}/sessions`)
    await other.getByText('Indexing: 1,234 of 5,678 files').waitFor()
    await other.getByText('Sessions appear here as they are indexed').waitFor()
    putClaude(home, uuid(0), [claude.user(1, 'Where do the ferns grow?')])
    // The server looks at the disk once a second.
    const stored = () => asked(page, '/api/sessions?all=true')
    await expect.poll(stored, { timeout: 120_000 }).toMatchObject({ total: 1 })
    // The newest sessions are there before all are, and how long the others take.
    let done = 500
    const isTold = async (): Promise<boolean> => {
      await send(page, { files: { done: 2345, all: 5678 }, bytes: { done: done++, all: 1000 } })
      return page.getByText(/^Indexing: 2,345 of 5,678 files, about .+ left$/).isVisible()
    }
    await expect.poll(isTold, { timeout: 120_000 }).toBe(true)
    await page.locator('.session-link').first().waitFor()
    await send(page, { done: true })
    for (const each of [page, other]) {
      await each.locator('.session-link').first().waitFor()
      expect(await each.getByText('Indexing').count()).toBe(0)
    }
    expectNoTrouble(opened)
  })
})
