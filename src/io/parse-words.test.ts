import { describe, expect, it } from 'vitest'
import { parseLine } from './parse-line.ts'
import { parseWords } from './parse-words.ts'

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
