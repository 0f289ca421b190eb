import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commands } from '../../src/commands/index.ts'
import { pageFiles } from '../../src/commands/serve/page.ts'
import { createAccess } from '../../src/surfaces/http/page/access.ts'
import { createApp, createEvents } from '../../src/surfaces/http/page/app.ts'
import { endpoints, type Given } from '../../src/surfaces/http/page/protocol.ts'
import type { Readers } from '../../src/surfaces/http/page/readers.ts'
import { builtPage, token } from './page-server.ts'

/** A server with one endpoint that changes something. */
async function server() {
  const changes: Given[] = []
  const readers: Readers = {
    methodOf: (name) => (name === 'tag' ? 'POST' : undefined),
    async ask(_, given) {
      changes.push(given)
      return { status: 200, type: 'application/json', notes: [], first: Buffer.from('{"version":1}\n') }
    },
    lookAhead: () => {},
    watch: () => {},
    end: async () => {},
  }
  const access = createAccess({ token, names: [], secure: false })
  const events = createEvents(() => {})
  const app = createApp({ access, readers, events, files: pageFiles(builtPage()), fault: () => {} })
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const own = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    own.closeAllConnections()
    own.close()
  })
  const { port } = own.address() as AddressInfo
  const headers = {
    authorization: `Bearer ${token}`,
    origin: `http://127.0.0.1:${port}`,
    'content-type': 'application/json; charset=utf-8',
  }
  const post = (body: string, changed: Record<string, string | undefined> = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const all = Object.entries({ ...headers, ...changed }).filter(([, value]) => value !== undefined)
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path: '/api/tag',
          method: 'POST',
          headers: Object.fromEntries(all) as never,
          agent: false,
        },
        (response) => {
          response.resume()
          resolve(response.statusCode!)
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  return { post, changes }
}

const STAR = '{"session":"640ab4c7","star":true}'

describe('a request that changes something', () => {
  it('is accepted from the page itself, as a JSON object', async () => {
    const { post, changes } = await server()
    expect(await post(STAR)).toBe(200)
    expect(changes).toEqual([{ fields: { session: '640ab4c7', star: true } }])
  })

  it('is refused without the token, from elsewhere, or as what a form can send', async () => {
    const { post, changes } = await server()
    const refused = [
      await post(STAR, { authorization: undefined }),
      await post(STAR, { authorization: 'Bearer wrong' }),
      await post(STAR, { origin: undefined }),
      await post(STAR, { origin: 'http://evil.example' }),
      await post(STAR, { origin: 'null' }),
      await post(STAR, { 'sec-fetch-site': 'cross-site' }),
      await post(STAR, { 'content-type': 'text/plain' }),
      await post(STAR, { 'content-type': 'application/x-www-form-urlencoded' }),
      await post(STAR, { 'content-type': undefined }),
    ]
    expect(refused).toEqual([401, 401, 403, 403, 403, 403, 415, 415, 415])
    expect(changes).toEqual([])
  })

  it('is refused if its body is no JSON object, or too large', async () => {
    const { post, changes } = await server()
    const bodies = ['', '{', '[]', 'null', '"text"', '1', `{"name":"${'x'.repeat(70_000)}"}`]
    expect(await Promise.all(bodies.map((body) => post(body)))).toEqual([400, 400, 400, 400, 400, 400, 413])
    expect(changes).toEqual([])
  })
})

/** Commands that start something, write files, or change the machine, or show what the page has elsewhere. */
const WITHOUT_ENDPOINT = {
  statusline: 'one line of another program, from its standard input',
  follow: 'the page has events',
  forget: 'deletes',
  collect: 'delivers; the page shows the state of destinations',
  recall: 'for the hook of a client, from its standard input',
  receive: 'a server',
  store: 'writes stores',
  serve: 'the page itself',
  keep: 'archives, and installs a service',
  restore: 'writes below the folders of agents',
  pack: 'writes a file',
  handoff: 'starts another client',
  unpack: 'writes below the folders of agents',
  move: 'writes below the folders of agents',
  mcp: 'a server',
  setup: 'changes the settings of other programs',
  meaning: 'decides where texts are sent',
  index: 'every answer indexes what is new first',
}

it('every command has an endpoint, or a reason to have none', () => {
  const missing = Object.keys(commands).filter((name) => !endpoints.has(name))
  expect(missing.sort()).toEqual(Object.keys(WITHOUT_ENDPOINT).sort())
})
