import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { netChanges, type SessionEdit } from '../sync/read/net-changes.ts'
import { compare } from './changes.ts'

const drawn = (before: string, after: string): string[] =>
  compare(
    {
      path: 'a.md',
      edits: 1,
      sessions: [],
      created: false,
      deleted: false,
      whole: undefined,
      pieces: [{ before, after }],
    },
    (text) => text,
  ).hunks!.flatMap(({ lines }) => lines)

describe('the change of a part of a file', () => {
  it('does not contain a line that only another one follows', () => {
    expect(drawn('moss\nfern', 'moss\nfern\noak')).toEqual([' moss', ' fern', '+oak'])
  })

  it('is there if only the end of a line was added', () => {
    expect(drawn('fern', 'fern\n')).toEqual(['-fern', '+fern'])
  })
})

const edit = (values: Partial<SessionEdit>): SessionEdit => ({
  ...{ session: 'one', path: '/a', line: 1, after: '' },
  ...values,
})

const netOf = (...edits: Partial<SessionEdit>[]) =>
  netChanges(edits.map(edit)).map((change) => compare(change, (text) => text))

const linesOf = (...edits: Partial<SessionEdit>[]): string[] =>
  netOf(...edits).flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines))

describe('the net change of a file', () => {
  it('compares the state before the first edit with that after the last', () => {
    const [file] = netOf(
      { original: 'a\nb\nc\n', before: 'b', after: 'B' },
      { original: 'a\nB\nc\n', before: 'B', after: 'X' },
    )
    expect(file).toMatchObject({ status: 'changed', edits: 2, added: 1, removed: 1, complete: true })
    expect(file!.hunks).toEqual([
      { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' a', '-b', '+X', ' c'] },
    ])
  })

  it('is nothing if the last edit restores the first state', () => {
    const [file] = netOf({ original: 'a\n', before: 'a', after: 'b' }, { before: 'b', after: 'a' })
    expect(file).toMatchObject({ status: 'unchanged', edits: 2, added: 0, removed: 0, hunks: [] })
  })

  it('is a change if a cell without a known source was taken out of a notebook', () => {
    const cell = { before: '', after: '', isCell: true } as const
    expect(netOf(cell)).toMatchObject([{ status: 'changed', complete: false, added: 0, removed: 0 }])
    expect(
      netOf({ ...cell, original: 'a', result: 'b' }, { ...cell, original: 'b', result: 'a' }),
    ).toMatchObject([{ status: 'unchanged', complete: true }])
  })

  it('of a new file is that it was created, even if its last content is not known', () => {
    const cell = { before: '', after: 'print()', isCell: true } as const
    expect(netOf({ original: null, after: '{}' }, cell)).toMatchObject([
      { status: 'created', complete: false },
    ])
  })

  it('of a new file is its last content', () => {
    const [file] = netOf({ original: null, after: 'a\nb\n' }, { before: 'b', after: 'c' })
    expect(file).toMatchObject({ status: 'created', added: 2, removed: 0, complete: true })
    expect(file!.hunks[0]!.lines).toEqual(['+a', '+c'])
  })

  it('of a deleted file is all of it, if it is known', () => {
    expect(netOf({ original: 'a\n', before: 'a', after: 'b' }, { after: '', deleted: true })).toMatchObject([
      { status: 'deleted', removed: 1, complete: true },
    ])
    expect(netOf({ after: '', deleted: true })).toMatchObject([{ status: 'deleted', complete: false }])
  })

  it('includes what others changed between two edits, as the record states it', () => {
    const lines = linesOf(
      { original: 'a\n', before: 'a', after: 'b' },
      { original: 'b\nfrom elsewhere\n', before: 'b', after: 'c' },
    )
    expect(lines).toEqual(['-a', '+c', '+from elsewhere'])
  })

  it('without the whole file consists of single edits, later ones joined with those that they change', () => {
    const files = netOf({ before: 'a', after: 'b' }, { before: 'x', after: 'y' }, { before: 'b', after: 'c' })
    expect(files).toMatchObject([{ complete: false, edits: 3, status: 'changed' }])
    expect(files[0]!.hunks.map(({ lines }) => lines)).toEqual([
      ['-a', '+c'],
      ['-x', '+y'],
    ])
  })

  it('of a file that was written without a known state before is what was written', () => {
    expect(linesOf({ after: 'a\nb\n' }, { before: 'b', after: 'c' })).toEqual(['+a', '+c'])
  })

  it('replaces everywhere only where the tool did, and takes no sign for a pattern', () => {
    const original = 'x\ny\nx\n'
    expect(linesOf({ original, before: 'x', after: '$&', everywhere: true })).toEqual([
      '-x',
      '+$&',
      ' y',
      '-x',
      '+$&',
    ])
    expect(linesOf({ original, before: 'x', after: '$&' })).toEqual(['-x', '+$&', ' y', ' x'])
  })

  it('believes the content that the record states after an edit, whatever the edit replaces', () => {
    const stated = { original: 'x\ny\n', before: 'x', after: 'z', result: 'z\nw\n' }
    expect(linesOf(stated, { before: 'w', after: 'v' })).toEqual(['-x', '-y', '+z', '+v'])
  })

  it('keeps files and sessions apart', () => {
    const files = netOf(
      { path: '/b', after: '1\n', session: 'two' },
      { path: '/a', after: '2\n' },
      { path: '/b', after: '3\n', session: 'one' },
    )
    expect(files.map(({ path, sessions }) => [path, sessions])).toEqual([
      ['/b', ['two', 'one']],
      ['/a', ['one']],
    ])
  })

  it('is cleaned before it is compared, so that no part of a secret is shown', () => {
    const [change] = netChanges([edit({ original: 'key=abc123\n', before: 'abc123', after: 'abc456' })])
    const file = compare(change!, (text) => text.replace(/abc\d+/g, '[secret]'))
    expect(file).toMatchObject({ status: 'unchanged', hunks: [] })
  })

  it('leads from the first state to the last, whatever the edits', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'ab', '\n', 'long line\n')
    const texts = fc.array(word, { maxLength: 8 }).map((words) => words.join(''))
    fc.assert(
      fc.property(texts, fc.array(fc.tuple(word, texts), { minLength: 1, maxLength: 6 }), (first, steps) => {
        let current = first
        const edits = steps.flatMap(([before, after]) => {
          if (!current.includes(before)) return []
          const made = edit({ original: current, before, after })
          current = current.replace(before, () => after)
          return [made]
        })
        fc.pre(edits.length > 0)
        const [change] = netChanges(edits)
        expect(change!.whole).toEqual({ first, last: current })
      }),
    )
  })
})
