import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Line, readLines } from './lines.ts'
import { parseLine } from './parse-line.ts'
import type { Source } from './source.ts'

/** Returns at most `step` bytes per read, like a pipe or a slow disk. */
function sourceOf(content: Buffer, step = Number.POSITIVE_INFINITY): Source {
  let position = 0
  return {
    read(into, at, length) {
      const count = content.copy(
        into,
        at,
        position,
        Math.min(content.length, position + Math.min(length, step)),
      )
      position += count
      return count
    },
    close() {},
  }
}

function linesOf(content: Buffer, step?: number, limit?: number) {
  const found: (Pick<Line, 'oversized' | 'number' | 'offset' | 'length' | 'terminated'> & {
    text: string
  })[] = []
  const { bytes: read } = readLines(
    sourceOf(content, step),
    ({ oversized, number, offset, length, terminated, bytes, start, end }) =>
      found.push({
        oversized,
        number,
        offset,
        length,
        terminated,
        text: oversized ? '' : bytes.toString('utf8', start, end),
      }),
    { lineLimit: limit },
  )
  expect(read).toBe(content.length)
  return found
}

describe('the lines of a file', () => {
  it('have a number, an offset and a length, whatever the size of a read', () => {
    const content = Buffer.from('{"a":1}\n\r\n  \n{"b":"ü\u2028"}\r\n[1]\nhalf {"c"')
    const expected = [
      { oversized: false, number: 1, offset: 0, length: 7, terminated: true, text: '{"a":1}' },
      { oversized: false, number: 4, offset: 13, length: 14, terminated: true, text: '{"b":"ü\u2028"}\r' },
      { oversized: false, number: 5, offset: 28, length: 3, terminated: true, text: '[1]' },
      { oversized: false, number: 6, offset: 32, length: 9, terminated: false, text: 'half {"c"' },
    ]
    for (const step of [1, 2, 3, 7, 1000]) expect(linesOf(content, step)).toEqual(expected)
  })

  it('are read whole up to the limit, and counted above it', () => {
    const long = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(3_000_000, 'x'), Buffer.from('"}\n')])
    const content = Buffer.concat([Buffer.from('{}\n'), long, Buffer.from('{"b":2}\n')])
    expect(linesOf(content).map((line) => [line.oversized, line.length])).toEqual([
      [false, 2],
      [false, 3_000_008],
      [false, 7],
    ])
    expect(
      linesOf(content, undefined, 1_000_000).map((line) => [
        line.oversized,
        line.number,
        line.offset,
        line.length,
      ]),
    ).toEqual([
      [false, 1, 0, 2],
      [true, 2, 3, 3_000_008],
      [false, 3, 3_000_012, 7],
    ])
  })

  it('are those that splitting the text yields, whatever the size of a read', () => {
    const piece = fc.constantFrom('{}', '\n', '\r\n', ' ', '\t', 'é\u2028', 'x'.repeat(700))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 900 }), (pieces, step) => {
        const text = pieces.join('')
        const expected = text
          .split('\n')
          .flatMap((line, index) => (/[^ \t\r]/.test(line) ? [[index + 1, line]] : []))
        expect(linesOf(Buffer.from(text), step).map((line) => [line.number, line.text])).toEqual(expected)
      }),
    )
  })
})

describe('a line that is not JSON', () => {
  const parse = (text: string) => {
    const bytes = Buffer.from(text)
    return parseLine(bytes, 0, bytes.length)
  }
  it('yields both objects if two are on it', () => {
    expect(parse('{"a":"}{"}{"b":2}')).toEqual({ entries: [{ a: '}{' }, { b: 2 }], damaged: false })
  })
  it('yields the object after NUL bytes or a byte order mark', () => {
    expect(parse('\0\0\0{"a":1}')).toEqual({ entries: [{ a: 1 }], damaged: false })
    expect(parse('\uFEFF{"a":1}')).toEqual({ entries: [{ a: 1 }], damaged: false })
  })
  it('yields the whole object after the torn half of another, and reports the damage', () => {
    expect(parse('{"a":"the half of{"b":{"c":2}}')).toEqual({ entries: [{ b: { c: 2 } }], damaged: true })
  })
  it('is damaged if it contains no whole object', () => {
    expect(parse('{"a":')).toEqual({ entries: [], damaged: true })
    expect(parse('\0\0')).toEqual({ entries: [], damaged: true })
  })
  it('never throws and never hangs', () => {
    fc.assert(fc.property(fc.string(), (text) => void parse(text)))
    parse('{"'.repeat(20_000))
  })
})
