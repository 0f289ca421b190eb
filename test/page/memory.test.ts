import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import type { MemoryAnswer } from '../../src/commands/memory/command.ts'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
import {
  asked,
  broken,
  expectNoTrouble,
  needs,
  openPage,
  served,
  servedDemo,
  soon,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

const VERSIONS = [
  { day: '2026-10-01', text: '# Garden\n\nThe lichen grows on the wall.\n' },
  { day: '2026-10-05', text: '# Garden\n\nThe lichen grows on the wall.\n\nThe moss is dry.\n' },
  { day: '2026-10-09', text: '# Garden\n\nThe lichen grows on stones.\n\nThe moss is dry.\n' },
]

describe.skipIf(withoutBrowser)(`the versions of a text of memory${needs}`, () => {
  useBrowser()

  it('can be read and compared, and the address says which', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(0), [claude.user(1, 'Where do the ferns grow?')])
    const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
    const { origin } = await served(flags, { data: join(home, 'data') })
    const opened = await openPage(origin)
    const { page } = opened
    const file = join(home, '.claude/projects/-home-ann-garden/memory/MEMORY.md')
    for (const [index, { day, text }] of VERSIONS.entries()) {
      put(file, text)
      utimesSync(file, new Date(`${day}T12:00Z`), new Date(`${day}T12:00Z`))
      await soon(async () => (await asked<MemoryAnswer>(page, '/api/memory')).documents[0]?.versions).toBe(
        index + 1,
      )
    }
    await page.goto(`${origin}/memory`)
    await page.getByRole('link', { name: 'MEMORY.md' }).click()
    const version = page.getByRole('combobox', { name: 'Version' })
    const text = page.locator('.document')
    await text.getByText('on stones').waitFor()
    await version.selectOption('1')
    await text.getByText('on the wall').waitFor()
    expect(await text.getByText('dry').count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('version')).toBe('1')
    await version.selectOption('')
    await page.getByRole('radio', { name: 'Changes' }).check()
    const changed = (): Promise<string[]> => page.locator('.diff-line:not(.same, .fold)').allInnerTexts()
    await page.locator('.diff-line.added').getByText('on stones').waitFor()
    expect(await changed()).toEqual(['−The lichen grows on the wall.\n', '+The lichen grows on stones.\n'])
    await page.getByRole('combobox', { name: 'Changes since' }).selectOption('1')
    await page.locator('.diff-line.added').getByText('dry').waitFor()
    expect(await changed()).toHaveLength(4)
    await page.reload()
    await page.locator('.diff-line.added').getByText('dry').waitFor()
    expect(await broken(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await broken(page)).toEqual([])
    if (process.env.SHOTS) {
      await page.screenshot({ path: '/tmp/mem-phone.png' })
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.screenshot({ path: '/tmp/mem.png' })
    }
    expectNoTrouble(opened)
  })
})

describe.skipIf(withoutBrowser)(`the headings of every page${needs}`, () => {
  useBrowser()

  it('leave out no level', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin)
    const wrong: unknown[] = []
    for (const path of [
      '',
      'memory',
      'sessions',
      'stats',
      'rescue',
      'runs',
      'jobs',
      'doctor',
      'projects',
      'tags',
    ]) {
      await page.goto(`${origin}/${path}`)
      await page.locator('h1').waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      await page.evaluate(axe.source)
      const rule = "axe.run(document, { runOnly: { type: 'rule', values: ['heading-order'] } })"
      const { violations } = await page.evaluate<{ violations: unknown[] }>(rule)
      if (violations.length > 0) wrong.push([path, violations])
    }
    expect(wrong).toEqual([])
  })
})
