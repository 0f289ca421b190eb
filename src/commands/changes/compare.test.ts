import { describe, expect, it } from 'vitest'
import { compare } from './compare.ts'

const linesOf = (before: string, after: string): string[] =>
  compare(
    { path: 'a.md', edits: 1, sessions: [], deleted: false, whole: undefined, pieces: [{ before, after }] },
    (text) => text,
  ).hunks!.flatMap(({ lines }) => lines)

describe('the change of a part of a file', () => {
  it('does not contain a line that only another one follows', () => {
    expect(linesOf('moss\nfern', 'moss\nfern\noak')).toEqual([' moss', ' fern', '+oak'])
  })

  it('is there if only the end of a line was added', () => {
    expect(linesOf('fern', 'fern\n')).toEqual(['-fern', '+fern'])
  })
})
