import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from './characters.ts'
import { needlesOf, wantedTerms } from './match.ts'
import { parseQuery } from './query.ts'
import { snippetOf } from './snippet.ts'

const parse = (text: string) => parseQuery(text, 0, () => undefined)

/** The snippet with its marks in brackets. */
function shown(text: string, query: string, width?: number): string {
  const snippet = snippetOf(text, parse(query), width)
  return snippet.marks.reduceRight(
    (line, [start, end]) => `${line.slice(0, start)}[${line.slice(start, end)}]${line.slice(end)}`,
    snippet.text,
  )
}

const filler = 'one two three four five six seven eight nine ten '.repeat(20)

describe('a snippet', () => {
  it('is the whole text in one line if that is short', () => {
    expect(shown('  The fern\n\n\tand   the\u00a0rose ', 'fern rose')).toBe('The [fern] and the [rose]')
  })

  it('marks whole words, and parts of words only if there are none', () => {
    expect(shown('script transcript', 'script')).toBe('[script] transcript')
    expect(shown('the transcript', 'script')).toBe('the tran[script]')
  })

  it('marks phrases, accents and Chinese, and the longer of two overlapping matches', () => {
    expect(shown('a foo-bar b', '"foo bar"')).toBe('a [foo-bar] b')
    expect(shown('un cafe\u0301 noir', 'café')).toBe('un [cafe\u0301] noir')
    expect(shown('请登录页面', '登录')).toBe('请[登录]页面')
    expect(shown('login page', 'login "login page"')).toBe('[login page]')
  })

  it('does not mark excluded terms', () => {
    expect(shown('the fern and the rose', 'fern -rose')).toBe('the [fern] and the rose')
  })

  it('is the beginning of the text if nothing matches', () => {
    expect(shown(filler, 'fern', 40)).toBe('one two three four five six seven…')
    expect(shown('', 'fern')).toBe('')
  })

  it('shows the part with most of the terms', () => {
    const text = `fern ${filler} fern fern fern ${filler} fern by a rose ${filler} rose`
    expect(shown(text, 'fern rose', 60)).toMatchInlineSnapshot(
      `"…eight nine ten [fern] by a [rose] one two three four five six…"`,
    )
  })

  it('shows the end of the text if the match is there', () => {
    expect(shown(`${filler}fern`, 'fern', 40)).toMatchInlineSnapshot(
      `"…five six seven eight nine ten [fern]"`,
    )
  })

  it('cuts Chinese text anywhere', () => {
    expect(
      shown(
        '请打开页面然后点击按钮'.repeat(20).concat('登录', '请打开页面然后点击按钮'.repeat(20)),
        '登录',
        20,
      ),
    ).toMatchInlineSnapshot(`"…然后点击按钮[登录]请打开页面然后点击按…"`)
  })

  it('cuts a word that is too long, but not inside a character', () => {
    expect(snippetOf('🌱'.repeat(200), parse('x'), 21).text).toBe(`${'🌱'.repeat(9)}…`)
    for (const width of [20, 21, 22, 23])
      expect(snippetOf(`${'🌱'.repeat(200)}fern`, parse('fern'), width).text).toMatch(/^…(?:🌱)+fern$/u)
    expect(snippetOf(`x${'👩‍🌾'.repeat(200)}`, parse('x'), 25).text).toBe('x👩‍🌾👩‍🌾👩‍🌾👩‍🌾…')
    expect(snippetOf('e\u0301'.repeat(200), parse('x'), 22).text).toMatch(/^(?:e\u0301)+…$/)
  })

  it('is found in a megabyte of text quickly', () => {
    const text = `${filler.repeat(1000)} fern — ${filler}`
    expect(shown(text, 'one fern', 60)).toMatchInlineSnapshot(
      `"…[one] two three four five six seven eight nine ten [fern] —…"`,
    )
    expect(snippetOf('a'.repeat(1_000_000), parse('a'), 60).text).toHaveLength(59)
  })

  it('has separate marks on matches only, and is never too wide', () => {
    const unit = fc.constantFrom(...'abAB1 \n_-登录页か\u3099é\u0301ςİ🌱\ud83c\u200d')
    const text = fc.string({ unit, maxLength: 120 })
    let marked = 0
    fc.assert(
      fc.property(
        text,
        fc.string({ unit, maxLength: 6 }),
        fc.nat(),
        fc.integer({ min: 0, max: 60 }),
        (text, other, from, width) => {
          const typed = from % 2 ? other : text.slice(from % (text.length + 1)).slice(0, 5)
          const query = parse(typed)
          const snippet = snippetOf(text, query, width)
          expect(snippet.text.length).toBeLessThanOrEqual(Math.max(20, width))
          expect(snippet.text).not.toMatch(/\n|^ | $/)
          expect(snippet.text.isWellFormed() || !text.isWellFormed()).toBe(true)
          const sought = wantedTerms(query.words)
            .flatMap(needlesOf)
            .map(({ parts }) => parts.map((part) => part.text).join(''))
          let free = 0
          for (const [start, end] of snippet.marks) {
            expect(start).toBeGreaterThanOrEqual(free)
            expect(end).toBeGreaterThan(start)
            expect(end).toBeLessThanOrEqual(snippet.text.length)
            const covered = fold(snippet.text.slice(start, end)).text
            expect(sought.map(bare)).toContain(bare(covered))
            free = end
            marked++
          }
        },
      ),
      { numRuns: 3000 },
    )
    expect(marked).toBeGreaterThan(500)
  })
})

/** Removes what may be between the words of a phrase. */
const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '') || text
