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

describe('a long line of which the words are wanted', () => {
  it('comes without its images, and with everything around them', () => {
    const line = (data: string) =>
      JSON.stringify([{ text: 'before é' }, { data }, { data: 'Ab' }, { data, at: 1 }])
    expect(parsed(line(image))).toEqual(asItIs(line('')))
  })

  it('keeps what is no base64, stands elsewhere, or is no data but words about it', () => {
    for (const value of [
      { data: `${image} ` },
      { text: image },
      { text: `"data":"${image}"` },
      { data: image.slice(1) },
    ])
      expect(parsed(JSON.stringify(value))).toEqual({ entries: [value], damaged: false })
  })

  it('is damaged where it is damaged', () => {
    for (const line of [`{"data":"${image}`, `{"data":"${image}"}}`, `{"a":1}{"data":"${image}"}`])
      expect(parsed(line)).toEqual(asItIs(line))
  })
})
