import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memberText, parseLine, parseWords } from './parse-line.ts'

const MEGABYTE = 1024 * 1024
const image = 'Ab+/'.repeat(MEGABYTE / 4)
const parsed = (text: string) => {
  const bytes = Buffer.from(` ${text} `)
  return parseWords(bytes, 1, bytes.length - 1)
}
const asItIs = (text: string) => parseLine(Buffer.from(text), 0, Buffer.byteLength(text))

describe('parsing the words of a long line', () => {
  it('omits its images and returns everything around them', () => {
    const line = (data: string) =>
      JSON.stringify([{ text: 'before é' }, { data }, { data: 'Ab' }, { data, at: 1 }])
    expect(parsed(line(image))).toEqual(asItIs(line('')))
  })

  it('preserves values that are not base64, are in another field, or only describe data', () => {
    for (const value of [
      { data: `${image} ` },
      { text: image },
      { text: `"data":"${image}"` },
      { data: image.slice(1) },
    ])
      expect(parsed(JSON.stringify(value))).toEqual({ entries: [value], damaged: false })
  })

  it('reports damage in the same cases as the parser', () => {
    for (const line of [`{"data":"${image}`, `{"data":"${image}"}}`, `{"a":1}{"data":"${image}"}`])
      expect(parsed(line)).toEqual(asItIs(line))
  })
})

describe('the raw text of a member', () => {
  it('parses to the value of the member, whatever surrounds it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (object, indent) => {
        const json = JSON.stringify(object, null, indent)
        for (const [name, value] of Object.entries(object))
          expect(JSON.parse(memberText(json, name)!)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(memberText(json, 'a name that no object has')).toBeUndefined()
      }),
    )
  })

  it('preserves digits, escapes and nesting', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(memberText(`{"a":"\\"raw\\":1","raw":${deep},"b":1}`, 'raw')).toBe(deep)
    expect(memberText('{"a":{"raw":1},"raw":9007199254740993.10}', 'raw')).toBe('9007199254740993.10')
    expect(memberText('{ "raw" : "\\ud800\\\\" , "b":1}', 'raw')).toBe('"\\ud800\\\\"')
  })
})
