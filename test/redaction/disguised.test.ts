import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayHoldSecret } from '../../src/redact/byte-filter.ts'
import { redact } from '../../src/redact/redact.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { printable } from '../../src/render/terminal.ts'
import { createRandom, type Random } from '../random.ts'
import { secretSet, survives } from './secret-set.ts'

/** Everything that `printable` removes from a text, except for escapes that also remove a visible letter. */
const hidden = [
  '\x01',
  '\x08',
  '\x0c',
  '\x7f',
  '\x84',
  '\x90\x9c',
  '\x9b1m',
  '\xad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u17b4',
  '\u180e',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u202e',
  '\u2060',
  '\u2066',
  '\u3164',
  '\ufe0e',
  '\ufe0f',
  '\ufeff',
  '\uffa0',
  '\ufff9',
  '\u{1bca0}',
  '\u{1d173}',
  '\u{e0001}',
  '\u{e0041}',
  '\u{e0100}',
  '\x1b[31m',
  '\x1b[0m',
  '\x1b[38;5;208m',
  '\x1b[K',
  '\x1b[01;31m\x1b[K',
  '\x1b(B',
  '\x1bc',
  '\x1b=',
  '\x1b]0;title\x07',
  '\x1b]8;;https://shop.test\x1b\\',
  '\x1bPq\x1b\\',
  '\x1b_x\x9c',
  '\x1b[3\x071m',
  '\x1b\x07[\x001m',
  '\x1b[31\x1b[0m',
  '\x9d52;c;eA==\x07',
]

const planted = secretSet(11).filter((each) => !survives(each, redact(each.text)))

const ESCAPE = /\x1b\[[0-9;]*m/g

/**
 * The text with hidden characters at the given fractions of its length, but after an escape of the text where
 * they would split it: a part of the escape would then be visible.
 */
function disguised(text: string, pieces: readonly { at: number; piece: string }[]): string {
  const escapes = Array.from(text.matchAll(ESCAPE), ({ 0: whole, index }) => ({
    from: index,
    to: index + whole.length,
  }))
  const sorted = pieces.map(({ at: share, piece }) => {
    const at = Math.floor(share * text.length)
    return { at: escapes.find(({ from, to }) => at > from && at < to)?.to ?? at, piece }
  })
  sorted.sort((one, other) => one.at - other.at)
  let made = ''
  let copied = 0
  for (const { at, piece } of sorted) {
    made += text.slice(copied, at) + piece
    copied = at
  }
  return made + text.slice(copied)
}

/** The text with hidden characters between any two characters of the secret. */
const everywhere = (text: string, secret: string, piece: string): string =>
  text.replace(secret, () => Array.from(secret).join(piece))

const insertion = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  piece: fc.constantFrom(...hidden),
})

/** Texts without escapes of their own, which an insertion could split. */
const plainTexts = planted.filter(({ text }) => !/\\|^[{[]/.test(text))

describe('a secret with control codes and invisible characters in it', () => {
  it('is redacted before they are removed, wherever they are', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...plainTexts),
        fc.array(insertion, { minLength: 1, maxLength: 12 }),
        (each, pieces) => {
          const shown = printable(redact(disguised(each.text, pieces)))
          expect(survives(each, shown), shown).toBe(false)
        },
      ),
      { numRuns: 1500 },
    )
  })

  it('is redacted if one is between any two of its characters', () => {
    const random: Random = createRandom(5)
    const left = planted.flatMap((each) => {
      const shown = printable(redact(everywhere(each.text, each.secret, hidden[random(hidden.length)]!)))
      return survives(each, shown) ? [`${each.kind}, ${each.where}: ${shown}`] : []
    })
    expect(left).toEqual([])
  })

  it('is redacted in JSON, which remains valid, also between letters', () => {
    const { redactJsonLine } = createRedactor({ level: 'standard' })
    fc.assert(
      fc.property(
        fc.constantFrom(...plainTexts),
        fc.array(insertion, { minLength: 1, maxLength: 12 }),
        fc.nat(2),
        (each, pieces, depth) => {
          let line = JSON.stringify({ text: disguised(each.text, pieces) })
          for (let level = 0; level < depth; level++) line = JSON.stringify({ text: line })
          const bytes = Buffer.from(line)
          const redacted = mayHoldSecret(bytes, 0, bytes.length) ? redactJsonLine(line).text : line
          let shown = JSON.parse(redacted).text
          for (let level = 0; level < depth; level++) shown = JSON.parse(shown).text
          expect(survives(each, printable(shown)), redacted).toBe(false)
        },
      ),
      { numRuns: 1500 },
    )
  })

  it('is redacted if the end of a control string precedes a slash, which looks like an escape', () => {
    const { redactJsonLine } = createRedactor({ level: 'standard' })
    const password = ['Mrzpu', 'RAlgTDW', '4wtlU'].join('')
    for (const piece of hidden.filter((each) => each.endsWith('\\'))) {
      const text = `$ https:${piece}//ci:${password}@nexus.shop.test/repository/`
      expect(printable(redact(text))).not.toContain(password)
      let line = text
      for (let depth = 0; depth < 3; depth++) {
        line = JSON.stringify({ text: line })
        expect(redactJsonLine(line).text).not.toContain(password)
      }
    }
  })

  it('is found inside a word that hidden characters split', () => {
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('')
    const key = ['AK', 'IA', 'QWERTY234567ZXCV'].join('')
    for (const secret of [token, key])
      for (const piece of hidden) {
        const cut = `${secret.slice(0, 7)}${piece}${secret.slice(7)}`
        expect(printable(redact(`word${piece}${cut}${piece}word`)), JSON.stringify(piece)).not.toContain(
          secret,
        )
      }
  })

  it('is replaced with all hidden characters in it, and nothing around it', () => {
    const secret = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('')
    const coloured = `${secret.slice(0, 9)}\x1b[K\u200b${secret.slice(9)}`
    expect(redact(`see \x1b[31m${coloured}\x1b[0m now`)).toBe(
      'see \x1b[31m[REDACTED:github-token]\x1b[0m now',
    )
  })

  it('is not assumed in texts whose hidden characters hide no secret', () => {
    for (const text of ['\x1b[31mred\x1b[0m \u200bword', 'a\\u001b[1mb', '👩‍👩‍👧 ⚠️', '\\bword\\b'])
      expect(redact(text)).toBe(text)
  })
})
