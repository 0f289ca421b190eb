import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  broken,
  expectNoTrouble,
  needs,
  openPage,
  openWindow,
  servedDemo,
  useBrowser,
  withoutBrowser,
} from './browser.ts'

const SESSION = '/session/21c10370-341b-4cb3-b1ad-8aa6dbfb1e51'
const JOB = 'b458e246-992b-4f78-9f72-416b26eadf89'

/** Each page with words that it shows when it is complete. */
const PAGES = [
  { path: '/', words: 'The last year' },
  { path: '/sessions', words: 'Orders page takes four seconds' },
  { path: SESSION, words: 'Fixed, and the retry is gone' },
  { path: `${SESSION}?layout=answers`, words: 'Good find.' },
  { path: '/search?q=postgres', words: 'matches' },
  { path: '/projects', words: '/home/dev/eastore/api' },
  { path: '/project/api', words: 'Most edited files' },
  { path: '/edits', words: 'what-we-learned.md' },
  { path: '/tags', words: '"1.0" who:human' },
  { path: '/stats', words: 'In figures' },
  { path: '/jobs', words: 'Copy to the cold disk' },
  { path: '/runs', words: 'second-supplier' },
  { path: '/rescue', words: 'What is kept, and where' },
  { path: `/jobs?job=${JOB}`, words: 'Runs' },
  { path: '/memory', words: 'Choose a text' },
  { path: '/collector', words: 'collector.example.org' },
  { path: '/secrets', words: 'Connection string' },
  { path: '/doctor', words: 'Nothing is missing' },
  { path: '/nowhere', words: 'There is no page at this address' },
]

/** The last part of pages that load in parts. The page of a session has tests of its own. */
const LAST: Record<string, string> = {
  '/': 'Failing jobs',
  '/project/api': 'Most edited files',
  '/stats': 'Most edited files',
}
/** The last part of pages that have a second pane where there is room for one. */
const LAST_WIDE: Record<string, string> = { ...LAST, '/sessions': 'eleven lines less than I was tempted' }
/** More than rounding, less than anybody sees: the browser's limit for a good page is 0.1. */
const MOST_SHIFT = 0.01
/** Answers that are held back together, so that those of the others are earlier. */
const LATE = [
  /\/api\/(?:overview|live|sessions|listing|choices|projects)(?![\w.])/,
  /\/api\/(?:stats|cron|vanishing)(?![\w.])/,
  /\/api\/items(?![\w.])/,
]
const NOTHING = /(?!)/
/** How long an answer is held back, so that others are earlier. */
const LATE_MS = 400

/** The width of a phone. */
const PHONE = 390

/** Keeps what moves without an action of a person. */
const WATCH_SHIFTS = `window.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.shifts.push({ value, what: sources.map(({ node }) => node?.className ?? node?.nodeName) })
  }).observe({ type: 'layout-shift', buffered: true })`

/** Waits until what has changed is on the screen. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

/** Looks at a loaded page, whose words are there. */
type Look = (page: Page, path: string, words: string) => Promise<void>

/** Colors do not depend on the size, so each of both is seen once. */
const looksWide: Look = async (page, path, words) => {
  await page.getByText(words).first().waitFor()
  expect(await page.getByText(/note on what is missing/).count(), path).toBe(0)
  const wide = page.viewportSize()!
  for (const seen of SEEN) {
    await page.emulateMedia({ colorScheme: seen.colorScheme })
    await page.setViewportSize(seen.viewport ?? wide)
    await drawn(page)
    expect({ path, ...seen, broken: await broken(page) }).toEqual({ path, ...seen, broken: [] })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(wide)
}
const SEEN = [
  { colorScheme: 'light', viewport: null },
  // At 200 %.
  { colorScheme: 'dark', viewport: { width: 720, height: 450 } },
] as const

/** 320 pixels are what remains of 1280 at 400 %, which people zoom to after the page has loaded. */
const looksNarrow: Look = async (page, path) => {
  expect({ path, broken: await broken(page, { colors: false }) }).toEqual({ path, broken: [] })
  for (const width of [PHONE, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await drawn(page)
    const wide = await page.evaluate(
      '[document.documentElement, document.querySelector("main")].some((element) => element.scrollWidth > element.clientWidth)',
    )
    expect({ path, width, wide }).toEqual({ path, width, wide: false })
    // The content scrolls, not the window: what is placed in the content must not make the window longer.
    const long = await page.evaluate('document.scrollingElement.scrollHeight > innerHeight')
    expect({ path, width, long }).toEqual({ path, width, long: false })
  }
  await page.setViewportSize({ width: PHONE, height: 900 })
}

const LOOKS: Record<string, { width: number; look: Look }> = {
  'is accessible in light at 100 % and in dark at 200 %': { width: 1440, look: looksWide },
  [`does not scroll sideways at ${PHONE} and 320 pixels, and is accessible there`]: {
    width: PHONE,
    look: looksNarrow,
  },
}

describe.skipIf(withoutBrowser)(`every page${needs}`, () => {
  useBrowser()

  // Every page is loaded once for all of it, and again with late answers only if it asks for one of them.
  it.each(Object.entries(LOOKS))(
    'renders without a fault, moves nothing while it loads, whatever is late, and %s',
    async (_, { width, look }) => {
      const { origin } = await servedDemo()
      const opened = await openWindow(origin, { viewport: { width, height: 900 } })
      const { page } = opened
      await page.addInitScript(WATCH_SHIFTS)
      let asked = ''
      let late = NOTHING
      await page.route('**/api/*', async (route) => {
        asked += ` ${new URL(route.request().url()).pathname}`
        if (late.test(route.request().url())) await new Promise((done) => setTimeout(done, LATE_MS))
        await route.continue()
      })
      for (const { path, words } of PAGES) {
        asked = ''
        for (late of [NOTHING, ...LATE]) {
          if (late !== NOTHING && (path.startsWith('/session/') || !late.test(asked))) continue
          await page.goto(origin + path)
          await page
            .getByText((width === PHONE ? LAST : LAST_WIDE)[path] ?? words)
            .first()
            .waitFor({ state: 'attached' })
          await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
          await drawn(page)
          const shifts: { value: number; what: string[] }[] = await page.evaluate('window.shifts')
          const sum = shifts.reduce((all, { value }) => all + value, 0)
          const where = { path, late: late.source }
          if (!path.startsWith('/session/'))
            expect({ ...where, shifts: sum > MOST_SHIFT ? shifts : [] }).toEqual({ ...where, shifts: [] })
          if (late === NOTHING) await look(page, path, words)
        }
      }
      expectNoTrouble(opened)
    },
  )

  it('of a session stays where it is when what is above its messages comes later', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin, { viewport: { width: 1024, height: 900 } })
    await page.addInitScript(WATCH_SHIFTS)
    await page.route('**/api/outline?*', async (route) => {
      await new Promise((done) => setTimeout(done, LATE_MS))
      await route.continue()
    })
    await page.goto(`${origin}/session/7122ceb8`)
    await page.locator('.session-heading').waitFor()
    await page.locator('.net-changes').waitFor()
    await drawn(page)
    const shifts: { value: number }[] = await page.evaluate('window.shifts')
    expect(shifts.filter(({ value }) => value > MOST_SHIFT)).toEqual([])
  })

  it('shows times as of the clock of the server, which is fixed in the demo', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin, { locale: 'en-US' })
    const first = page.locator('.session-line time').first()
    await first.getByText('4 min', { exact: true }).waitFor()
    expect(await first.getAttribute('title')).toContain('November 15, 2026 at 4:25')
    await page.locator('.heat a').last().waitFor()
    const last = page.locator('.heat rect').last()
    const name = await last.evaluate((cell) => cell.closest('a')?.getAttribute('aria-label'))
    expect(name).toContain('November 15, 2026')
  })

  it('shows in the demo what is going on, what is deleted soon, and whose memory it is, and names jobs and subagents', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin, { locale: 'en-GB' })
    const part = (title: string) => page.locator('section').filter({ hasText: title }).first()
    await part('Now').getByText('eleven lines less than I was tempted').waitFor()
    await part('Now').locator('code').getByText('what-we-learned.md', { exact: true }).waitFor()
    await page.locator('.warning-line').getByText('in 5 days').waitFor()
    await page.goto(`${origin}/stats`)
    await page.locator('.figure-note', { hasText: 'without 1 deleted transcript' }).waitFor()
    await page.goto(`${origin}/memory`)
    await page.locator('.documents h2').getByText('api', { exact: true }).waitFor()
    await page
      .locator('.documents')
      .getByText(/^\d+ [dw]$/)
      .first()
      .waitFor()
    await page.goto(`${origin}/jobs`)
    // It is due in December.
    await page.getByRole('row', { name: 'Christmas boxes' }).getByText('not run yet').waitFor()
    await page.getByRole('row', { name: 'Stock check' }).getByText('works').waitFor()
    await page.goto(origin + SESSION)
    await page.locator('.subagent').getByText('Find stock races').waitFor()
    await page.locator('.outline').getByText('Find stock races').waitFor()
  })

  it('shows the columns of a table under each other on a phone, whole titles and names, and one text of memory alone', async () => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin, { viewport: { width: PHONE, height: 844 } })
    for (const path of ['/projects', `/jobs?job=${JOB}`]) {
      await page.goto(origin + path)
      const table = page.locator('.table-holder').last()
      await table.waitFor()
      expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    }
    await page.getByText('cp: error writing').last().waitFor()
    for (const [path, names] of [
      ['/sessions', '.session-link'],
      ['/edits', '.edit-folder, .edits .change-name'],
      ['/project/api', '.bar-name'],
    ] as const) {
      await page.goto(origin + path)
      await page.locator(names).last().waitFor()
      const boxes = await page.locator(names).evaluateAll((elements) =>
        elements.map(({ scrollWidth, clientWidth, classList }) => ({
          cut: scrollWidth > clientWidth,
          // Two thirds of the width, between the sign, the age and the star.
          narrow: classList.contains('session-link') && clientWidth < 0.64 * 390,
        })),
      )
      expect({ path, boxes: boxes.filter(({ cut, narrow }) => cut || narrow) }).toEqual({ path, boxes: [] })
    }
    await page.goto(`${origin}/memory`)
    await page.locator('.documents a').first().click()
    await page.getByText('Tax is rounded once per order.').waitFor()
    await page.locator('.documents').waitFor({ state: 'hidden' })
    await page.getByText('All texts').click()
    await page.locator('.documents').waitFor()
  })

  it('moves nothing for whoever wants less motion', async () => {
    const { origin } = await servedDemo()
    const moving = `[...document.querySelectorAll('*')].filter((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element)
      return [transitionDuration, animationDuration].some((all) => all.split(',').some((each) => parseFloat(each) > 0.001))
    }).length`
    const movingIn = async (reducedMotion: 'reduce' | 'no-preference'): Promise<number> => {
      const { page } = await openWindow(origin, { reducedMotion })
      await page.goto(origin + SESSION)
      await page.getByText('Fixed, and the retry is gone').first().waitFor()
      await page.locator('.run').first().waitFor()
      return page.evaluate<number>(moving)
    }
    expect(await movingIn('no-preference')).toBeGreaterThan(0)
    expect(await movingIn('reduce')).toBe(0)
  })
})
