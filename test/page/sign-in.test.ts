import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { expectNoTrouble, needs, openPage, served, settled, useBrowser, withoutBrowser } from './browser.ts'

/** A site at another port of this machine, and the cookies that it was sent. */
async function neighbor(): Promise<{ origin: string; cookies: string[] }> {
  const cookies: string[] = []
  const server = createServer(({ headers }, response) => {
    cookies.push(headers.cookie ?? '')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>elsewhere</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cookies }
}

describe.skipIf(withoutBrowser)(`a browser that has signed in${needs}`, () => {
  useBrowser()

  it('stays signed in after reloads and in several tabs, and the key leaves the address', async () => {
    const { origin } = await served({ demo: true })
    const opened = await openPage(origin)
    const { page } = opened
    await settled(page)
    expect(page.url()).toBe(`${origin}/`)
    await page.goto(`${origin}/sessions`)
    await page.reload()
    await page.locator('.session-link').first().waitFor()
    await settled(page)
    const other = await page.context().newPage()
    await other.goto(`${origin}/sessions`)
    await other.locator('.session-link').first().waitFor()
    await settled(other)
    await page.close()
    await other.reload()
    await settled(other)
    expect(other.url()).toBe(`${origin}/sessions`)
    expectNoTrouble(opened)
  })

  it('sends its cookie to other ports, where it opens nothing', async () => {
    const { origin, bare } = await served({ demo: true })
    const { page } = await openPage(origin)
    await settled(page)
    const site = await neighbor()
    await page.goto(site.origin)
    const stolen = site.cookies.find((cookie) => cookie.includes('scrollback-'))
    expect(stolen).toBeDefined()
    for (const path of ['/api/sessions?all=true', '/api/events', '/api/export?session=640ab4c7'])
      expect((await bare(path, { cookie: stolen! })).status).toBe(401)
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([])
  })

  it('is told that it is not signed in, and how to, without a cookie', async () => {
    const { origin } = await served({ demo: true })
    const { page } = await openPage(origin)
    await page.context().clearCookies()
    await page.goto(`${origin}/sessions`)
    await page.locator('.banner').getByText('This browser is not signed in').waitFor()
    await page.getByText('Not signed in', { exact: true }).waitFor()
    expect(await page.getByText('The server does not answer').count()).toBe(0)
    expect(await page.getByText('Up to date').count()).toBe(0)
  })
})

describe.skipIf(withoutBrowser)(`the state of the page${needs}`, () => {
  useBrowser()

  it('is that it loads until the answer is there, and only then up to date', async () => {
    const { origin } = await served({ demo: true })
    const { page } = await openPage(origin)
    await settled(page)
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/listing?*', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.goto(`${origin}/sessions`)
    const state = page.locator('.connection')
    await state.getByText('Loading').waitFor()
    expect(await state.textContent()).toBe('Loading')
    gate.resolve()
    await page.locator('.session-link').first().waitFor()
    await state.getByText('Up to date').waitFor()
  })
})
