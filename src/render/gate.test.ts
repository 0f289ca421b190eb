import { expect, it } from 'vitest'
import { createGate, GatedText, textOfPiece } from './gate.ts'

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
