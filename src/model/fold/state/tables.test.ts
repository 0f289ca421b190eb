import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hashText } from '../../hash.ts'
import { IdTable, type IdTableState } from './id-table.ts'
import { LongList, type LongListState } from './long-list.ts'
import type { ChangedParts, StateParts } from './parts.ts'
import { ID_PAGE } from './sizes.ts'

/** Stored parts, as a store has them after several writes. */
function storedParts() {
  const stored: ChangedParts = new Map()
  const loaded: string[] = []
  const parts: StateParts = {
    load(name) {
      if (!stored.has(name)) throw new Error(`No part ${name}`)
      loaded.push(name)
      return stored.get(name)
    },
  }
  return { stored, loaded, parts }
}

const hashOf = (text: string) => {
  const hash = { high: 0, low: 0 }
  hashText(text, hash)
  return hash
}

it('a table that is stored and resumed at any time has the same entries as a map', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(sizes, fc.nat(), (counts, seed) => {
      const { stored, parts } = storedParts()
      const expected = new Map<string, number>()
      let state: IdTableState | undefined
      for (const [round, count] of counts.entries()) {
        const table = new IdTable('ids', parts, state)
        for (let index = 0; index < count; index++) {
          const id = `${seed} ${(index * (round + 1) * 7) % 5000}`
          const flags = 1 + ((index + round) % 7)
          table.put(hashOf(id), flags, { high: index, low: -round })
          expected.set(id, flags)
        }
        state = table.save(stored)
      }
      const table = new IdTable('ids', parts, state)
      expect(table.size).toBe(expected.size)
      for (const [id, flags] of expected) expect(table.get(hashOf(id))).toBe(flags)
      expect(table.get(hashOf('unknown'))).toBe(0)
    }),
    { numRuns: 20 },
  )
})

it('a long table loads and stores only the page of an entry', () => {
  const { stored, loaded, parts } = storedParts()
  const first = new IdTable('ids', parts)
  for (let index = 0; index < 40 * ID_PAGE; index++) first.put(hashOf(`id ${index}`), 1)
  const table = new IdTable('ids', parts, first.save(stored))
  expect(table.get(hashOf('id 7'))).toBe(1)
  table.put(hashOf('id 7'), 3)
  const changed: ChangedParts = new Map()
  table.save(changed)
  expect([...changed.keys()]).toEqual(loaded)
  expect(loaded).toHaveLength(1)
})

it('a list that is stored and resumed at any time has the same entries as an array', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { maxLength: 12 }), (counts) => {
      const { stored, parts } = storedParts()
      const expected: number[] = []
      let state: LongListState<number> | undefined
      for (const [round, count] of counts.entries()) {
        const list = new LongList<number>('list', 4, parts, state)
        if (round % 5 === 4) {
          list.replace([...list.all()].slice(2))
          expected.splice(0, 2)
        }
        expect(list.resumedFrom === 0 || list.resumedFrom === expected.length).toBe(true)
        for (let index = 0; index < count; index++) {
          list.push(round * 100 + index)
          expected.push(round * 100 + index)
        }
        expect(list.last).toBe(expected.at(-1))
        expect(list.from(Math.max(0, expected.length - 3))).toEqual(expected.slice(-3))
        state = list.save(stored)
      }
      expect(new LongList('list', 4, parts, state).all()).toEqual(expected)
    }),
  )
})
