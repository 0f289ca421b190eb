import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { decoded, grayPng, type Image } from '../../scripts/pictures/small-png.ts'
import { checkout } from '../program.ts'
import { openWindow, servedDemo, useBrowser, withoutBrowser } from './browser.ts'

// Every view as it looks, in squares of eight pixels and in shades of gray, which other fonts and other text of the same
// length leave alike. To renew the pictures after a change that is meant: SCROLLBACK_LOOKS=renew

const SESSION = '/session/21c10370-341b-4cb3-b1ad-8aa6dbfb1e51'
const JOB = 'b458e246-992b-4f78-9f72-416b26eadf89'

const VIEWS: Readonly<Record<string, string>> = {
  home: '/',
  sessions: '/sessions',
  'sessions-by-project': '/sessions?group=project',
  session: SESSION,
  answers: `${SESSION}?layout=answers`,
  search: '/search?q=postgres',
  'search-empty': '/search',
  projects: '/projects',
  project: '/project/api',
  edits: '/edits',
  tags: '/tags',
  stats: '/stats',
  jobs: '/jobs',
  job: `/jobs?job=${JOB}`,
  runs: '/runs',
  memory: '/memory',
  rescue: '/rescue',
  collector: '/collector',
  secrets: '/secrets',
  nowhere: '/nowhere',
}

const WIDTHS = [1440, 1024, 390] as const
const HEIGHT = 900

/** Titles that lists are tried with: from right to left, Chinese, and a word that is longer than a line. */
const TITLES = [
  'לבדוק למה הבדיקה של המלאי נכשלת אחת לשש הרצות',
  'أصلح حساب الضريبة في سلة المشتريات',
  '检查库存测试为什么每六次就失败一次,然后把税只算一次',
  `Wort${'zusammensetzungsungeheuer'.repeat(6)}`,
]

const FONTS = [
  '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf',
]
const isMissing = FONTS.some((font) => !existsSync(font))
const needs = withoutBrowser
  ? ' (skipped: no Chromium found; name one in CHROMIUM)'
  : isMissing
    ? ' (skipped: needs the fonts of fonts-dejavu-core and fonts-droid-fallback)'
    : ''

const FOLDER = join(import.meta.dirname, 'looks')
const isRenewing = process.env.SCROLLBACK_LOOKS === 'renew'

/** Pixels of the side of a square. */
const SQUARE = 8

interface Look {
  width: number
  height: number
  /** The mean of each square, row by row. */
  shades: Uint8Array
}

function lookOf({ width, height, pixels }: Image): Look {
  const look = { width: Math.floor(width / SQUARE), height: Math.floor(height / SQUARE) }
  const shades = new Uint8Array(look.width * look.height)
  for (let y = 0; y < look.height; y++)
    for (let x = 0; x < look.width; x++) {
      let sum = 0
      for (let row = y * SQUARE; row < (y + 1) * SQUARE; row++)
        for (let column = x * SQUARE; column < (x + 1) * SQUARE; column++) {
          const color = pixels[row * width + column]!
          sum += 0.3 * (color >> 16) + 0.59 * ((color >> 8) & 255) + 0.11 * (color & 255)
        }
      shades[y * look.width + x] = Math.round(sum / SQUARE ** 2)
    }
  return { ...look, shades }
}

const stored = (name: string): Look | undefined => {
  const path = join(FOLDER, `${name}.png`)
  if (!existsSync(path)) return undefined
  const { width, height, pixels } = decoded(readFileSync(path))
  return { width, height, shades: Uint8Array.from(pixels, (color) => color & 255) }
}

/** A square differs that is this much lighter or darker, of 255, and so many may: they are where a word is longer. */
const DIFFERENT = 28
const MOST_DIFFERENT = 0.004

function differing(one: Look, other: Look): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  let many = 0
  for (const [index, shade] of one.shades.entries())
    if (Math.abs(shade - other.shades[index]!) > DIFFERENT) many++
  return many / one.shades.length
}

/** Gives some of the sessions in an answer other titles. */
function retitled(text: string): string {
  const answer = JSON.parse(text) as { sessions?: { id: string; title: string | null; name?: string }[] }
  for (const [index, title] of TITLES.entries()) {
    const row = answer.sessions?.[index + 1]
    if (row) row.title = title
  }
  return JSON.stringify(answer)
}

/** So many pictures in a row must be alike: answers may come late, and more is asked for when they have. */
const ALIKE = 4
const PAUSE_MS = 300

async function settledPicture(page: Page): Promise<Buffer> {
  await page.locator('h1').waitFor()
  await page.evaluate('document.fonts.ready')
  let before = ''
  for (let alike = 0; ; ) {
    await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' })
    // What arrives late may leave the end of a conversation below the view.
    await page.evaluate(
      "for (const list of document.querySelectorAll('.conversation-list')) list.scrollTop = list.scrollHeight",
    )
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    const now = picture.toString('base64')
    alike = now === before ? alike + 1 : 1
    if (alike === ALIKE) return picture
    before = now
    await page.waitForTimeout(PAUSE_MS)
  }
}

describe.skipIf(withoutBrowser || isMissing)(`the look of every view${needs}`, () => {
  useBrowser()

  const LOOKS = WIDTHS.flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })))
  it.each(LOOKS)('is as it was, at $width pixels, $theme', async ({ width, theme }) => {
    const { origin } = await servedDemo()
    const { page } = await openWindow(origin, {
      viewport: { width, height: HEIGHT },
      colorScheme: theme,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    await page.route(/\/api\/(?:sessions|listing)\?/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: retitled(await response.text()) })
    })
    // How many lines the command takes depends on where the checkout lies.
    await page.route(/\/api\/(?:outline|resume)\?/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll(checkout, '/srv/shops') })
    })
    mkdirSync(FOLDER, { recursive: true })
    const changed: Record<string, number> = {}
    for (const [view, path] of Object.entries(VIEWS)) {
      await page.goto(origin + path)
      const look = lookOf(decoded(await settledPicture(page)))
      const name = `${view}-${width}-${theme}`
      const before = stored(name)
      const part = before ? differing(look, before) : 1
      if (part <= MOST_DIFFERENT) continue
      if (isRenewing)
        writeFileSync(join(FOLDER, `${name}.png`), grayPng(look.width, look.height, look.shades))
      else changed[name] = Math.round(part * 1000) / 1000
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(changed).toEqual({})
  })
})
