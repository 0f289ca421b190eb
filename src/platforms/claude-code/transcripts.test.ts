import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  fixture,
  humanWords,
  readableItem,
  readFixture,
  rootAt,
  sessionOf,
  transcripts,
} from '../../../test/claude-code-fixtures.ts'
import { temporaryHome } from '../../../test/records.ts'
import type { Artifact } from '../../model/artifact.ts'
import { readSession } from '../../sync/read/read-session.ts'

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
      input: 8,
      output: 32,
      cacheRead: 4000,
      cacheWrite: 1800,
      cacheWriteHour: 900,
      cost: 1.875,
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

  it('has what the client adds when it resumes a session that was killed in a call', () => {
    expect(readFixture('killed')).toMatchInlineSnapshot(`
      [
        "human: Water the fern for an hour.",
        "tool: Bash sleep 3600",
        "error: (Bash sleep 3600) [Tool call interrupted by a restart of the client]",
        "human: Is it wet?",
        "agent: No.",
      ]
    `)
    expect(sessionOf('killed')).toMatchObject({ human: 2, agentMessages: 1, usage: { output: 18 } })
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

  it('marks all of a turn that was taken back, also before a compaction', () => {
    expect(readFixture('rewind')).toMatchInlineSnapshot(`
      [
        "human: buy cups",
        "agent: Bought.",
        "human (abandoned): paint them red",
        "agent (abandoned): Red.",
        "tool (abandoned): Bash paint red",
        "error (abandoned): (Bash paint red) out of red",
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
        "marker: · local-command /clear",
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
    [3, 'of this file', 'the summary rather than the last prompt'],
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

let records = 0
const record = (content: string, type = 'user'): string =>
  JSON.stringify({
    type,
    message: { role: type, content },
    uuid: `u${++records}`,
    timestamp: '2026-03-02T09:00:00Z',
  })

/** A transcript with these bytes, which git and editors would change in a fixture. */
function transcript(...bytes: (string | Buffer)[]): Artifact {
  const root = temporaryHome()
  const project = join(root, 'projects/-srv-eastore')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'a.jsonl'), Buffer.concat(bytes.map((each) => Buffer.from(each as string))))
  return [...transcripts(rootAt(root)).files.values()][0]!
}

function read(artifact: Artifact, lineLimit?: number) {
  const { items, session } = readSession(artifact, { lineLimit })
  return { items: items.map(readableItem), lines: session.lines, ...session.accounting }
}

describe('a damaged file', () => {
  it('is read after a run of zero bytes', () => {
    const { items, malformed } = read(
      transcript(Buffer.alloc(5000), record('a'), '\n', Buffer.alloc(9), '\n', record('b'), '\n'),
    )
    expect(items).toEqual(['human: a', 'human: b'])
    expect(malformed).toBeLessThanOrEqual(1)
  })

  it('is read after a byte order mark, and with carriage returns', () => {
    const result = read(transcript('\uFEFF', record('a'), '\r\n', '\r\n', record('b'), '\r\n'))
    expect(result).toMatchObject({ items: ['human: a', 'human: b'], malformed: 0, events: 2 })
  })

  it('yields the text around invalid UTF-8', () => {
    const [before, after] = record('teaXpot').split('X') as [string, string]
    const result = read(transcript(before, Buffer.from([0xff, 0xc3]), after, '\n', record('b'), '\n'))
    expect(result.items[0]).toMatch(/^human: tea\uFFFD+pot$/)
    expect(result.events).toBe(2)
  })

  it('yields a last line without a newline if it is whole, and counts it if it is not', () => {
    expect(read(transcript(record('a'), '\n', record('b')))).toMatchObject({ events: 2, malformed: 0 })
    const torn = read(transcript(record('a'), '\n', record('bbb').slice(0, 40)))
    expect(torn).toMatchObject({ items: ['human: a'], malformed: 1, lines: 2 })
  })

  it('yields both of two records on one line', () => {
    expect(
      read(transcript(record('a'), record('b'), '\n', record('c'), ' ', record('d'), '\n')),
    ).toMatchObject({
      items: ['human: a', 'human: b', 'human: c', 'human: d'],
      lines: 2,
      malformed: 0,
    })
  })

  it('preserves NUL characters and separators in texts, and marks half a character as lost', () => {
    const line = '{"type":"user","message":{"content":"a\\u0000b\u2028c\u2029d\\ud800"},"uuid":"x"}\n'
    expect(read(transcript(line)).items).toEqual(['human: a␀b⤶c\u2029d\ufffd'])
  })

  it('may be empty or consist of white space', () => {
    expect(read(transcript(''))).toMatchObject({ items: [], lines: 0 })
    expect(read(transcript('\n \n\t\r\n'))).toMatchObject({ items: [], lines: 0, malformed: 0 })
  })
})

describe('a line of twenty megabytes', () => {
  const picture = 'A'.repeat(20 * 1024 * 1024)
  const prompt = JSON.stringify({
    type: 'user',
    uuid: 'big',
    message: {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', data: picture } },
        { type: 'text', text: 'what is this?' },
      ],
    },
  })

  it('is read like any other', () => {
    expect(read(transcript(prompt, '\n', record('and this?'), '\n')).items).toEqual([
      'human: what is this? [image]',
      'human: and this?',
    ])
  })

  it('is skipped and counted if it is longer than the limit', () => {
    const result = read(
      transcript(record('before'), '\n', prompt, '\n', record('behind'), '\n'),
      4 * 1024 * 1024,
    )
    expect(result).toMatchObject({ items: ['human: before', 'human: behind'], lines: 3, malformed: 1 })
  })
})

describe('prompts that were typed while the agent was busy', () => {
  it('are shown once in print mode, where every prompt passes through the queue', () => {
    expect(readFixture('queue-print-mode')).toMatchInlineSnapshot(`
      [
        "program (sdk): list the teas",
        "agent: Oolong, mint.",
      ]
    `)
    expect(sessionOf('queue-print-mode').kind).toBe('program')
  })

  it('are shown if the queue contains the only copy', () => {
    expect(readFixture('queue-absorbed')).toMatchInlineSnapshot(`
      [
        "human: bake scones",
        "tool: Bash bake",
        "human (queued): and no raisins",
        "agent: Scones without raisins.",
      ]
    `)
  })

  it('are read from the attachment, and shown once if both contain them', () => {
    expect(readFixture('queue-attached')).toMatchInlineSnapshot(`
      [
        "human: bake scones",
        "tool: Bash bake",
        "human: both in the queue and attached",
        "human: attached only",
        "human: with a picture [image]",
        "human: [image]",
        "human: ! ls cups",
        "program (peer): from a peer",
        "agent: All heard.",
      ]
    `)
  })

  it('are not shown if the human took them back into the input line', () => {
    expect(humanWords('queue-taken-back')).toEqual(['bake bread', 'with rye, no seeds'])
  })

  it('are found after a notification that left the queue after them', () => {
    expect(humanWords('queue-notifications')).toEqual(['watch the oven', 'also the fridge'])
  })

  it('are not lost if a later prompt contains or repeats them', () => {
    expect(humanWords('queue-short-words')).toEqual([
      'shall we?',
      'ok',
      'look at the bookshop',
      'continue',
      'continue',
    ])
  })

  it('are shown once if several were sent together', () => {
    expect(humanWords('queue-joined')).toEqual(['mix dough', 'then rest it / for an hour'])
  })

  it('are shown if the session ended before they were sent', () => {
    expect(humanWords('queue-left-over')).toEqual(['mix dough', 'and stop when it is smooth', '/compact'])
  })

  it('are lost if the client did not store their text', () => {
    expect(humanWords('queue-without-words')).toEqual(['mix dough'])
  })
})
