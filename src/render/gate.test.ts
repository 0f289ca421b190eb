import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createGate, GatedText, jsonInPieces, jsonOfAnswer, textOfPiece } from './gate.ts'

const key = `AKIA${'IOSFODNN7EXAMPLQ'}`
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))
const gate = createGate({ redact: true, colors: false })

it('returns clean UTF-8 as it is, and cleans any other piece', () => {
  const clean = utf8('ça va')
  expect(gate.bytes(clean)).toBe(clean)
  for (const piece of [`a ${key}\x1b[2J`, utf8(`a ${key}\x1b[2J`)])
    expect(textOfPiece(gate.bytes(piece))).toBe('a [REDACTED:aws-access-key-id]')
})

it('does not look again at what has passed a gate with the same options', () => {
  const passed = new GatedText(utf8(key), { redact: true, colors: false })
  expect(gate.bytes(passed)).toBe(passed.bytes)
})

it.each([
  { redact: false, colors: false },
  { redact: true, colors: true },
])('looks again at what has passed a gate with other options: %o', (options) => {
  const passed = new GatedText(utf8(`${key}\x1b[1m`), options)
  expect(textOfPiece(gate.bytes(passed))).toBe('[REDACTED:aws-access-key-id]')
})

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

it('JSON whose values are searched alone keeps a name beside a field that sounds like a secret', () => {
  const answer = { rows: [{ key: 'tea_pot__brew_7da5942e' }, { key: `x ${key}` }] }
  const { rows } = JSON.parse(
    textOfPiece(gate.bytes(jsonOfAnswer(answer, { searchesValues: true }))),
  ) as typeof answer
  expect(rows).toEqual([{ key: 'tea_pot__brew_7da5942e' }, { key: 'x [REDACTED:aws-access-key-id]' }])
  expect(textOfPiece(jsonOfAnswer({ key: 'moss' }, { searchesValues: true }))).toBe('{\n  "key": "moss"\n}\n')
})
