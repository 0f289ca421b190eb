import { describe, expect, it } from 'vitest'
import type { AnswerTo, Hunk } from '../../ui/api/ask.ts'
import { leftOut, placesOf, writersOf, writtenIn } from '../../ui/pages/session/written.ts'

const hunk = (newStart: number, ...lines: string[]) => ({ newStart, lines }) as Hunk
const change = (line: number, asked: number, wrote?: number[], session = 'ferns') =>
  ({ session, line, asked: { line: asked }, reason: null, wrote }) as AnswerTo<'why'>['changes'][number]

describe('the lines of a hunk', () => {
  it('are the added ones with their places, without those that say nothing', () => {
    expect(writtenIn(hunk(7, ' grow()', '-old()', '+  moss()', '+}', '+', '+ferns()'))).toEqual([
      { number: 8, text: 'moss()' },
      { number: 11, text: 'ferns()' },
    ])
    expect(writtenIn(hunk(1, '+}'))).toEqual([{ number: 1, text: '}' }])
    expect(writtenIn(hunk(1, '-gone()'))).toEqual([])
  })

  it('are the longest if an address has no room for all', () => {
    const many = Array.from({ length: 600 }, (_, index) => `+line ${index}`)
    const written = writtenIn(hunk(1, '+short', ...many, `+${'long '.repeat(20)}`))
    expect(written.at(-1)).toMatchObject({ number: 602 })
    expect(written).not.toContainEqual({ number: 1, text: 'short' })
    expect(writtenIn(hunk(1, `+${'x'.repeat(9000)}`))).toHaveLength(1)
  })

  it('have the writer that wrote them last, and one for all edits with one reason', () => {
    const lines = writtenIn(hunk(1, '+moss()', '+ferns()', '+ivy()', '+roses()'))
    const changes = [
      change(30, 29, [2]),
      change(12, 11, [3]),
      change(9, 11, [1, 2]),
      change(5, 4, [4], 'old'),
    ]
    const shown = writersOf(lines, changes, ['ferns']).map(({ change, lines, others }) => ({
      asked: change.asked?.line,
      at: placesOf(lines),
      others,
    }))
    expect(shown).toEqual([
      { asked: 11, at: 'lines 1, 3', others: 0 },
      { asked: 29, at: 'line 2', others: 1 },
    ])
  })

  it('have a writer in another session where this one has none', () => {
    const [writer] = writersOf(writtenIn(hunk(1, '+moss()')), [change(5, 4, undefined, 'old')], ['ferns'])
    expect(writer?.change.session).toBe('old')
  })
})

describe('what a patch leaves out', () => {
  it('is named with the reason, and a file that is as it was is not left out', () => {
    const because = 'is only in part in the transcript'
    const file = (path: string) => ({ path, notInPatch: because })
    expect(leftOut([{ path: 'same.md' }])).toEqual([])
    expect(leftOut([file('moss.md'), { path: 'same.md' }])).toEqual([
      `1 file is not in the patch: moss.md ${because}`,
    ])
    expect(leftOut(['a', 'b', 'c', 'd'].map(file)).join('')).toMatch(/^4 files are not .*, and 1 more$/)
  })
})
