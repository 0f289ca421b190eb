import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isShortened, type LongValues, type Needs, parseShortened } from './long-values.ts'
import { parseLine } from './parse-line.ts'

const MARK = '\u001A'
const LONG = 5000
const image = 'Ab+/'.repeat(LONG)

const all = (needs: Needs): LongValues => ({ needs, isEnough: () => true })

/** Parses a line that does not begin or end with its buffer, at any alignment. */
function shortened(line: string | Buffer, needs: Needs, before = ' ') {
  const bytes = Buffer.concat([Buffer.from(before), Buffer.from(line), Buffer.from(' \n{"next":1}')])
  return parseShortened(bytes, before.length, before.length + Buffer.byteLength(line), all(needs))
}

const asItIs = (line: string | Buffer) => parseLine(Buffer.from(line), 0, Buffer.byteLength(line))

/** Whether both are the same, except for the ends of shortened strings. */
function agree(short: unknown, whole: unknown): boolean {
  if (typeof short === 'string' && typeof whole === 'string')
    return short === whole || (short.endsWith(MARK) && whole.startsWith(short.slice(0, -1)))
  if (typeof short !== 'object' || short === null || typeof whole !== 'object' || whole === null)
    return Object.is(short, whole)
  const keys = Object.keys(short)
  return (
    keys.join() === Object.keys(whole).join() &&
    keys.every((key) => agree((short as never)[key], (whole as never)[key]))
  )
}

describe('parsing a line with what is needed of its long values', () => {
  it('leaves out the rest of a value, and returns everything around it', () => {
    const line = JSON.stringify({ a: 'before é', data: image, list: [{ data: image }], at: 1 })
    const { entries } = shortened(line, { data: 'nothing', list: { '[]': { data: 'beginning' } } })
    expect(entries).toEqual([
      { a: 'before é', data: MARK, list: [{ data: `${image.slice(0, 1024)}${MARK}` }], at: 1 },
    ])
    expect(isShortened(entries)).toBe(true)
  })

  it('returns whole what is not named, what is short, and keys', () => {
    const short = 'x'.repeat(2000)
    for (const value of [
      { data: short, text: image },
      { text: [image, { data: image }] },
      { [image]: 1, other: { [image]: image } },
      [image],
      image,
    ])
      expect(shortened(JSON.stringify(value), { data: 'nothing' }).entries).toEqual([value])
  })

  it('applies a need to everything below, and the need of any key to the others and to the value itself', () => {
    const needs: Needs = { a: 'nothing', b: { words: 'whole', '*': 'nothing' } }
    const parsed = (value: object) => shortened(JSON.stringify(value), needs).entries
    expect(parsed({ a: [{ deep: [image] }] })).toEqual([{ a: [{ deep: [MARK] }] }])
    expect(parsed({ b: { words: image, x: image, y: [image] } })).toEqual([
      { b: { words: image, x: MARK, y: [MARK] } },
    ])
    expect(parsed({ b: image })).toEqual([{ b: MARK }])
    expect(parsed({ b: [image] })).toEqual([{ b: [MARK] }])
  })

  it('finds the path in spite of white space, and trusts no key with an escape', () => {
    const line = (key: string) => `{ "b" : { "${key}"\t: "${image}" } }`
    const needs: Needs = { b: { words: 'whole', '*': 'nothing' } }
    expect(shortened(line('x'), needs).entries).toEqual([{ b: { x: MARK } }])
    expect(shortened(line('\\u0077ords'), needs).entries).toEqual([{ b: { words: image } }])
    expect(shortened(line('\\"'), needs).entries).toEqual([{ b: { '"': image } }])
    expect(shortened(line('words'), needs).entries).toEqual([{ b: { words: image } }])
  })

  it('parses the line whole if what is left is not enough, or if it ends with the mark by itself', () => {
    const value = { data: image, text: `a${MARK}` }
    const bytes = Buffer.from(JSON.stringify(value))
    const long: LongValues = { needs: { data: 'nothing' }, isEnough: (entry) => !isShortened(entry) }
    expect(parseShortened(bytes, 0, bytes.length, long).entries).toEqual([value])
    expect(isShortened(value)).toBe(true)
  })

  it.each([...'é的😀\n"\\\u0001', '\\"', '\\\\"', '\ud83d'])(
    'cuts no character and no escape in two: %j',
    (unit) => {
      for (let before = 0; before < 12; before++) {
        const text = 'x'.repeat(before) + unit.repeat(LONG)
        const written = JSON.stringify({ text })
        const escaped = `{"text":"${'x'.repeat(before)}${'\\u00e9'.repeat(LONG)}"}`
        for (const line of [written, escaped]) {
          const { entries, damaged } = shortened(line, 'beginning')
          expect(damaged).toBe(false)
          expect(agree(entries, asItIs(line).entries)).toBe(true)
          const [entry] = entries as { text: string }[]
          // Without its last characters, because a pair of escapes may be separated.
          expect(entry!.text.slice(0, -3)).toBe(
            (asItIs(line).entries[0] as { text: string }).text.slice(0, entry!.text.length - 3),
          )
        }
      }
    },
  )

  it('reports damage in the same cases as the parser, wherever it is in a long value', () => {
    const bad = ['\n', '\0', '\t', '\u001f', '\\x', '\\u12g4', '\\u12', '\\U0041', '"', '\\']
    for (const each of bad)
      for (const filling of ['x', '\\n', '的', '\\"', ' "a":'.replaceAll('"', '\\"')])
        for (let at = 1200; at < 1210; at++) {
          const text = filling.repeat(LONG / filling.length)
          const line = `{"a":1,"data":"${'x'.repeat(at)}${each}${text}","b":{"c":2}}`
          const short = shortened(line, 'nothing', 'x'.repeat(at % 4))
          const whole = asItIs(line)
          expect(short.damaged, line.slice(at - 10, at + 40)).toBe(whole.damaged)
          expect(agree(short.entries, whole.entries)).toBe(true)
        }
  })

  it('recovers the same objects from torn and joined lines', () => {
    const one = JSON.stringify({ data: image })
    for (const line of [
      one.slice(0, -2),
      `${one}}`,
      `${one}${one}`,
      `\0\0${one}`,
      `{"a":"torn${one}`,
      `}}]]${one}`,
      `${one.slice(0, 3000)}\n${one}`,
    ])
      expect(shortened(line, 'nothing')).toEqual(asItIs(line))
  })

  it('agrees with the parser on lines of any content, and on damaged ones', () => {
    const unit = fc.constantFrom(
      'a',
      'é',
      '的',
      '😀',
      '"',
      '\\',
      '\n',
      '\u0007',
      '/',
      '\u2028',
      '\ud800',
      'u00',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(unit, { minLength: 1, maxLength: 8 }).map((units) => units.join('').repeat(1500)),
    )
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', 'b', '[]', '*', '"', 'é'), tie('value'), { maxKeys: 4 }),
      ),
    })).value
    const need = fc.constantFrom('whole' as const, 'beginning' as const, 'nothing' as const)
    const needs = fc.record({ a: need, b: fc.record({ '[]': need, '*': need }), '*': need })
    const damage = fc.option(
      fc.record({
        at: fc.nat(),
        length: fc.nat(3),
        bytes: fc.constantFrom('', '\0', '\\', '"', '\n', '}', '{"a":1}', '\xff'),
      }),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), value), needs, damage, (entry, needs, by) => {
        const line = Buffer.from(JSON.stringify(entry))
        const at = by ? by.at % (line.length + 1) : 0
        const damaged = by
          ? Buffer.concat([
              line.subarray(0, at),
              Buffer.from(by.bytes, 'latin1'),
              line.subarray(at + by.length),
            ])
          : line
        const short = shortened(damaged, needs)
        const whole = asItIs(damaged)
        return short.damaged === whole.damaged && agree(short.entries, whole.entries)
      }),
      { numRuns: 400 },
    )
  })
})
