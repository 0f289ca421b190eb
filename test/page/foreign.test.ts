import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TagAnswer } from '../../ui/api/ask.ts'
import { token } from '../http/page-server.ts'
import { asked, needs, openPage, REBOUND, servedDemo, soon, useBrowser, withoutBrowser } from './browser.ts'

/** A site on this machine with one empty page, and its port. */
async function foreignSite(): Promise<number> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>elsewhere</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe.skipIf(withoutBrowser)(`another site in the same browser${needs}`, () => {
  useBrowser()

  it('cannot reach the server under a name of its own, even with the token', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin)
    const { port } = new URL(origin)
    for (const path of ['/', '/api/sessions', `/?token=${token}`]) {
      const response = await page.goto(`http://${REBOUND}:${port}${path}`)
      expect([path, response!.status()]).toEqual([path, 403])
      expect(await page.textContent('body')).toContain('--allow-host')
    }
    expect(await page.context().cookies(`http://${REBOUND}:${port}`)).toEqual([])
  })

  // Cookies do not distinguish ports, so the browser sends ours with requests of the first of these sites.
  it.each(['127.0.0.1', REBOUND])('at %s reads nothing and changes nothing', async (host) => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin)
    await page.goto(`http://${host}:${await foreignSite()}/`)
    const answers: { path: string; status: number }[] = []
    page.on('response', (response) => {
      const url = new URL(response.url())
      if (url.origin === origin) answers.push({ path: url.pathname, status: response.status() })
    })
    const read = await page.evaluate(async (server) => {
      const text = (mode: RequestMode, init: RequestInit = {}): Promise<string> =>
        fetch(`${server}/api/sessions`, { mode, credentials: 'include', ...init }).then(
          (response) => response.text(),
          () => 'failed',
        )
      const image = new Image()
      const shown = new Promise<string>((resolve) => {
        image.onload = () => resolve('loaded')
        image.onerror = () => resolve('failed')
      })
      image.src = `${server}/api/image?session=640ab4c7&line=1&index=0`
      const body = JSON.stringify({ session: '277c0f2a', star: true })
      return {
        fetched: [
          await text('cors'),
          await text('no-cors'),
          await text('no-cors', { method: 'POST', body, headers: { 'content-type': 'text/plain' } }),
          await text('cors', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
        ],
        image: await shown,
      }
    }, origin)
    expect(read).toEqual({ fetched: ['failed', '', '', 'failed'], image: 'failed' })
    await page.evaluate((server) => {
      document.body.innerHTML = `<form method="post" enctype="text/plain" action="${server}/api/tag"><input name='{"session":"277c0f2a","star":true,"x":"' value='"}'></form>`
      document.querySelector('form')!.submit()
    }, origin)
    await soon(() => answers.some(({ path }) => path === '/api/tag')).toBe(true)
    await page.waitForURL(`${origin}/api/tag`)
    expect(answers.filter(({ status }) => status !== 403)).toEqual([])
    const { sessions } = await asked<TagAnswer>(page, `${origin}/api/tags`)
    // The demo has tags and stars of its own.
    expect(sessions.filter(({ id }) => id.startsWith('277c0f2a'))).toEqual([])
  })
})
