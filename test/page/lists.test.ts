import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { call, claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { broken, needs, openWindow, served, useBrowser, withoutBrowser } from './browser.ts'

/** Made when it runs, so that no file contains anything that looks like a key. */
const key = `gh${'p_'}${'a1B2c3D4e5F6'.repeat(3)}`

describe.skipIf(withoutBrowser)(`lists${needs}`, () => {
  useBrowser()

  it('show the number of errors, kinds of secrets, owners and times in full, and commands to copy', async () => {
    const home = temporaryHome()
    const data = join(home, 'data')
    const errors = Array.from({ length: 120 }, (_, index) => [
      claude.reply(index * 2 + 2, [call(`toolu_${index}`, 'Bash', { command: 'ls' })]),
      claude.result(index * 2 + 3, `toolu_${index}`, 'no such folder', true),
    ])
    putClaude(home, uuid(0), [
      claude.user(1, `Use ${key}`),
      ...errors.flat(),
      claude.reply(900, [text('No.')]),
    ])
    put(
      join(home, '.claude/projects/-home-ann-greenhouse/memory/a-rather-long-name-of-a-text-about-ferns.md'),
      '# Ferns\n',
    )
    const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
    const { origin } = await served(flags, { data })
    const { page } = await openWindow(origin, { viewport: { width: 390, height: 800 } })
    await page.goto(`${origin}/sessions?sort=tokens`)
    const count = page.locator('.session-size .error-words').first()
    await count.getByText('120 errors').waitFor()
    const box = (await count.boundingBox())!
    expect(box.x + box.width).toBeLessThanOrEqual(390)
    await page.goto(`${origin}/memory`)
    await page.getByRole('heading', { name: /greenhouse$/ }).waitFor()
    const time = (await page.locator('.document-name time').first().boundingBox())!
    expect(time.height).toBeLessThan(28)
    await page.goto(`${origin}/secrets`)
    await page.getByRole('rowheader', { name: 'GitHub token 1' }).waitFor()
    await page.locator('td.whole a.link').first().waitFor()
    chmodSync(join(data, 'store.sqlite'), 0o644)
    await page.goto(`${origin}/doctor`)
    await page.getByRole('button', { name: /^Copy chmod 600 / }).waitFor()
    expect(await broken(page)).toEqual([])
  })
})
