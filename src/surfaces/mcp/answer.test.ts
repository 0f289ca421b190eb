import { setTimeout as pass } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { framed } from '../../render/frame.ts'
import { inParts, pageOf, quotedBytes } from './answer.ts'
import type { Entry, Listing } from './tool.ts'

const bounds = { question: 'which', offset: 0, limit: Number.POSITIVE_INFINITY, maxBytes: 8192 }

/** An endless list, and how much of it was read. */
function endless(entryOf: (number: number) => Entry): Listing & { taken(): number } {
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
  it('reads no more entries than fit, plus one to know whether there are more', async () => {
    const endlessList = endless((number) => ({ entry: { number } }))
    const { body, count } = await pageOf(endlessList, bounds, () => [])
    expect(endlessList.taken()).toBe(count + 1)
    const bytes = quotedBytes(framed(body))
    expect(bytes).toBeLessThanOrEqual(8192 - 1280)
    expect(bytes).toBeGreaterThan(8192 - 1280 - 100)
  })

  it('stops reading if its call is cancelled', async () => {
    const endlessList = endless((number) => {
      const until = performance.now() + 1
      while (performance.now() < until);
      return { entry: { number } }
    })
    const stop = new AbortController()
    const page = pageOf(endlessList, { ...bounds, offset: 1_000_000 }, () => [], stop.signal)
    await pass(30)
    stop.abort(new Error('enough'))
    await expect(page).rejects.toThrow('enough')
    const taken = endlessList.taken()
    await pass(20)
    expect(endlessList.taken()).toBe(taken)
  })

  it('names a session once, and contains as many notes as fit', async () => {
    const endlessList = endless((number) => ({
      entry: { number, text: 'x'.repeat(150) },
      session: { session: `s${number >> 2}` },
    }))
    const notes = Array.from({ length: 90 }, (_, index) => `${index} ${'note '.repeat(100)}`)
    const { body, count } = await pageOf(endlessList, { ...bounds, limit: 8 }, () => notes)
    expect([count, body.sessions]).toEqual([8, [{ session: 's0' }, { session: 's1' }]])
    const { notes: included, notesLeftOut } = body as { notes: string[]; notesLeftOut: number }
    expect(included.length + notesLeftOut).toBe(90)
    expect(quotedBytes(framed(body))).toBeLessThanOrEqual(8192)
  })
})

describe('a long text', () => {
  it('is split into parts that add up to it, and never within a character', () => {
    // The characters of two units begin at even positions in one, and at odd ones in the other.
    for (const text of ['🌱'.repeat(3000), `a${'🌱'.repeat(3000)}`]) {
      const parts = [...inParts({ cite: 'fern:1', text })]
      expect(parts.length).toBeGreaterThan(2)
      expect(parts.map((each) => each.text).join('')).toBe(text)
      for (const [index, each] of parts.entries()) {
        expect(String(each.text).isWellFormed()).toBe(true)
        expect(each).toMatchObject({ cite: 'fern:1', part: `${index + 1} of ${parts.length}` })
      }
    }
  })
})
