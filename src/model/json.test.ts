import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asCount, asTime, mapStrings } from './json.ts'

const hide = (text: string): string => text.replaceAll('s', '*')

describe('a value with its strings changed', () => {
  it('is the same in JSON as the changed JSON, and the same object if nothing changes', () => {
    const { value } = fc.letrec((tie) => ({
      text: fc.string({ unit: fc.constantFrom('a', 'b', 's'), maxLength: 3 }),
      value: fc.oneof(
        { maxDepth: 4 },
        tie('text'),
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        // Without names that differ only where they are changed.
        fc.dictionary(fc.constantFrom('one', 'two', 'yes', '__proto__x'), tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(value, (value) => {
        const json = JSON.stringify(value)
        const changed = mapStrings(value, hide)
        expect(JSON.stringify(changed)).toBe(hide(json))
        expect(JSON.stringify(value)).toBe(json)
        if (!json.includes('s')) expect(changed).toBe(value)
      }),
      { numRuns: 1000 },
    )
  })

  it('contains maps and sets, and fields whose names become the same', () => {
    const value = {
      sa: 1,
      '*a': 2,
      map: new Map([['s', ['s']]]),
      set: new Set(['a', 's']),
      bytes: new Uint8Array(2),
    }
    expect(mapStrings(value, hide)).toEqual({
      '*a': 1,
      '*a~2': 2,
      map: new Map([['*', ['*']]]),
      'byte*': new Uint8Array(2),
      '*et': new Set(['a', '*']),
    })
  })
})

it.each([
  [5, 5],
  [0, 0],
  [1.5, 1.5],
  [-5, undefined],
  [1e300, undefined],
  ['5', undefined],
  [null, undefined],
])('takes %s for the count %s', (value, count) => {
  expect(asCount(value)).toBe(count)
})

describe('a time', () => {
  it.each([
    ['1970-01-01T00:00:00.001Z', 1],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    [1_700_000_000, 1_700_000_000_000],
  ])('is %s', (value, ms) => {
    expect(asTime(value)).toBe(ms)
  })

  it.each([
    '1970-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00Z',
    '+010000-01-01T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
    0,
    -1,
    8.64e15,
    1e300,
    Number.NaN,
    'not a time',
  ])('is not %s, which no clock shows that was set', (value) => {
    expect(asTime(value)).toBeUndefined()
  })
})
