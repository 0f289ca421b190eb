import { describe, expect, it } from 'vitest'
import { fixture, humanWords, readFixture, sessionOf } from '../../../test/claude-code-fixtures.ts'
import { readSession } from '../../collect/read/read-session.ts'

describe('a transcript of Claude Code', () => {
  it('joins the lines of a reply, and preserves results of parallel calls', () => {
    expect(readFixture('split-reply')).toMatchInlineSnapshot(`
      [
        "human: weigh and price the tea",
        "agent: I weigh it.",
        "tool: Bash weigh tea",
        "error: (Bash weigh tea) scale is empty",
        "tool: Read /srv/eastore/prices.json",
        "agent: It costs 12 euros. /  / Per tin.",
        "tool: web_search tea prices",
        "marker: · note a block of unknown kind, hologram",
        "agent: a plain string",
        "agent: no message id",
      ]
    `)
  })

  it('counts the usage of a reply once, with the largest output', () => {
    const { session } = readSession(fixture('split-reply')[0]!, { keep: 'counts' })
    expect(session.usage).toMatchInlineSnapshot(`
      {
        "cacheRead": 460,
        "cacheWrite": 230,
        "input": 15,
        "output": 64,
      }
    `)
  })

  it('adds up the costs that the client states, even if it started again from zero', () => {
    const { usage, accounting } = sessionOf('stated-costs')
    expect(usage).toEqual({
      ...{ input: 8, output: 32, cacheRead: 4000 },
      ...{ cacheWrite: 1800, cacheWriteHour: 900, cost: 1.875 },
    })
    expect(accounting).toMatchObject({ events: 8, skipped: { 'cost-state': 1 } })
    expect(sessionOf('old-version').usage?.cost).toBe(0.01)
  })

  it('shows the error of the very last line on the current branch', () => {
    expect(readFixture('last-result-failed')).toMatchInlineSnapshot(`
      [
        "human: open the shop",
        "tool: Bash open",
        "error: (Bash open) locked",
      ]
    `)
  })

  it('names its client version and Git branches', () => {
    const { version, branches } = sessionOf('words-beside')
    expect({ version, branches }).toEqual({ version: '2.1.330', branches: ['main'] })
  })

  it('shows the text of an interrupted model, and omits what the client says for it', () => {
    expect(readFixture('synthetic')).toMatchInlineSnapshot(`
      [
        "human: tell a long story about tea",
        "agent: Once upon a time a leaf",
        "marker: · interruption",
        "error: API Error: 529 overloaded",
        "error: Prompt is too long",
        "marker: · interruption",
        "marker: · retry 529 Overloaded (1 of 10)",
        "error: connection reset",
      ]
    `)
    expect(sessionOf('synthetic').model).toBeUndefined()
  })

  it('shows which tools failed and how, whatever the shape of the result', () => {
    expect(readFixture('tool-results')).toMatchInlineSnapshot(`
      [
        "human: try all tools",
        "tool: Bash try 0",
        "tool: Bash try 1",
        "tool: Bash try 2",
        "error: (Bash try 2) Exit code 1: Tests failed: 3",
        "tool: Bash try 3",
        "error: (Bash try 3) File has not been read yet.",
        "tool: Bash try 4",
        "tool: Bash try 5",
        "error: (Bash try 5)",
        "tool: Bash try 6",
        "error: two failed",
        "error: lost",
      ]
    `)
  })

  it('shows a compaction once, and messages on both sides of it once', () => {
    expect(readFixture('compaction')).toMatchInlineSnapshot(`
      [
        "human: design a cup",
        "agent: A round one.",
        "human: with a handle",
        "agent: With a handle.",
        "marker: · compaction a summary of 130 characters",
        "human: and a saucer",
        "agent: And a saucer.",
      ]
    `)
    expect(readFixture('compaction-unmarked')).toMatchInlineSnapshot(`
      [
        "marker: · compaction a summary of 128 characters",
        "human: go on",
        "agent: Going on.",
      ]
    `)
  })

  it('marks turns that were taken back, also before a compaction', () => {
    expect(readFixture('rewind')).toMatchInlineSnapshot(`
      [
        "human: buy cups",
        "agent: Bought.",
        "human (abandoned): paint them red",
        "agent (abandoned): Red.",
        "tool: Bash paint red",
        "error: (Bash paint red) out of red",
        "human: paint them blue",
        "agent: Blue.",
      ]
    `)
    expect(readFixture('rewind-before-compaction').filter((line) => line.includes('abandoned'))).toEqual([
      'human (abandoned): paint them red',
      'agent (abandoned): Red.',
    ])
  })

  it('does not mark records as abandoned if their parents are in another file', () => {
    expect(readFixture('orphans').join()).not.toContain('abandoned')
  })

  it('has the original ids in a copied history', () => {
    const [first, second] = fixture('resume-copy')
    expect(humanWords('resume-copy', 1)).toEqual(['plant mint', 'water it'])
    const ids = [first!, second!].map((each) => readSession(each).items.map(({ id }) => id))
    expect(ids[1]!.slice(0, 2)).toEqual(ids[0])
    expect(sessionOf('resume-copy', 1).otherIds).toEqual([first!.sessionId])
  })

  it('includes the history of forks, marked or not', () => {
    expect(humanWords('fork', 1)).toEqual(['plant basil', 'eat it'])
    expect(humanWords('fork', 2)).toEqual(['plant basil', 'sell it'])
  })

  it('starts a new session after /clear, under the old title', () => {
    expect(readFixture('clear', 1)).toMatchInlineSnapshot(`
      [
        "human: /clear",
        "human: rake",
        "agent: Raked.",
      ]
    `)
    expect(sessionOf('clear', 1).title).toBe('Garden')
  })

  it('is in the order of the file even if the clock is not', () => {
    expect(readFixture('time-backwards')).toMatchInlineSnapshot(`
      [
        "human: later line first",
        "agent: Yes.",
        "human: earlier time",
        "agent: No time.",
        "human: time in numbers",
      ]
    `)
    const { startedMs, lastActivityMs } = sessionOf('time-backwards')
    expect(new Date(startedMs!).toISOString()).toBe('2026-01-01T00:00:00.000Z')
    expect(new Date(lastActivityMs!).toISOString()).toBe('2026-03-02T09:00:02.000Z')
  })

  it('of the first versions can be read', () => {
    expect(readFixture('old-version')).toMatchInlineSnapshot(`
      [
        "human: price of tea?",
        "agent: Twelve.",
      ]
    `)
  })

  it('may have no messages', () => {
    for (const name of ['metadata-only', 'empty-file']) {
      expect(sessionOf(name)).toMatchObject({ kind: null, human: 0, agentMessages: 0, title: undefined })
      expect(readFixture(name)).toEqual([])
    }
  })

  it('yields what a damaged file still contains', () => {
    expect(readFixture('damaged')).toMatchInlineSnapshot(`
      [
        "human: first of two glued",
        "agent: Second of them.",
        "human: a zero ␀ inside and a line⤶separator",
        "agent: Behind a tear.",
      ]
    `)
    expect(sessionOf('damaged').accounting).toMatchInlineSnapshot(`
      {
        "events": 3,
        "malformed": 2,
        "malformedAt": [
          887,
          1267,
          2047,
        ],
        "skipped": {},
        "unknown": {
          "(array)": 1,
          "(null)": 1,
          "(number)": 1,
          "(string)": 1,
          "(untyped)": 2,
          "assistant": 1,
          "user": 4,
        },
      }
    `)
  })

  it('records where a session moved, and where a worktree came from', () => {
    const session = sessionOf('moves')
    expect(session.origins).toEqual(['/srv/eastore', '/srv/eastore-old'])
    expect(session.cwds[0]![0]).toBe('/srv/eastore/.claude/worktrees/lids')
  })
})

describe('the title of a session', () => {
  it.each([
    [0, 'given last', 'the last one that was given'],
    [1, 'from the file beside', 'the one in the file next to it'],
    [2, 'by the model', 'the one that the model generated'],
    [3, 'last words', 'the last prompt'],
    [4, 'of this file', 'the summary that was made for it'],
    [5, 'first words', 'the first message of the human'],
    [6, 'first words', 'neither an empty one nor one in a damaged file'],
    [7, 'a stray title', 'a summary for another session, if there are no messages'],
  ])('in fixture %i is "%s": %s', (index, title) => {
    expect(sessionOf('titles', index).title).toBe(title)
  })

  it('comes with the state of an archived session', () => {
    expect(sessionOf('titles', 5).state).toBe('archived')
    expect(sessionOf('titles', 4).state).toBe('live')
  })
})
