import { describe, expect, it } from 'vitest'
import type { Item } from '../../ui/api/ask.ts'
import {
  type Branch,
  branchesIn,
  callsOf,
  type Layout,
  pathOf,
  pathWithin,
  type RowList,
  rowsOf,
  summary,
  wholeBranches,
} from '../../ui/pages/session/rows.ts'

const shape = (who: string) => ({ who, size: [...who].map(() => 10) })

const namesOf = (rows: RowList): string[] =>
  Array.from({ length: rows.length }, (_, index) => {
    const { kind, from, to } = rows.row(index)
    return `${kind} ${from}-${to}`
  })

const drawn = (
  who: string,
  layout: Layout = 'everything',
  branches: Branch[] = [],
  taken?: number,
): string[] => namesOf(rowsOf(shape(who), pathOf(branches, taken, who.length), layout))

describe('the rows of a session', () => {
  it('fold consecutive tool calls and their errors to one row', () => {
    expect(drawn('hattetah')).toEqual(['message 0-1', 'message 1-2', 'run 2-6', 'message 6-7', 'message 7-8'])
  })

  it('show words only in the dialogue, and the last words before the human in the answers', () => {
    expect(drawn('hatatmhta', 'dialogue')).toEqual([
      'message 0-1',
      'message 1-2',
      'message 3-4',
      'marker 5-6',
      'message 6-7',
      'message 8-9',
    ])
    expect(drawn('hatatmhta', 'answers')).toEqual([
      'message 0-1',
      'message 3-4',
      'message 6-7',
      'message 8-9',
    ])
  })

  it('leave abandoned branches out, with a row where the human went back, which ends a run', () => {
    expect(drawn('htttta', 'everything', [{ from: 2, to: 4, after: 1 }])).toEqual([
      'message 0-1',
      'run 1-2',
      'fork 4-4',
      'run 4-5',
      'message 5-6',
    ])
  })

  it('show the branch that is taken instead of what follows, up to its end', () => {
    expect(drawn('hahaha', 'everything', [{ from: 2, to: 4, after: 1 }], 2)).toEqual([
      'message 0-1',
      'message 1-2',
      'fork 2-2',
      'message 2-3',
      'message 3-4',
      'end 4-4',
    ])
  })

  it('have keys that grow and that tell a fork and an end from the items beside them', () => {
    const rows = rowsOf(shape('hahaha'), pathOf([{ from: 2, to: 4, after: 1 }], 2, 6), 'everything')
    const all = Array.from({ length: rows.length }, (_, row) => row)
    expect(all.map((row) => rows.key(row))).toEqual([0, 1, 1.5, 2, 3, 3.75])
    expect(all.map((row) => rows.rowOf(rows.key(row)))).toEqual(all)
  })

  it('leave out what subagents wrote into the session, which the rows of their runs show', () => {
    const own = [
      { run: 'b', own: [{ from: 3, to: 5 }] },
      {
        run: 'c',
        own: [
          { from: 2, to: 3 },
          { from: 5, to: 6 },
        ],
      },
    ]
    const shown = (run?: string) =>
      namesOf(rowsOf(shape('htpataha'), pathWithin(pathOf([], undefined, 8), own, run), 'everything'))
    expect(shown()).toEqual(['message 0-1', 'run 1-2', 'message 6-7', 'message 7-8'])
    expect(shown('b')).toEqual(['message 3-4', 'run 4-5'])
    expect(shown('c')).toEqual(['message 2-3', 'message 5-6'])
    expect(shown('gone')).toEqual([])
  })

  it('keep a place for items that are not known yet', () => {
    expect(drawn('????ha')).toEqual(['gap 0-4', 'message 4-5', 'message 5-6'])
  })

  it('find the row of an item', () => {
    const rows = rowsOf(shape('htttta'), pathOf([], undefined, 6), 'everything')
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

describe('the path through a session', () => {
  /** Each way of the switches on the path: where it stands, the beginnings of its ways, and the one taken. */
  const forks = (branches: Branch[], taken: number | undefined, count: number) =>
    pathOf(branches, taken, count).forks.map(({ at, branches: parting, taken: on, other }) => ({
      at,
      ways: [...parting.map(({ from }) => from), other.begin],
      taken: on?.from ?? other.begin,
    }))
  const spans = (branches: Branch[], taken: number | undefined, count: number): string =>
    pathOf(branches, taken, count)
      .spans.map(({ from, to }) => `${from}-${to}`)
      .join(' ')

  it('has one switch where the human went back to the same place twice', () => {
    const thrice = branchesIn([{ from: 2, to: 6 }], [{ index: 4, after: 1 }])
    expect(thrice).toEqual([
      { from: 2, to: 4, after: 1 },
      { from: 4, to: 6, after: 1 },
    ])
    expect(forks(thrice, undefined, 8)).toEqual([{ at: 6, ways: [2, 4, 6], taken: 6 }])
    expect(forks(thrice, 4, 8)).toEqual([{ at: 4, ways: [2, 4, 6], taken: 4 }])
    expect([spans(thrice, undefined, 8), spans(thrice, 4, 8)]).toEqual(['0-2 6-8', '0-2 4-6'])
  })

  it('leads through a branch of a branch', () => {
    // 2 to 5 was left at 3 for 6 and 7, and everything from 2 on was left for 8.
    const nested = branchesIn([{ from: 2, to: 8 }], [{ index: 6, after: 3 }])
    expect(forks(nested, undefined, 10)).toEqual([{ at: 8, ways: [2, 8], taken: 8 }])
    expect(spans(nested, 6, 10)).toBe('0-2 2-4 6-8')
    expect(forks(nested, 6, 10)).toEqual([
      { at: 2, ways: [2, 8], taken: 2 },
      { at: 6, ways: [6, 4], taken: 6 },
    ])
    expect(spans(nested, 2, 10)).toBe('0-2 2-6')
    expect(forks(nested, 2, 10)).toEqual([
      { at: 2, ways: [2, 8], taken: 2 },
      { at: 4, ways: [6, 4], taken: 4 },
    ])
  })

  it('goes on with a branch that the human came back to', () => {
    // 2 and 3, then 4 and 5 from 1, then 6 and 7 from 3, and at last 8 from 1.
    const interrupted = branchesIn(
      [{ from: 2, to: 8 }],
      [
        { index: 4, after: 1 },
        { index: 6, after: 3 },
      ],
    )
    expect(spans(interrupted, 2, 10)).toBe('0-2 2-4 6-8')
    expect(forks(interrupted, 2, 10)).toEqual([{ at: 2, ways: [2, 4, 8], taken: 2 }])
  })

  it('has a switch within what was kept, if the human came back to that', () => {
    const kept = [{ from: 4, to: 6, after: 1 }]
    expect(spans(kept, undefined, 8)).toBe('0-4 6-8')
    expect(forks(kept, undefined, 8)).toEqual([{ at: 2, ways: [4, 2], taken: 2 }])
    expect(spans(kept, 4, 8)).toBe('0-2 4-6')
  })

  it('has a switch at the very beginning, and at the end', () => {
    expect(forks([{ from: 0, to: 2, after: -1 }], undefined, 4)).toEqual([{ at: 2, ways: [0, 2], taken: 2 }])
    expect(forks([{ from: 2, to: 4, after: 1 }], undefined, 4)).toEqual([{ at: 2, ways: [2, 4], taken: 4 }])
  })
})

/** A run of these items, in which `undefined` has not arrived. */
const run = (who: string, items: readonly (Partial<Item> | undefined)[]) =>
  callsOf(
    { shape: { peek: () => ({ who }) }, item: (index) => items[index] as Item | undefined },
    0,
    who.length,
  )

const bash: Partial<Item> = { who: 'tool', tool: { name: 'Bash', target: 'npm test' } }
const bashFailed: Partial<Item> = { who: 'error', tool: { name: 'Bash' } as Item['tool'], text: 'exit 1' }
const overloaded: Partial<Item> = { who: 'error', text: '529: overloaded' }

const named = (calls: ReturnType<typeof run>): string[] =>
  summary(calls).map(({ name, target }, index) => `${name} ${target} ${calls[index]!.error?.text ?? 'works'}`)

describe('the calls of a run', () => {
  it('have the errors of their tool', () => {
    expect(named(run('te', [bash, bashFailed]))).toEqual(['Bash npm test exit 1'])
  })

  it('have their own errors where several are made at once', () => {
    const [moss, fern] = ['moss.md', 'fern.md'].map((target) => ({ name: 'Edit', target }))
    const items: Partial<Item>[] = [
      { who: 'tool', tool: moss! },
      { who: 'tool', tool: fern! },
      { who: 'error', tool: moss!, text: 'no moss' },
      { who: 'tool', tool: moss! },
      { who: 'error', tool: fern!, text: 'no fern' },
    ]
    const errors = run('ttete', items).map(({ index, error }) => [index, error?.text])
    expect(errors).toEqual([
      [0, 'no moss'],
      [1, 'no fern'],
      [3, undefined],
    ])
  })

  it('do not have the error of a reply, which is named as such', () => {
    expect(named(run('e', [overloaded]))).toEqual(['Reply  529: overloaded'])
    expect(named(run('te', [bash, overloaded]))).toEqual(['Bash npm test works', 'Reply  529: overloaded'])
  })

  it('have no name until they arrive', () => {
    expect(named(run('te', [undefined, undefined]))).toEqual(['…  works'])
  })
})
