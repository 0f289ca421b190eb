/**
 * Takes the pictures of the page in docs/pictures/ from the demo, in Chromium: all, or those that are named.
 * Needs a built package.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { smallPng } from './pictures/small-png.ts'

const SESSION = '/session/21c10370-341b-4cb3-b1ad-8aa6dbfb1e51'
const WIDE = { width: 1280, height: 800 }
const TABLET = { width: 1024, height: 720 }
const PHONE = { width: 390, height: 780 }

interface Picture {
  name: string
  path: string
  theme: 'light' | 'dark'
  size?: { width: number; height: number }
  /** Pixels for each one of the page. The package has room for few of twice the size. */
  scale?: 1 | 2
  /** What is done before the picture is taken. */
  act?(page: Page): Promise<void>
}

const openEdit = async (page: Page): Promise<void> => {
  await page.locator('.run-line', { hasText: 'why-postgres.md' }).last().click()
  await page.locator('.diff').first().waitFor()
}

const openChanges = async (page: Page): Promise<void> => {
  await page.getByRole('tab', { name: 'Changes' }).click()
  const file = page.locator('.file-review', { hasText: 'in-turn.js' })
  await file.getByRole('button', { name: 'Why is this here?' }).click()
  await file.getByText('See it in the conversation').waitFor()
}

/** Makes a page as others see it: the demo of a checkout has the path of the checkout. */
const hideCheckout = (page: Page): Promise<void> =>
  page.evaluate(
    `{
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (texts.nextNode())
        texts.currentNode.data = texts.currentNode.data.replaceAll(${JSON.stringify(process.cwd())}, '~/scrollback')
    }`,
  )

const PICTURES: readonly Picture[] = [
  { name: 'page-light', path: SESSION, theme: 'light', act: openEdit },
  { name: 'page-dark', path: SESSION, theme: 'dark', act: openEdit },
  { name: 'home', path: '/', theme: 'light', scale: 1 },
  { name: 'search-dark', path: '/search?q=postgres', theme: 'dark' },
  { name: 'statistics', path: '/stats', theme: 'light' },
  { name: 'phone', path: SESSION, theme: 'light', size: PHONE },
  { name: 'sessions', path: '/sessions', theme: 'light', size: { width: 1440, height: 900 }, scale: 1 },
  {
    name: 'changes',
    path: SESSION,
    theme: 'light',
    size: { width: 1440, height: 900 },
    scale: 1,
    act: openChanges,
  },
  { name: 'project', path: '/project/api', theme: 'dark' },
  { name: 'jobs', path: '/jobs', theme: 'light' },
  { name: 'memory', path: '/memory', theme: 'dark', size: TABLET },
  { name: 'doctor', path: '/doctor', theme: 'light', size: TABLET },
  { name: 'phone-dark', path: '/', theme: 'dark', size: PHONE },
]

const names = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'scrollback-pictures-'))
const server = spawn(process.execPath, ['bin/scrollback.js', 'serve', '--demo', '--no-open', '--port', '0'], {
  env: { ...process.env, SCROLLBACK_HOME: home },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const address = await new Promise<string>((resolve) => {
  server.stdout.once('data', (bytes) => resolve(String(bytes).trim()))
})
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const { name, path, theme, size = WIDE, scale = 2, act } of PICTURES) {
    if (names.length > 0 && !names.includes(name)) continue
    const context = await browser.newContext({
      viewport: size,
      colorScheme: theme,
      timezoneId: 'Europe/Berlin',
      locale: 'en-GB',
      deviceScaleFactor: scale,
    })
    const page = await context.newPage()
    await page.goto(address)
    await page.goto(new URL(path, address).href)
    await page.locator('.connection-words', { hasText: 'Up to date' }).waitFor({ state: 'attached' })

    await page.waitForTimeout(1500)
    // Some answers take longer.
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await act?.(page)
    await page.waitForTimeout(500)
    await hideCheckout(page)
    const png = smallPng(await page.screenshot())
    writeFileSync(`docs/pictures/${name}.png`, png)
    process.stderr.write(`docs/pictures/${name}.png: ${png.length} bytes\n`)
    await context.close()
  }
} finally {
  await browser.close()
  server.kill('SIGINT')
  rmSync(home, { recursive: true, force: true })
}
