import { existsSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { pageFiles } from '../../src/commands/serve/page.ts'
import type { PageOptions } from '../../src/context/context.ts'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { pageServer, sharedServer, startServer, token } from '../http/page-server.ts'
import { installed } from '../installed.ts'

/** The one without a window is the same engine, and needs half of the processor time. */
const PATHS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

/** The installed Chromium, if there is one. `CHROMIUM` names another one. */
const executablePath = process.env.CHROMIUM ?? PATHS.find((path) => existsSync(path))

/** Tests of the page are skipped without a browser. Their names say so. */
export const withoutBrowser = executablePath === undefined
export const needs = withoutBrowser ? ' (skipped: no Chromium found; name one in CHROMIUM)' : ''

/** A host name that leads to this machine. */
export const REBOUND = 'evil.example'

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A name of this machine that the server does not know, as after DNS rebinding.
  `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`,
]

/** Of this process, which ends with it. To start one takes as long as a test. */
const KEY = Symbol.for('scrollback: the browser of tests')
const DEMO = Symbol.for('scrollback: the server over the demo')
const shared = globalThis as { [KEY]?: Promise<Browser>; [DEMO]?: ReturnType<typeof startServer> }
let browser: Browser | undefined
/** The page as it is installed. */
const folder = join(installed().folder, 'node_modules/agent-scrollback/dist/page')

/** Starts the browser, unless an earlier test has. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (withoutBrowser) return
    shared[KEY] ??= chromium.launch({ executablePath: executablePath!, args: ARGUMENTS })
    browser = await shared[KEY]
  })
}

/** What happened in a page that must not happen. */
interface Trouble {
  /** Errors in the console, and exceptions. */
  errors: string[]
  /** Requests to other hosts. */
  foreign: string[]
  /** Violations of the content security policy. */
  violations: string[]
}

export interface OpenedPage {
  page: Page
  trouble: Trouble
  origin: string
}

/** The server over these files. */
export const served = (flags: GlobalFlags, options: Partial<PageOptions> & { data?: string } = {}) =>
  pageServer(flags, { files: pageFiles(folder), ...options })

/** The same for all tests of a file that change nothing of it. */
export const sharedServed = (flags: GlobalFlags, { data }: { data: string }) =>
  sharedServer(flags, { files: pageFiles(folder), data })

/**
 * The server over the demo, for all tests of this process that leave it as it is: to start one and to ask it
 * for the first time takes longer than most tests.
 */
export const servedDemo = () => {
  shared[DEMO] ??= startServer({ demo: true }, { files: pageFiles(folder) })
  return shared[DEMO]
}

/** A window with the first page, to which an address with the token led. */
export async function openPage(origin: string, given: BrowserContextOptions = {}): Promise<OpenedPage> {
  const opened = await newWindow(origin, given)
  await opened.page.goto(`${origin}/?token=${token}`)
  return opened
}

/** An empty window that is admitted, for tests that open another page first: to load one takes half a second. */
export async function openWindow(origin: string, given: BrowserContextOptions = {}): Promise<OpenedPage> {
  const opened = await newWindow(origin, given)
  const { request } = opened.page
  const answer = await request.get(`${origin}/?token=${token}`, { maxRedirects: 0 })
  const [, key] = answer.headers().location!.split('#key=')
  // As the page does, which finds the key in its address.
  await opened.page.addInitScript(
    `if (location.origin === '${origin}') localStorage.getItem('scrollback-key') ?? localStorage.setItem('scrollback-key', '${key}')`,
  )
  return opened
}

/** A window of a browser that notes what must not happen. */
async function newWindow(origin: string, given: BrowserContextOptions): Promise<OpenedPage> {
  const context = await browser!.newContext({
    viewport: { width: 1440, height: 900 },
    timezoneId: 'UTC',
    ...given,
  })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(120_000)
  const trouble: Trouble = { errors: [], foreign: [], violations: [] }
  await context.exposeFunction('noteViolation', (what: string) => trouble.violations.push(what))
  await context.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => window.noteViolation(event.violatedDirective + ' ' + event.blockedURI))",
  )
  const page = await context.newPage()
  page.on('pageerror', (error) => trouble.errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') trouble.errors.push(`${message.text()} ${message.location().url}`)
  })
  page.on('request', (request) => {
    const { origin: asked, protocol } = new URL(request.url())
    if (asked !== origin && protocol !== 'blob:') trouble.foreign.push(request.url())
  })
  return { page, trouble, origin }
}

export const expectNoTrouble = ({ trouble }: OpenedPage): void =>
  expect(trouble).toEqual({ errors: [], foreign: [], violations: [] })

/** What becomes true sooner or later: `await soon(() => field.inputValue()).toBe('api')`. */
export const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 120_000 })

/** What an endpoint answers to somebody with the token. */
export async function asked<Answer>(page: Page, address: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await page.request.get(new URL(address, page.url()).href, { headers })
  expect([address, response.status()]).toEqual([address, 200])
  return (await response.json()) as Answer
}

/** Lets somebody with the token note something about a session, and returns the answer. */
export async function note(page: Page, fields: object): Promise<object> {
  const { origin } = new URL(page.url())
  const headers = { origin, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return (await page.request.post(`${origin}/api/tag`, { headers, data: fields })).json()
}

/** Waits until all questions of the page are answered. */
export const settled = (page: Page): Promise<void> => page.locator('.connection[data-state="live"]').waitFor()

/**
 * Rules of WCAG 2.2 AA that the page breaks, each with the elements. Colors do not depend on the width, and to
 * look for them takes most of the time.
 */
export async function broken(page: Page, { colors = true } = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const found: { id: string; nodes: string[] }[] = await page.evaluate(
    `axe.run(document, {
       runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
       rules: { 'color-contrast': { enabled: ${colors} } },
       resultTypes: ['violations'],
     }).then(({ violations }) =>
       violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 4).map((node) => node.target.join(' ') + ' ' + node.failureSummary) })))`,
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes.join(' | ')}`)
}
