import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashText, type IdHash, IdMap, IdSet } from './hash.ts'

const hashOf = (text: string): IdHash => {
  const hash = { high: 0, low: 0 }
  hashText(text, hash)
  return hash
}

describe('hashes of ids', () => {
  it('differ for different ids, and never have the value for an empty entry', () => {
    const hashes = new Set<string>()
    for (let number = 0; number < 50_000; number++) {
      const { high, low } = hashOf(`ea570000-0000-4000-8000-${number}`)
      expect(low).not.toBe(0)
      hashes.add(`${high}.${low}`)
    }
    expect(hashes.size).toBe(50_000)
  })
})

describe('sets and maps of hashes', () => {
  it('behave as those of texts, whatever their initial size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 300 }),
        fc.nat(400),
        (pairs, room) => {
          const expected = new Map<string, string>()
          const seen = new IdSet()
          const map = new IdMap(room)
          for (const [key, value] of pairs) {
            expect(seen.add(hashOf(key))).toBe(!expected.has(key))
            expected.set(key, value)
            map.set(hashOf(key), hashOf(value))
          }
          expect([seen.size, map.size]).toEqual([expected.size, expected.size])
          const found = { high: 0, low: 0 }
          for (const [key, value] of expected) {
            expect(seen.has(hashOf(key)) && map.has(hashOf(key))).toBe(true)
            map.get(hashOf(key), found)
            expect(found).toEqual(hashOf(value))
          }
          map.get(hashOf('surely not among them'), found)
          expect(found).toEqual({ high: 0, low: 0 })
        },
      ),
    )
  })

  it('grow far beyond their first size', () => {
    const seen = new IdSet()
    for (let number = 0; number < 20_000; number++) seen.add(hashOf(`id ${number}`))
    expect(seen.size).toBe(20_000)
    expect(seen.has(hashOf('id 19999'))).toBe(true)
  })

  it('read and write a value through one object', () => {
    const map = new IdMap()
    map.set(hashOf('a'), hashOf('b'))
    const both = hashOf('a')
    map.get(both, both)
    expect(both).toEqual(hashOf('b'))
  })
})
