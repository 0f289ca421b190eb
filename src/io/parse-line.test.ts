import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memberText } from './parse-line.ts'

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
