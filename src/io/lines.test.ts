import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLines } from './lines.ts'
import { parseLine } from './parse-line.ts'
import { Scanner } from './scanner/scanner.ts'
import { type LineShape, OBJECT_LINE, OVERSIZE_LINE, UNSURE_LINE } from './scanner/shape.ts'
import type { Source } from './source.ts'

const list = {
  words: ['type', 'message', 'content', 'id', 'user', 'text'],
  descend: new Set(['message', 'content']),
}

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
  const found: (Pick<LineShape, 'kind' | 'number' | 'offset' | 'length' | 'terminated'> & {
    text: string
  })[] = []
  const { bytes: read } = readLines(
    sourceOf(content, step),
    new Scanner(list, 1024 * 1024),
    ({ kind, number, offset, length, terminated, bytes, start, end }) =>
      found.push({
        kind,
        number,
        offset,
        length,
        terminated,
        text: kind === OVERSIZE_LINE ? '' : bytes.toString('utf8', start, end),
      }),
    { lineLimit: limit },
  )
  expect(read).toBe(content.length)
  return found
}

const jsonOf = (text: string): { valid: boolean; object: boolean } => {
  try {
    const value: unknown = JSON.parse(text)
    return { valid: true, object: typeof value === 'object' && value !== null && !Array.isArray(value) }
  } catch {
    return { valid: false, object: false }
  }
}

describe('the lines of a file', () => {
  it('have a number, an offset and a length, whatever the size of a read', () => {
    const content = Buffer.from('{"a":1}\n\r\n  \n{"b":"ü\u2028"}\r\n[1]\nhalf {"c"')
    const expected = [
      { kind: OBJECT_LINE, number: 1, offset: 0, length: 7, terminated: true, text: '{"a":1}' },
      { kind: OBJECT_LINE, number: 4, offset: 13, length: 14, terminated: true, text: '{"b":"ü\u2028"}\r' },
      { kind: UNSURE_LINE, number: 5, offset: 28, length: 3, terminated: true, text: '[1]' },
      { kind: UNSURE_LINE, number: 6, offset: 32, length: 9, terminated: false, text: 'half {"c"' },
    ]
    for (const step of [1, 2, 3, 7, 1000]) expect(linesOf(content, step)).toEqual(expected)
  })

  it('are read whole up to the limit, and counted above it', () => {
    const long = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(3_000_000, 'x'), Buffer.from('"}\n')])
    const content = Buffer.concat([Buffer.from('{}\n'), long, Buffer.from('{"b":2}\n')])
    expect(linesOf(content).map((line) => [line.kind, line.length])).toEqual([
      [1, 2],
      [1, 3_000_008],
      [1, 7],
    ])
    expect(
      linesOf(content, undefined, 1_000_000).map((line) => [
        line.kind,
        line.number,
        line.offset,
        line.length,
      ]),
    ).toEqual([
      [1, 1, 0, 2],
      [OVERSIZE_LINE, 2, 3, 3_000_008],
      [1, 3, 3_000_012, 7],
    ])
  })

  it('are reported as valid exactly if JSON.parse returns an object', () => {
    const piece = fc.oneof(
      fc.json(),
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"',
        ':',
        ',',
        '\\',
        '\\u12',
        '\\"',
        'true',
        'nul',
        '-',
        '1e',
        '0.',
        ' ',
        '\t',
        '\0',
        'é',
      ),
    )
    const line = fc
      .oneof(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
        fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
        fc
          .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), fc.string({ maxLength: 2 }))
          .map(([value, at, patch]) => {
            const text = JSON.stringify(value)
            const cut = at % text.length
            return text.slice(0, cut) + patch + text.slice(cut + 1)
          }),
      )
      .filter((text) => !text.includes('\n'))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        for (const { kind, text } of linesOf(Buffer.from(`${lines.join('\n')}\n`))) {
          const { object } = jsonOf(text)
          if (kind === OBJECT_LINE) expect(object, text).toBe(true)
          // The scanner may only be unsure about lines that are not objects, or that have an escaped key near
          // the top.
          else if (object) expect(text).toMatch(/\\/)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('report the pairs of wanted keys with depth, kind and span', () => {
    const text =
      '{"type":"user","x":{"type":1},"message":{"content":[{"type":"text","id":null},"s"],"id":-1.5e3}}'
    const pairs: string[] = []
    readLines(sourceOf(Buffer.from(`${text}\n`)), new Scanner(list, 1024 * 1024), (line) => {
      for (let index = line.first; index < line.first + line.pairs * 3; index += 3) {
        const meta = line.words[index]!
        const span = line.bytes.toString('utf8', line.words[index + 1]!, line.words[index + 2]!)
        pairs.push(`${list.words[(meta & 255) - 1]}@${(meta >>> 8) & 15} ${span}`)
      }
    })
    expect(pairs).toEqual([
      'type@1 user',
      'message@1 {"content":[{"type":"text","id":null},"s"],"id":-1.5e3}',
      'content@2 [{"type":"text","id":null},"s"]',
      'content@3 {"type":"text","id":null}',
      'type@4 text',
      'id@4 null',
      'content@3 s',
      'id@2 -1.5e3',
    ])
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
