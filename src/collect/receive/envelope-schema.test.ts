import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bareEnvelope } from './envelope-schema.ts'

const parsed = (line: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line))
  } catch {
    return undefined
  }
}

/** The expected result: only objects under the two names are emptied. */
const emptied = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      ['raw', 'normalized'].includes(key) && typeof each === 'object' && each && !Array.isArray(each)
        ? {}
        : (each as unknown),
    ]),
  )

const key = fc.constantFrom('id', 'raw', 'normalized', 'stub', 'ключ')
const members = fc.array(fc.tuple(key, fc.json({ maxDepth: 3 })), { maxLength: 5 })
const line = members.map((all) => `{${all.map(([name, json]) => `"${name}":${json}`).join(',')}}`)

test('a bare envelope is the parsed object with its payload emptied', () => {
  fc.assert(
    fc.property(line, (text) => {
      const bytes = Buffer.from(text)
      const bare = bareEnvelope(bytes)
      expect(bare).toBeDefined()
      expect(JSON.parse(bare!)).toEqual(emptied(parsed(bytes) as object))
    }),
    { numRuns: 500 },
  )
})

test('bytes that are not a JSON object in UTF-8 yield no bare envelope, wherever the damage is', () => {
  const sound = Buffer.from('{"id":"é","raw":{"a":["\\u00e9",-1.5e3,true,{"b":null}],"c":"ü"},"v":1} ')
  expect(bareEnvelope(sound)).toBe('{"id":"é","raw":{},"v":1} ')
  for (let at = 0; at <= sound.length; at++) {
    for (const byte of [0x00, 0x0a, 0x20, 0x22, 0x2c, 0x5c, 0x7d, 0x80, 0xc3, 0xff]) {
      const spoilt = Buffer.from(sound)
      spoilt[at] = byte
      if (parsed(spoilt) === undefined)
        expect(bareEnvelope(spoilt), spoilt.toString('latin1')).toBeUndefined()
    }
    const cut = sound.subarray(0, at)
    if (parsed(cut) === undefined) expect(bareEnvelope(cut)).toBeUndefined()
  }
  for (const other of ['', '[]', 'null', '1', '"raw"', '\ufeff{}', '{}{}', '{"raw":{}'])
    expect(bareEnvelope(Buffer.from(other)), other).toBeUndefined()
})
