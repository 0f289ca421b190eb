import { describe, expect, it } from 'vitest'
import { wholeBranches } from '../../ui/pages/session/abandoned.ts'
import { type Layout, rowsOf } from '../../ui/pages/session/rows.ts'

const shape = (who: string) => ({ who, size: [...who].map(() => 10) })

const drawn = (
  who: string,
  layout: Layout = 'everything',
  branches: { from: number; to: number }[] = [],
  isFolded = () => true,
): string[] => {
  const rows = rowsOf(shape(who), { layout, branches, isFolded })
  return Array.from({ length: rows.length }, (_, index) => {
    const { kind, from, to } = rows.row(index)
    return `${kind} ${from}-${to}`
  })
}

describe('the rows of a session', () => {
  it('fold consecutive tool calls and their errors to one row', () => {
    expect(drawn('hattetah')).toEqual([
      ...['message 0-1', 'message 1-2', 'run 2-6', 'message 6-7', 'message 7-8'],
    ])
  })

  it('show words only in the dialogue, and the last words before the human in the answers', () => {
    expect(drawn('hatatmhta', 'dialogue')).toEqual([
      ...['message 0-1', 'message 1-2', 'message 3-4', 'marker 5-6', 'message 6-7', 'message 8-9'],
    ])
    expect(drawn('hatatmhta', 'answers')).toEqual([
      'message 0-1',
      'message 3-4',
      'message 6-7',
      'message 8-9',
    ])
  })

  it('fold an abandoned branch to one row, also in the middle of a run', () => {
    expect(drawn('htttta', 'everything', [{ from: 2, to: 4 }])).toEqual([
      ...['message 0-1', 'run 1-2', 'branch 2-4', 'run 4-5', 'message 5-6'],
    ])
  })

  it('keep a row at the beginning of an abandoned branch that is open, and end runs at its borders', () => {
    expect(drawn('htttta', 'everything', [{ from: 2, to: 4 }], () => false)).toEqual([
      ...['message 0-1', 'run 1-2', 'branch 2-4', 'run 2-4', 'run 4-5', 'message 5-6'],
    ])
  })

  it('have keys that grow and that tell the row of a branch from its first item', () => {
    const branches = [{ from: 2, to: 4 }]
    const rows = rowsOf(shape('hahaha'), { layout: 'everything', branches, isFolded: () => false })
    const all = Array.from({ length: rows.length }, (_, row) => row)
    expect(all.map((row) => rows.key(row))).toEqual([0, 1, 1.5, 2, 3, 4, 5])
    expect(all.map((row) => rows.rowOf(rows.key(row)))).toEqual(all)
  })

  it('keep a place for items that are not known yet', () => {
    expect(drawn('????ha')).toEqual(['gap 0-4', 'message 4-5', 'message 5-6'])
  })

  it('find the row of an item', () => {
    const rows = rowsOf(shape('htttta'), { layout: 'everything', branches: [], isFolded: () => true })
    expect([0, 1, 3, 4, 5, 99].map((item) => rows.rowOf(item))).toEqual([0, 1, 1, 1, 2, 2])
  })
})

describe('an abandoned branch', () => {
  const branches = (who: string, ...messages: [from: number, to: number][]): [number, number][] =>
    wholeBranches(
      messages.map(([from, to]) => ({ from, to })),
      who,
    ).map(({ from, to }) => [from, to])

  it('contains the calls between its messages, and those up to the next prompt', () => {
    expect(branches('hahtetaha', [2, 3], [6, 7])).toEqual([[2, 7]])
    expect(branches('hahtteha', [2, 3])).toEqual([[2, 6]])
  })

  it('ends before calls that words of the agent follow, which may belong to the branch that was kept', () => {
    expect(branches('hahttaha', [2, 3])).toEqual([[2, 3]])
    expect(branches('hahatt', [2, 4])).toEqual([[2, 4]])
  })

  it('is not joined with another one if a message of the human stands between them', () => {
    expect(branches('hahahaha', [2, 4], [5, 6])).toEqual([
      [2, 4],
      [5, 6],
    ])
  })
})
