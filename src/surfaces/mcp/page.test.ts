import { setTimeout as pass } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { framed } from './frame.ts'
import { pageOf } from './page.ts'
import type { Entry, Told } from './tool.ts'

const bounds = { question: 'which', offset: 0, limit: Number.POSITIVE_INFINITY, maxBytes: 8192 }

/** A list without an end, and how much of it was taken. */
function endless(entryOf: (number: number) => Entry): Told & { taken(): number } {
  let taken = 0
  return {
    head: { total: 'many' },
    list: 'items',
    taken: () => taken,
    *entries() {
      for (;;) yield entryOf(taken++)
    },
  }
}

describe('a page', () => {
  it('takes no more than fits, and one to see that there is more', async () => {
    const told = endless((number) => ({ entry: { number } }))
    const { body, count } = await pageOf(told, bounds, [])
    expect(told.taken()).toBe(count + 1)
    const bytes = Buffer.byteLength(framed(body))
    expect(bytes).toBeLessThanOrEqual(8192)
    expect(bytes).toBeGreaterThan(8100)
  })

  it('stops looking where its call is not wanted any more', async () => {
    const told = endless((number) => {
      const until = performance.now() + 1
      while (performance.now() < until);
      return { entry: { number } }
    })
    const stop = new AbortController()
    const page = pageOf(told, { ...bounds, offset: 1_000_000 }, [], stop.signal)
    await pass(30)
    stop.abort(new Error('enough'))
    await expect(page).rejects.toThrow('enough')
    const taken = told.taken()
    await pass(20)
    expect(told.taken()).toBe(taken)
  })

  it('names a session once, and says what else is to be said as far as there is room', async () => {
    const told = endless((number) => ({
      entry: { number, text: 'x'.repeat(150) },
      session: { session: `s${number >> 2}` },
    }))
    const notes = Array.from({ length: 90 }, (_, index) => `${index} ${'note '.repeat(100)}`)
    const { body, count } = await pageOf(told, { ...bounds, limit: 8 }, notes)
    expect([count, body.sessions]).toEqual([8, [{ session: 's0' }, { session: 's1' }]])
    const { notes: said, notesLeftOut } = body as { notes: string[]; notesLeftOut: number }
    expect(said.length + notesLeftOut).toBe(90)
    expect(Buffer.byteLength(framed(body))).toBeLessThanOrEqual(8192)
  })
})
