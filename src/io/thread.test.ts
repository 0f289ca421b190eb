import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ScrollbackError } from '../errors.ts'
import { startThread } from './thread.ts'

/** What the thread of these tests can be asked for. */
interface Asked {
  count(stop: AbortSignal, upTo: number): AsyncGenerator<number, void>
  bytes(stop: AbortSignal, parts: number): AsyncGenerator<{ bytes: Uint8Array }, void>
  fail(stop: AbortSignal, after: number, kind: string): AsyncGenerator<number, void>
  taken(stop: AbortSignal): AsyncGenerator<number, void>
  endless(stop: AbortSignal): AsyncGenerator<number, void>
  say(stop: AbortSignal, words: string): AsyncGenerator<never, void>
  leave(stop: AbortSignal): AsyncGenerator<never, void>
}

const SCRIPT = (path: (name: string) => string) => `
import { ScrollbackError } from '${path('../errors.ts')}'
import { sendEvent, serveThread } from '${path('./thread.ts')}'
let taken = 0
serveThread({
  async *count(_, upTo) { for (let n = 1; n <= upTo; n++) { taken = n; yield n } },
  async *bytes(_, parts) { for (let n = 0; n < parts; n++) { taken = n; yield { bytes: new Uint8Array([n]) } } },
  async *fail(_, after, kind) {
    for (let n = 1; n <= after; n++) yield n
    if (kind === 'own') throw new TypeError('a bug')
    if (kind === 'system') throw Object.assign(new Error('not there'), { code: 'ENOENT' })
    throw Object.assign(new ScrollbackError('several-sessions', 'two of them', 'Name one.'), { matches: ['a', 'b'] })
  },
  async *taken() { yield taken },
  async *endless(stop) {
    await new Promise((resolve) => stop.addEventListener('abort', resolve))
    sendEvent('stopped')
  },
  async *say(_, words) { sendEvent(words) },
  async *leave() { process.exit(3) },
}, () => sendEvent('closed'))
`

/** A thread that runs the script above, and the events that it sent. */
function threadForTest() {
  const folder = mkdtempSync(join(tmpdir(), 'thread-'))
  const script = join(folder, 'script.ts')
  writeFileSync(
    script,
    SCRIPT((name) => new URL(name, import.meta.url).href),
  )
  const events: unknown[] = []
  const thread = startThread<Asked>(pathToFileURL(script), {}, (event) => events.push(event))
  onTestFinished(async () => {
    await thread.end(new Error('over'))
    rmSync(folder, { recursive: true })
  })
  return { thread, events }
}

describe('a thread', () => {
  it('yields the values of an operation in order, and ends the iteration with the last', async () => {
    const { thread } = threadForTest()
    const values = await Array.fromAsync(thread.run('count', [200]))
    expect([values.length, values[0], values.at(-1)]).toEqual([200, 1, 200])
    expect(await Array.fromAsync(thread.run('count', [0]))).toEqual([])
  })

  it('computes no more than a message ahead of what was taken', async () => {
    const { thread } = threadForTest()
    const values = thread.run('count', [1000])
    for (let n = 0; n < 65; n++) await values.next()
    expect(await thread.first('taken', [])).toBe(128)
    await values.return()
  })

  it('sends each value with bytes when it is there', async () => {
    const { thread } = threadForTest()
    const values = thread.run('bytes', [3])
    expect((await values.next()).value).toEqual({ bytes: new Uint8Array([0]) })
    expect(await thread.first('taken', [])).toBe(0)
    expect((await Array.fromAsync(values)).map(({ bytes }) => bytes[0])).toEqual([1, 2])
  })

  it('runs several operations at once', async () => {
    const { thread } = threadForTest()
    const all = await Promise.all([3, 100, 70].map((upTo) => Array.fromAsync(thread.run('count', [upTo]))))
    expect(all.map(({ length }) => length)).toEqual([3, 100, 70])
  })

  it('restores the error with which an operation fails', async () => {
    const { thread } = threadForTest()
    const expected = await Array.fromAsync(thread.run('fail', [2, 'expected'])).catch((error) => error)
    expect(expected).toBeInstanceOf(ScrollbackError)
    expect({ ...expected, message: expected.message }).toMatchObject({
      code: 'several-sessions',
      message: 'two of them',
      wayOut: 'Name one.',
      matches: ['a', 'b'],
    })
    const system = await thread.first('fail', [0, 'system']).catch((error) => error)
    expect([system.message, system.code]).toEqual(['not there', 'ENOENT'])
    const own = await thread.first('fail', [0, 'own']).catch((error) => error)
    expect(own.stack).toContain('script.ts')
  })

  it('cancels an operation whose values are no longer wanted, and answers the next', async () => {
    const { thread, events } = threadForTest()
    const stop = new AbortController()
    const endless = thread.run('endless', [], stop.signal).next()
    expect(await thread.first('count', [1])).toBe(1)
    stop.abort(new Error('nobody waits'))
    await expect(endless).rejects.toThrow('nobody waits')
    expect(await thread.first('count', [1])).toBe(1)
    expect(events).toEqual(['stopped'])
    expect(thread.waiting()).toBe(0)
  })

  it('sends events in between', async () => {
    const { thread, events } = threadForTest()
    await thread.first('say', ['hello'])
    expect(events).toEqual(['hello'])
  })

  it('closes what it has open before it ends, and rejects what still runs', async () => {
    const { thread, events } = threadForTest()
    const endless = thread.run('endless', []).next()
    endless.catch(() => {})
    await thread.end(new Error('the end'))
    await expect(endless).rejects.toThrow('the end')
    expect(events).toContain('closed')
    await expect(thread.first('count', [1])).rejects.toThrow('the end')
    await thread.end(new Error('again'))
  })

  it('rejects what still runs if it ends by itself', async () => {
    const { thread } = threadForTest()
    await expect(thread.first('leave', [])).rejects.toThrow('the thread has ended')
  })
})
