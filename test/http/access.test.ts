import { mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { pageFiles } from '../../src/commands/serve/page.ts'
import { trustedProxy } from '../../src/commands/serve/serve.ts'
import { createAccess } from '../../src/surfaces/http/page/access.ts'
import { builtPage, demoServer, pageServer, sharedServer, token } from './page-server.ts'

const PATHS = ['/api/sessions', '/api/events', '/api/openapi.json', '/api/nothing', '/api/image', '/api/']

describe('the token of the page', () => {
  it('is wanted by everything below /api, and a wrong one is refused', async () => {
    const { bare, faults } = await demoServer()
    for (const path of PATHS)
      for (const headers of [
        {},
        { authorization: 'Bearer wrong' },
        { authorization: `Basic ${token}` },
        { authorization: `Bearer ${token}x` },
        { cookie: `scrollback=${token}` },
        { cookie: '=; ; scrollback' },
      ]) {
        const { status, text } = await bare(path, headers)
        expect([path, headers, status]).toEqual([path, headers, 401])
        expect(Object.keys(JSON.parse(text) as object)).toEqual(['version', 'error', 'hint'])
      }
    expect(faults).toEqual([])
  })

  it('becomes a cookie and a key, which are worth nothing alone, and leaves the address', async () => {
    const { bare, port } = await demoServer()
    const { status, headers } = await bare(`/session/640ab4c7/5?q=a%26b&token=${token}`)
    const [, address, key] = /^(.*)#key=([\w-]{32})$/.exec(headers.location!)!
    expect([status, address]).toEqual([303, '/session/640ab4c7/5?q=a%26b'])
    const [cookie] = headers['set-cookie']!
    // A browser forgets it when it ends.
    expect(cookie).toMatch(new RegExp(`^scrollback-${port}=[\\w-]{32}; HttpOnly; SameSite=Strict; Path=/$`))
    const own = cookie!.split(';')[0]!
    const both = { cookie: `other=1; ${own}`, 'scrollback-key': key }
    expect((await bare('/api/live', both)).status).toBe(200)
    for (const path of PATHS)
      for (const given of [
        // All servers of this machine get the cookie.
        { cookie: own },
        { cookie: own, 'scrollback-key': '' },
        { cookie: own, 'scrollback-key': `${key}x` },
        { cookie: own, 'scrollback-key': own.split('=')[1] },
        { 'scrollback-key': key },
        { ...both, cookie: own.replace(String(port), '1') },
        { ...both, cookie: `${own}x` },
        // A wrong token in a header is not excused by a cookie.
        { ...both, authorization: 'Bearer wrong' },
      ])
        expect([path, given, (await bare(path, given)).status]).toEqual([path, given, 401])
  })

  it('sends a person with an old address to the page, and refuses a program', async () => {
    const { bare } = await demoServer()
    const address = '/session/640ab4c7?q=a&token=old'
    const person = await bare(address, { accept: 'text/html,application/xhtml+xml' })
    expect([person.status, person.headers.location]).toEqual([303, '/session/640ab4c7?q=a'])
    expect(person.headers['set-cookie']).toBeUndefined()
    expect((await bare(address)).status).toBe(401)
  })

  it('is not read from a request with two Host headers', async () => {
    const { port } = await demoServer()
    const answered = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.end(
          `GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
        )
      })
      let text = ''
      socket.on('data', (part) => {
        text += part.toString()
      })
      socket.on('close', () => resolve(text))
    })
    expect(answered).toMatch(/^HTTP\/1\.1 40[03] /)
  })

  it('signs browsers in apart from each other, and one that is signed in keeps its key', async () => {
    const { bare } = await demoServer()
    const enter = async (cookie?: string) => {
      const { headers } = await bare(`/?token=${token}`, cookie === undefined ? {} : { cookie })
      return { cookie: headers['set-cookie']![0]!.split(';')[0]!, key: headers.location!.split('#key=')[1]! }
    }
    const [one, other] = [await enter(), await enter()]
    expect((await bare('/api/live', { cookie: one.cookie, 'scrollback-key': other.key })).status).toBe(401)
    expect(await enter(one.cookie)).toEqual(one)
  })

  it('signs a browser in for some hours after its last request, or for as long as it is open', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => now.mockRestore())
    const access = createAccess({ token, names: [], secure: false })
    const from = (headers: Record<string, string>) =>
      ({ headers, socket: { localPort: 1 } }) as unknown as IncomingMessage
    const { cookie, key } = access.enter(token, from({}))!
    const request = from({ cookie: cookie.split(';')[0]!, 'scrollback-key': key })
    const hours = (number: number): void => void now.mockReturnValue(number * 3600_000)
    hours(3)
    expect(access.isKnown(request)).toBe(true)
    hours(6)
    expect(access.isKnown(request)).toBe(true)
    const stream = access.hold(request)
    hours(90)
    expect(access.isKnown(request)).toBe(true)
    hours(180)
    stream.ended()
    hours(183)
    expect(access.isKnown(request)).toBe(true)
    hours(188)
    expect(access.isKnown(request)).toBe(false)
  })

  it('gives no cookie for a wrong token, and redirects to no other host', async () => {
    const { bare } = await demoServer()
    const wrong = await bare('/?token=wrong')
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined])
    for (const path of ['//evil.example/', '///evil.example', '/%2f/evil.example', '/\\evil.example']) {
      const { headers } = await bare(`${path}?token=${token}`)
      expect(headers.location ?? '/').toMatch(/^\/(?![/\\])/)
    }
  })

  it('can be replaced by a code, once, and a code that was used twice opens nothing', async () => {
    const { bare, code } = await demoServer()
    const once = code()
    const { status, headers } = await bare(`/sessions?code=${once}`)
    const [address, key] = headers.location!.split('#key=')
    expect([status, address]).toEqual([303, '/sessions'])
    const entered = { cookie: headers['set-cookie']![0]!.split(';')[0]!, 'scrollback-key': key }
    expect((await bare('/api/live', entered)).status).toBe(200)
    expect((await bare('/api/live', { authorization: `Bearer ${code()}` })).status).toBe(401)
    // Whoever read it from the list of processes was first, or the user was.
    expect((await bare(`/?code=${once}`)).status).toBe(401)
    expect((await bare('/api/live', entered)).status).toBe(401)
  })

  it('is never part of an answer or of a fault', async () => {
    const { ask, bare, faults } = await demoServer()
    const answers = [
      ...(await Promise.all(
        ['/', '/api/openapi.json', '/api/nothing', '/api/doctor'].map((path) => ask(path)),
      )),
      ...(await Promise.all([
        bare(`/?token=${token}`),
        bare(`/?token=${token}x`),
        bare(`/api/x?token=${token}`),
      ])),
    ]
    expect(JSON.stringify([answers.map(({ headers, text }) => [headers, text]), faults])).not.toContain(token)
  })
})

describe('the names of the server', () => {
  it('are its own, and a forged or rebound one is refused with the way to allow it', async () => {
    const { ask, port } = await demoServer()
    for (const host of [`127.0.0.1:${port}`, '127.0.0.1', `localhost:${port}`, 'LOCALHOST'])
      expect([host, (await ask('/api/live', { host })).status]).toEqual([host, 200])
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '10.0.0.1',
      '[::1]',
      'my.machine',
    ])
      for (const path of ['/', '/api/live', `/?token=${token}`]) {
        const { status, text, headers } = await ask(path, { host })
        expect([host, path, status, headers['set-cookie']]).toEqual([host, path, 403, undefined])
        expect(text).toContain('--allow-host')
      }
  })

  it('include those that the user allows', async () => {
    const { ask } = await pageServer({ demo: true }, { names: ['my.machine'] })
    expect((await ask('/api/live', { host: 'My.Machine:8080' })).status).toBe(200)
    expect((await ask('/api/live', { host: 'my.machine.example' })).status).toBe(403)
  })
})

describe('a request of another page', () => {
  it('is refused by its Origin', async () => {
    const { ask, origin } = await demoServer()
    expect((await ask('/api/live', { origin })).status).toBe(200)
    for (const foreign of [
      'https://evil.example',
      'http://127.0.0.1:1',
      'http://localhost',
      'null',
      'file://',
    ])
      for (const path of ['/api/live', '/', '/icon.svg'])
        expect([foreign, path, (await ask(path, { origin: foreign })).status]).toEqual([foreign, path, 403])
  })

  it('is refused if a script, an image or a form of that page sent it', async () => {
    const { ask } = await demoServer()
    const cases = [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ]
    for (const headers of cases)
      for (const path of ['/api/live', '/api/events', '/'])
        expect([headers, path, (await ask(path, headers)).status]).toEqual([headers, path, 403])
    const form = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    expect((await ask('/api/live', form)).status).toBe(403)
    expect((await ask('/sessions', form, 'POST')).status).toBe(403)
    // A link on another page. What it opens holds no data yet.
    expect((await ask('/sessions', form)).status).toBe(200)
    const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
    expect((await ask('/api/live', own)).status).toBe(200)
  })
})

it('a method other than GET changes nothing and is refused', async () => {
  const { ask, origin } = await demoServer()
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])
    for (const path of ['/', '/api/live', '/api/events', '/icon.svg']) {
      const { status, headers } = await ask(path, { origin }, method)
      expect([method, path, status, headers.allow]).toEqual([method, path, 405, 'GET'])
    }
  expect((await ask('/', {}, 'HEAD')).status).toBe(200)
})

describe('the files of the page', () => {
  it('need no token, and every other address is the page itself', async () => {
    const { bare } = await demoServer()
    for (const path of [
      '/',
      '/sessions',
      '/session/640ab4c7/5',
      '/project/a.b',
      '/index.html',
      '/search?q=tax',
    ]) {
      const { status, text, headers } = await bare(path)
      expect([path, status, text]).toEqual([path, 200, '<!doctype html><title>page</title>\n'])
      expect(headers['cache-control']).toBe('no-cache')
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
      expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    expect((await bare('/icon.svg')).headers['content-type']).toBe('image/svg+xml')
    expect((await bare('/assets/gone-0a1b2c3d.js')).status).toBe(404)
  })

  it('are kept by browsers for as long as their name has a hash, and sent compressed if they are', async () => {
    const { bare } = await demoServer()
    const path = '/assets/index-0a1b2c3d.js'
    const plain = await bare(path)
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    const packed = await bare(path, { 'accept-encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.text)
  })

  it('are the only files that an address leads to', async () => {
    const folder = builtPage()
    mkdirSync(join(folder, '../other'))
    writeFileSync(join(folder, '../other/secret.txt'), 'a secret\n')
    const { bare } = await pageServer({ demo: true }, { files: pageFiles(folder) })
    for (const path of [
      '/../other/secret.txt',
      '/%2e%2e/other/secret.txt',
      '/..%2fother%2fsecret.txt',
      '/..\\other\\secret.txt',
      '/assets/../../other/secret.txt',
      '/assets/%2e%2e%2f%2e%2e%2fother/secret.txt',
      '//other/secret.txt',
      `/${join(folder, '../other/secret.txt')}`,
      '/%00',
      '/assets/%',
      '/./././../other/secret.txt',
    ]) {
      const { status, text } = await bare(path)
      expect([path, text.includes('secret')]).toEqual([path, false])
      expect([200, 400, 404]).toContain(status)
    }
  })
})

describe('a proxy that signs users in', () => {
  const header = 'x-forwarded-email'
  const behind = sharedServer(
    { demo: true },
    { proxy: { header, addresses: ['127.0.0.1'] }, names: ['page.example.org'] },
  )

  it('needs no token if it names a user, and the token still works', async () => {
    const { bare, ask } = await behind()
    const named = { [header]: 'ann@example.org' }
    expect((await bare('/api/live', named)).status).toBe(200)
    expect((await bare('/api/live', { ...named, host: 'page.example.org' })).status).toBe(200)
    // oauth2-proxy can pass on a header of its own.
    expect((await bare('/api/live', { ...named, authorization: 'Bearer of-the-provider' })).status).toBe(200)
    expect((await ask('/api/live')).status).toBe(200)
  })

  it('is refused without a user, and everyone else with one', async () => {
    const trusted = await behind()
    for (const headers of [{}, { [header]: '' }, { [header]: ' ' }, { 'x-forwarded-user': 'ann' }])
      expect((await trusted.bare('/api/live', headers)).status).toBe(401)
    const elsewhere = await pageServer({ demo: true }, { proxy: { header, addresses: ['192.0.2.7', '::1'] } })
    for (const headers of [
      { [header]: 'ann@example.org' },
      {
        [header]: 'ann@example.org',
        'x-forwarded-for': '192.0.2.7',
        forwarded: 'for=192.0.2.7',
        'x-real-ip': '192.0.2.7',
      },
    ])
      expect((await elsewhere.bare('/api/live', headers)).status).toBe(401)
    expect((await elsewhere.ask('/api/live')).status).toBe(200)
  })

  it('does not open the page to other names of the server, or to other pages', async () => {
    const { bare } = await behind()
    const named = { [header]: 'ann@example.org' }
    expect((await bare('/api/live', { ...named, host: 'evil.example' })).status).toBe(403)
    expect((await bare('/api/live', { ...named, origin: 'https://evil.example' })).status).toBe(403)
    expect((await bare('/api/live', { ...named, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  it('is no part of a server without one', async () => {
    const { bare } = await demoServer()
    expect((await bare('/api/live', { [header]: 'ann@example.org' })).status).toBe(401)
  })

  it.each([
    [{ trustProxy: ['127.0.0.1'] }, 'belong together'],
    [{ trustProxy: [], trustProxyHeader: 'X-User' }, 'belong together'],
    [{ trustProxy: ['proxy.example'], trustProxyHeader: 'X-User' }, 'not an IP address'],
    [{ trustProxy: ['127.0.0.1'], trustProxyHeader: 'Cookie' }, 'only a proxy sets'],
    [{ trustProxy: ['127.0.0.1'], trustProxyHeader: 'X User' }, 'only a proxy sets'],
  ])('is refused as %j', (given, message) => {
    expect(() => trustedProxy(given)).toThrow(message)
  })

  it('is known by its address, however that is written', () => {
    expect(trustedProxy({ trustProxy: ['::ffff:10.0.0.7'], trustProxyHeader: 'X-User' })).toEqual({
      header: 'x-user',
      addresses: ['10.0.0.7'],
    })
  })
})
