import { mkdirSync, renameSync } from 'node:fs'
import { type ClientRequest, createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { watchDisk } from '../../src/commands/serve/watch.ts'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { inventory } from '../../src/deliver/delivery/inventory.ts'
import { createEvents } from '../../src/surfaces/http/page/app.ts'
import type { Given, ReaderEvent } from '../../src/surfaces/http/page/protocol.ts'
import { createReader } from '../../src/surfaces/http/page/reader.ts'
import { createServerStore } from '../../src/surfaces/server-store.ts'
import { takeSnapshot } from '../../src/sync/snapshot.ts'
import { append, claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { contextFor, pageServer, token } from './page-server.ts'

vi.mock('../../src/sync/snapshot.ts', { spy: true })
vi.mock('../../src/deliver/delivery/inventory.ts', { spy: true })

/** An open connection to a stream of events. */
interface Stream {
  request: ClientRequest
  response: IncomingMessage
  /** Resolves when the text that arrived so far contains this. */
  has(words: string): Promise<string>
}

function connect(port: number, path = '/api/events'): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      let arrived = ''
      let check = (): void => {}
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        arrived += piece
        check()
      })
      response.on('error', () => {})
      const has = (words: string): Promise<string> =>
        new Promise((found) => {
          check = () => arrived.includes(words) && found(arrived)
          check()
        })
      resolve({ request, response, has })
    })
    request.on('error', reject)
    onTestFinished(() => void request.destroy())
  })
}

/** The flags that read a home of a test. */
const folderIn = (home: string): GlobalFlags => ({ claudeDir: [join(home, '.claude')] }) as GlobalFlags

/** A reader in this thread, with a home of its own. */
async function readerIn(home: string) {
  const data = join(home, 'data')
  const context = await contextFor(folderIn(home), data)
  const { environment, directory, here, dataFolder, machine, started, globalFlags } = context
  const events: ReaderEvent[] = []
  let check = (): void => {}
  const reader = createReader(
    {
      environment,
      directory,
      here,
      dataFolder,
      machine,
      started,
      threads: 1,
      indexes: true,
      storePath: join(data, 'store.sqlite'),
      globalFlags: globalFlags!,
    },
    (event) => {
      events.push(event)
      check()
    },
  )
  onTestFinished(reader.close)
  const { signal } = new AbortController()
  /** The bytes of an answer. */
  const ask = async (name: string, parameters: Extract<Given, { parameters: unknown }>['parameters']) => {
    const parts = await Array.fromAsync(reader.ask(signal, name, { parameters }))
    return Buffer.concat(parts.map(({ bytes }) => bytes)).toString()
  }
  /** The first event with this name. */
  const saw = (name: string): Promise<ReaderEvent> =>
    new Promise((resolve) => {
      check = () => {
        const seen = events.find((event) => event.name === name)
        if (seen) resolve(seen)
      }
      check()
    })
  return { ask, watch: (on: boolean) => reader.watch(signal, on).next(), saw }
}

const looks = (): number => vi.mocked(takeSnapshot).mock.calls.length + vi.mocked(inventory).mock.calls.length

describe('the events of the page', () => {
  it('say what was written, to every page', async () => {
    const home = temporaryHome()
    const lines = [claude.user(1, 'Where do the ferns grow?'), claude.reply(2, [text('In the shade.')])]
    const path = putClaude(home, uuid(1), lines)
    const { port, ask } = await pageServer(folderIn(home), { data: join(home, 'data') })
    const streams = await Promise.all([connect(port), connect(port)])
    for (const { has } of streams) await has('event: hello\ndata: {"version":1}\n\n')
    const now = { timestamp: new Date().toISOString() }
    // It is answered after the server has begun to watch.
    await ask('/api/overview')
    append(path, claude.user(3, 'And the moss?', now))
    for (const { has } of streams) {
      const arrived = await has('And the moss?')
      expect(arrived).toMatch(/event: changed\ndata: \{"version":1,"sessions":\[\{.*"items":3/)
      const item = /event: activity\ndata: (.*)\n/.exec(arrived)![1]!
      expect(JSON.parse(item)).toMatchObject({ who: 'human', text: 'And the moss?', line: 3, path })
    }
  })

  it('say once what was written, also after its file has moved, and when a fork has it', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'Where do the ferns grow?')])
    const { port, ask } = await pageServer(folderIn(home), { data: join(home, 'data') })
    const { has } = await connect(port)
    await has('event: hello')
    await ask('/api/overview')
    const now = { timestamp: new Date().toISOString() }
    const moss = claude.user(3, 'And the moss?', now)
    append(path, moss)
    await has('And the moss?')
    const moved = join(home, '.claude/projects/-home-ann-shed', `${uuid(1)}.jsonl`)
    mkdirSync(dirname(moved))
    renameSync(path, moved)
    append(moved, claude.user(4, 'Who moved us?', now))
    await has('Who moved us?')
    const forkedFrom = { sessionId: uuid(1), messageUuid: moss.uuid }
    putClaude(home, uuid(2), [
      { ...moss, sessionId: uuid(2), forkedFrom },
      claude.user(5, 'And the cups?', { ...now, sessionId: uuid(2) }),
    ])
    const arrived = await has('And the cups?')
    const texts = [...arrived.matchAll(/event: activity\ndata: (.*)\n/g)].map(
      ([, item]) => JSON.parse(item!).text,
    )
    expect(texts).toEqual(['And the moss?', 'Who moved us?', 'And the cups?'])
  })

  it('say what was written after the look at the disk that a refresh follows', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'Where do the ferns grow?')])
    const context = await contextFor(folderIn(home), join(home, 'data'))
    const serverStore = createServerStore(context)
    onTestFinished(() => serverStore.close())
    let isFirst = true
    const item = await new Promise((activity) => {
      const unwatch = watchDisk({
        context,
        store: () => serverStore.context([]).fresh.store,
        refresh(willWrite) {
          const now = { timestamp: new Date().toISOString() }
          if (isFirst) append(path, claude.user(2, 'And the moss?', now))
          isFirst = false
          return serverStore.refresh([], willWrite)
        },
        changed() {},
        activity,
      })
      onTestFinished(unwatch)
    })
    expect(item).toMatchObject({ text: 'And the moss?', line: 2 })
  })

  it('cost one refresh for each change, and no look at the disk for questions or without a page', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'Where do the ferns grow?')])
    const { ask, watch, saw } = await readerIn(home)
    vi.clearAllMocks()
    await watch(true)
    const first = looks()
    expect(first).toBeGreaterThan(0)
    // Questions ask the store, and not the disk. Once, new watches are followed by a scan and a refresh.
    for (let id = 1; id <= 20; id++)
      expect(await ask('sessions', { all: ['true'] })).toContain('Where do the ferns grow?')
    expect(looks() - first).toBeLessThanOrEqual(2)
    append(path, claude.user(2, 'And the moss?'))
    await saw('changed')
    // The comparison with what is stored, and the refresh.
    expect(looks() - first).toBeLessThanOrEqual(4)
    await watch(false)
    const last = looks()
    append(path, claude.user(3, 'And the ivy?'))
    await ask('openapi.json', {})
    expect(looks() - last).toBeLessThanOrEqual(2)
  })

  it('say how far a long question is', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Where do the ferns grow?')])
    const { ask, saw } = await readerIn(home)
    await ask('secrets', { all: ['true'] })
    const { all, ...rest } = JSON.parse((await saw('progress')).data)
    expect(rest).toEqual({ version: 1, question: 'secrets', done: all })
    expect(all).toBeGreaterThan(0)
  })
})

describe('the connections of pages', () => {
  /** A server that only sends events. */
  async function eventServer() {
    const watched: boolean[] = []
    const events = createEvents((on) => void watched.push(on))
    const server = createServer((_, response) => void events.add(response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return { events, watched, port: (server.address() as AddressInfo).port }
  }

  it('start following the disk with the first, and end it with the last', async () => {
    const { events, watched, port } = await eventServer()
    const streams = await Promise.all(Array.from({ length: 5 }, () => connect(port)))
    expect([watched, events.state().clients]).toEqual([[true], 5])
    for (const { request } of streams.slice(1)) request.destroy()
    await vi.waitUntil(() => events.state().clients === 1, { timeout: 120_000 })
    expect(watched).toEqual([true])
    streams[0]!.request.destroy()
    await vi.waitUntil(() => events.state().clients === 0, { timeout: 120_000 })
    expect(watched).toEqual([true, false])
  })

  it('hold a bounded number of bytes for 200 pages that do not read, and drop them', async () => {
    const { events, port } = await eventServer()
    const streams = await Promise.all(Array.from({ length: 201 }, () => connect(port)))
    const [reading, ...others] = streams
    await reading!.has('hello')
    for (const { response } of others) response.pause()
    const data = JSON.stringify({ text: 'x'.repeat(64 * 1024) })
    let most = 0
    for (let round = 0; round < 400 && events.state().clients > 1; round++) {
      events.send('activity', data)
      most = Math.max(most, events.state().bytes)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await vi.waitUntil(() => events.state().clients <= 1, { timeout: 120_000 })
    expect(most).toBeLessThanOrEqual(201 * 256 * 1024)
    events.send('activity', '{"last":true}')
    // The one that reads gets everything, or was dropped too on a very slow machine.
    if (events.state().clients === 1) await reading!.has('"last":true')
  })
})
