import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { call, claude, text } from '../records.ts'
import { broken, expectNoTrouble, needs, openWindow, useBrowser, withoutBrowser } from './browser.ts'
import { GARDEN, NEWER, OLDER, servedGarden } from './garden-session.ts'

const SESSION = `/session/${GARDEN}`
/** The pages by their key after `g`. */
const PAGES = {
  ...{
    h: '/',
    s: '/sessions',
    f: '/search',
    p: '/projects',
    e: '/edits',
    a: '/tags',
    t: '/stats',
    j: '/jobs',
  },
  ...{ m: '/memory', c: '/collector', x: '/secrets', d: '/doctor' },
}

const CURRENT = '.row-body[aria-current="true"]'

/** What keys do, from the beginning of a session. */
interface KeyCase {
  keys: string[]
  /** Where it is pressed, if not in the session. */
  at?: string
  effect(page: Page): Promise<unknown>
}

const toMark =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.locator(`${CURRENT}[aria-label="${name}"]:focus`).waitFor()

const toAddress =
  (address: string) =>
  (page: Page): Promise<void> =>
    page.waitForURL((url) => `${url.pathname}${url.search}` === address)

const toCopy =
  (what: (origin: string) => string) =>
  async (page: Page): Promise<void> => {
    await page.getByText(/^Copied /).waitFor()
    const copied: string = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toContain(what(new URL(page.url()).origin))
  }

const shows =
  (selector: string) =>
  (page: Page): Promise<void> =>
    page.locator(selector).first().waitFor()

const CASES: KeyCase[] = [
  { keys: ['/'], effect: shows('input[aria-label="Find in this session"]:focus') },
  { keys: ['j'], effect: toMark('Agent: In the shade.') },
  { keys: ['j', 'k'], effect: toMark('You: Where do the ferns grow?') },
  { keys: ['J'], effect: toMark('You: And in winter?') },
  { keys: ['J', 'J', 'K'], effect: toMark('You: And in winter?') },
  { keys: ['J', 'j'], effect: toMark('Tool calls, beginning with Bash') },
  { keys: ['J', 'j', 'Enter'], effect: shows(`${CURRENT} .run[data-open="true"] .call`) },
  { keys: ['J', 'j', 'Enter', 'Enter'], effect: shows(`${CURRENT} .run[data-open="false"]`) },
  { keys: ['j', 'Enter'], effect: shows(`${CURRENT} .message-details`) },
  { keys: ['j', 'y'], effect: toCopy(() => 'In the shade.') },
  { keys: ['j', 'Y'], effect: toCopy((origin) => `${origin}${SESSION}/2`) },
  { keys: ['G', 'Y'], effect: toCopy((origin) => `${origin}${SESSION}/10`) },
  { keys: ['G', 'k', 'g', 'g', 'Y'], effect: toCopy((origin) => `${origin}${SESSION}/1`) },
  { keys: ['['], effect: toAddress(`/session/${NEWER}`) },
  { keys: [']'], effect: toAddress(`/session/${OLDER}`) },
  { keys: ['['], at: `/session/${NEWER}`, effect: shows('text=This is the newest session') },
  { keys: [']'], at: `/session/${OLDER}`, effect: shows('text=This is the oldest session') },
  { keys: ['o'], at: '/sessions', effect: (page) => page.waitForURL('**/sessions?sort=*') },
  { keys: ['l'], effect: toAddress(`${SESSION}?layout=dialogue`) },
  { keys: ['l', 'l', 'l'], effect: toAddress(SESSION) },
  { keys: ['s'], effect: shows('.session-head [aria-pressed="true"][aria-label*="star" i]') },
  { keys: ['e'], effect: shows('.menu >> text=Save as Markdown') },
  { keys: ['c'], effect: toCopy(() => `--resume=${GARDEN}`) },
  { keys: ['p'], effect: (page) => page.locator('.panel').waitFor({ state: 'detached' }) },
  { keys: ['p', 'p'], effect: shows('.panel') },
  { keys: ['d'], effect: shows('#tab-changes[aria-selected="true"]:focus') },
  { keys: ['i'], effect: shows('#tab-details[aria-selected="true"]:focus') },
  { keys: ['i', 'i'], effect: shows('#tab-outline[aria-selected="true"]:focus') },
  { keys: ['G'], effect: shows('text=It stays green.') },
  { keys: ['?'], effect: shows('dialog[aria-label="Keys"]') },
  { keys: ['Control+k'], effect: shows('dialog [role="combobox"]:focus') },
  ...Object.entries(PAGES).map(([key, path]): KeyCase => ({ keys: ['g', key], effect: toAddress(path) })),
]

describe.skipIf(withoutBrowser)(`the keys of a session${needs}`, () => {
  useBrowser()

  it('do what the help says', async () => {
    const { origin } = await servedGarden()
    const opened = await openWindow(origin, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = opened
    for (const { keys, at = SESSION, effect } of CASES) {
      await page.goto(origin + at)
      await page
        .locator(at.startsWith('/session/') ? '.message' : '.session-link')
        .first()
        .waitFor()
      await page.getByText('Up to date').waitFor()
      if (at === SESSION) {
        await page.locator('.outline button').first().waitFor()
        await page.keyboard.press('Home')
      }
      for (const key of keys) await page.keyboard.press(key)
      await effect(page).catch((error: unknown) => {
        throw new Error(`The keys ${keys.join(' ')} at ${at} do not have their effect.`, { cause: error })
      })
    }
    expectNoTrouble(opened)
  }, 400_000)

  it('mark one message after another, also where the list cannot scroll any further', async () => {
    const { origin } = await servedGarden()
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(origin + SESSION)
    await page.locator('.outline button').first().waitFor()
    await page.locator('.message').first().waitFor()
    await page.keyboard.press('Home')
    const names = [
      'Agent: In the shade.',
      'You: And in winter?',
      'Tool calls, beginning with Bash',
      'Agent: They sleep.',
      'You: And the moss?',
      'Agent: It stays green.',
    ]
    for (const name of names) {
      await page.keyboard.press('j')
      await toMark(name)(page)
      expect(await page.locator(CURRENT).count()).toBe(1)
    }
    expect(await broken(page)).toEqual([])
    for (const name of names.toReversed().slice(1)) {
      await page.keyboard.press('k')
      await toMark(name)(page)
    }
    expectNoTrouble(opened)
  })

  it('leave Enter to a button that has the focus', async () => {
    const { origin } = await servedGarden()
    const { page } = await openWindow(origin)
    await page.goto(origin + SESSION)
    await page.locator('.outline button').first().waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('j')
    await toMark('Agent: In the shade.')(page)
    await page.getByRole('button', { name: 'Export' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.menu').waitFor()
    expect(await page.locator('.message-details').count()).toBe(0)
  })

  it('goes from error to error, with the number of errors in its header and with keys', async () => {
    const failing = (number: number, name: string) => [
      claude.reply(number, [call(`toolu_${number}`, name, { command: 'ls', file_path: '/srv/garden' })]),
      claude.result(number + 1, `toolu_${number}`, `${name} failed`, true),
    ]
    const { origin } = await servedGarden([
      claude.user(21, 'Where do the ferns grow?', { parentUuid: null }),
      ...failing(22, 'Bash'),
      claude.reply(24, [text('Not there.')]),
      ...failing(25, 'Read'),
      claude.reply(27, [text('Not there either.')]),
    ])
    const opened = await openWindow(origin)
    const { page } = opened
    await page.goto(`${origin}${SESSION}`)
    await page.getByText('Not there either.').waitFor()
    const current = (name: string) =>
      page.locator(`${CURRENT}[aria-label="Tool calls, beginning with ${name}"]`)
    await page.getByRole('button', { name: '2 errors' }).click()
    const [first, second] = (await current('Bash').count()) > 0 ? ['Bash', 'Read'] : ['Read', 'Bash']
    await current(first!).getByText(`${first} failed`).first().waitFor()
    await page.keyboard.press('n')
    await current(second!).getByText(`${second} failed`).first().waitFor()
    await page.keyboard.press('n')
    await current(first!).waitFor()
    await page.keyboard.press('N')
    await current(second!).waitFor()
    expectNoTrouble(opened)
  })
})
