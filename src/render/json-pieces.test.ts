import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonInPieces } from './json-pieces.ts'

it('JSON in pieces has the same value as JSON in one text', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.array(fc.jsonValue()))),
      (object) => {
        const text = [...jsonInPieces(object)].join('')
        expect(text).toMatch(/\n$/)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(object)))
      },
    ),
  )
})

it('JSON in pieces divides a long list', () => {
  const list = Array.from({ length: 10_000 }, (_, index) => index)
  const pieces = [...jsonInPieces({ version: 1, list, end: '\u202e' })]
  expect(JSON.parse(pieces.join(''))).toEqual({ version: 1, list, end: '\u202e' })
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(25_000)
  expect(pieces.join('')).not.toContain('\u202e')
})
