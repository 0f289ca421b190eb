import { describe, expect, it } from 'vitest'
import type { ProjectsAnswer } from '../../ui/api/ask.ts'
import {
  asked,
  expectNoTrouble,
  needs,
  note,
  type OpenedPage,
  openPage,
  served,
  settled,
  useBrowser,
  withoutBrowser,
} from './browser.ts'
import { AGENT, hostileHome, JOB, LINE, SESSION } from './hostile-home.ts'

const PAGES = [
  '/',
  '/sessions',
  '/sessions?group=project',
  '/search?q=script',
  '/projects',
  '/stats?by=session',
  '/stats?by=model',
  '/stats?by=tool',
  '/stats?by=project',
  '/jobs',
  `/jobs?job=${JOB}`,
  '/memory',
  '/edits',
  '/tags',
  '/collector',
  '/secrets',
  '/doctor',
]

/** Scrolls to a part of the list and opens all that is folded there. */
const openEverything = `(part) => {
  const list = document.querySelector('.conversation-list')
  list.scrollTop = part * list.scrollHeight
  const closed = '.run-line, .message-tools button, .subagent-open'
  const folded = [...closed.split(', ').map((each) => each + '[aria-expanded="false"]'), '.media .chip'].join()
  for (let round = 0; round < 3; round++) for (const button of document.querySelectorAll(folded)) button.click()
}`

/** The elements whose text hides or reorders other text, or contains codes of terminals. */
const HIDDEN = `[...document.querySelectorAll('main *')]
  .filter(({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === 3 && /[\\u001b\\u202e\\u2066\\u200b]/.test(data)))
  .map((each) => each.tagName + '.' + each.className + ' in ' + each.parentElement.className + ' in ' + each.closest('[class]').parentElement.parentElement.className)`

/** What hostile text may not become, anywhere on a page. */
async function expectHarmless({ page }: OpenedPage): Promise<void> {
  expect(await page.evaluate('window.executed ?? ""')).toBe('')
  const planted =
    'main :is(script, iframe, object, embed, form:not([class]), style, link, img:not([src^="blob:"]))'
  expect(await page.locator(planted).count()).toBe(0)
  expect(await page.locator('a:is([href^="javascript:" i], [href^="data:" i])').count()).toBe(0)
  const outward = 'a[href*="evil.example"]:not([rel~="noopener"][rel~="noreferrer"][target="_blank"])'
  expect(await page.locator(outward).count()).toBe(0)
  const handlers = await page.evaluate(
    `[...document.querySelectorAll('body *')].flatMap((each) => each.getAttributeNames()).filter((name) => name.startsWith('on'))`,
  )
  expect(handlers).toEqual([])
  expect([page.url(), await page.evaluate(HIDDEN)]).toEqual([page.url(), []])
}

describe.skipIf(withoutBrowser)(`a hostile store${needs}`, () => {
  useBrowser()

  it('executes nothing and requests nothing', async () => {
    const { flags, data } = hostileHome()
    const { origin } = await served(flags, { data })
    const opened = await openPage(origin)
    const { page } = opened
    await nameAndTag(opened)
    const { projects } = await asked<ProjectsAnswer>(page, '/api/projects')
    const ofProjects = projects.map(({ name }) => `/project/${encodeURIComponent(name)}`)
    expect(ofProjects.length).toBeGreaterThan(1)
    for (const path of [...PAGES, ...ofProjects]) {
      await page.goto(origin + path)
      await page.locator('main h1').first().waitFor()
      await settled(page)
      await expectHarmless(opened)
    }
    await page.goto(`${origin}/memory`)
    for (const link of await page.locator('.documents a').all()) {
      await link.click()
      await page.locator('.split .document').first().waitFor()
      await expectHarmless(opened)
    }
    await page.goto(`${origin}/session/${SESSION}`)
    await page.getByText('Done.').first().waitFor()
    // Everything that is folded is opened: records, thinking, calls, subagents, images, changes and details.
    const opensSubagents = async (): Promise<boolean> => {
      let nested = 0
      for (const part of [0, 0.5, 1, 0.5, 0]) {
        await page.evaluate(`(${openEverything})(${part})`)
        await page.locator('.record').first().waitFor()
        nested += await page.locator('.subagent .message').count()
      }
      return nested > 0
    }
    await expect.poll(opensSubagents, { timeout: 120_000 }).toBe(true)
    await page.locator('.record .code, .record .diff').first().waitFor()
    await page.locator('.pictures, .media').first().waitFor()
    for (const name of ['Changes', 'Details', 'Outline']) {
      await page.getByRole('tab', { name }).click()
      await expectHarmless(opened)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('script')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('main').innerText()).toContain('<script>')
    await page.goto(`${origin}/session/${AGENT}`)
    await page.getByText('Counted.').first().waitFor()
    await expectHarmless(opened)
    await page.goto(`${origin}/session/evil`)
    await page.locator('.message').first().waitFor()
    await expectHarmless(opened)
    // Its name is no session that a client could resume, which the page says.
    opened.trouble.errors = opened.trouble.errors.filter(
      (error) => !/ 404 .*\/api\/resume\?session=evil$/.test(error),
    )
    expectNoTrouble(opened)
  })
})

/** The session gets a hostile name and a hostile rule, as a person could paste them. Tags are words. */
async function nameAndTag({ page }: OpenedPage): Promise<void> {
  const bodies = [
    { session: SESSION, name: LINE.slice(0, 100) },
    { session: SESSION, tags: ['evil'] },
    { rule: 'script', when: '"<script>"' },
  ]
  for (const body of bodies) {
    expect(await note(page, body)).not.toHaveProperty('error')
  }
}
