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

describe.skipIf(withoutBrowser)(`the list beside a session${needs}`, () => {
  useBrowser()

  it('shows the session that the keys are on, and Enter opens it', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}/sessions`)
    const { sessions } = await asked<ListingAnswer>(page, '/api/listing?all=true&limit=4')
    const titles = sessions.map(({ title }) => title ?? '')
    const shown = page.locator('.preview-title')
    await shown.getByText(titles[0]!, { exact: true }).waitFor()
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
    await shown.getByText(titles[1]!, { exact: true }).waitFor()
    await soon(() => new URL(page.url()).searchParams.get('at')).toBe(sessions[1]!.id)
    expect(await page.locator('.session-line[data-selected="true"] .session-name').allTextContents()).toEqual(
      [titles[1]],
    )
    // It comes back with the address.
    await page.reload()
    await shown.getByText(titles[1]!, { exact: true }).waitFor()
    await page.locator('.session-line[data-selected="true"] a').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/session/${sessions[1]!.id}`)
    expect(await page.locator('.preview').count()).toBe(0)
    expectNoTrouble(opened)
  })

  it('needs a wide window, and elsewhere a click opens a session', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin, { viewport: { width: 1099, height: 800 } })
    await page.goto(`${origin}/sessions`)
    await page.locator('.session-link').first().waitFor()
    expect(await page.locator('.preview').count()).toBe(0)
    await page.setViewportSize({ width: 1100, height: 800 })
    await page.locator('.preview .message').first().waitFor()
    await page.setViewportSize({ width: 1000, height: 800 })
    await page.locator('.preview').waitFor({ state: 'detached' })
    await page.locator('.session-link').first().click()
    await page.waitForURL('**/session/*')
  })

  it('says whose each session is, by a sign with a name', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    for (const [path, row] of [
      ['/', '.session-line'],
      ['/', '.card:has(.live-words)'],
      ['/sessions', '.session-line'],
      ['/search?q=postgres', '.found-head'],
      ['/session/21c10370-341b-4cb3-b1ad-8aa6dbfb1e51', '.session-head h1'],
      ['/edits', '.edit-session'],
      ['/runs', 'tbody tr'],
      ['/projects', 'tbody tr'],
    ] as const) {
      await page.goto(origin + path)
      await page.locator(row).first().waitFor()
      const rows = await page.locator(row).count()
      const named = await page
        .locator(row)
        .filter({ has: page.locator('.agent-badge[title]') })
        .count()
      expect({ path, row, named }).toEqual({ path, row, named: rows })
    }
    await page.goto(`${origin}/sessions?q=agent:codex`)
    await page.getByRole('img', { name: 'Codex' }).first().waitFor()
  })

  it('has no text below 12 pixels, on any page', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin)
    const small = `(() => {
      const found = new Set()
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const { parentElement: parent, textContent } = texts.currentNode
        const scale = parent.ownerSVGElement?.getScreenCTM().a ?? 1
        if (textContent.trim() && parent.tagName !== 'title' && parseFloat(getComputedStyle(parent).fontSize) * scale < 11.99)
          found.add(parent.outerHTML.slice(0, 80))
      }
      return [...found]
    })()`
    for (const width of [1440, 390])
      for (const path of [
        '/',
        '/sessions',
        '/search?q=postgres',
        '/stats',
        '/jobs',
        '/session/21c10370',
        '/doctor',
      ]) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(origin + path)
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
        expect({ path, width, small: await page.evaluate(small) }).toEqual({ path, width, small: [] })
      }
  })
})
