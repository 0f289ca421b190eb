import { join, relative } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import type { Environment } from '../../model/artifact.ts'
import { fileEdits } from '../../sync/read/file-edits.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { readSpawns } from '../../sync/read/read-spawns.ts'
import { nameIn } from './files.ts'
import { copilot } from './index.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/copilot')
const nowhere: Environment = { home: '/nowhere', variables: {} }

/** What is found in a fixture. */
const found = (name: string, environment = nowhere) =>
  copilot.files.discover(
    { platform: 'copilot', path: join(folder, name, '.copilot'), reason: 'test', found: true },
    environment,
  )

/** The sessions of a fixture, in the order of their ids. */
const fixture = (name: string) =>
  found(name)
    .artifacts.toSorted((one, other) => (one.sessionId < other.sessionId ? -1 : 1))
    .map((artifact) => ({ artifact, ...readSession(artifact) }))

const shown = (name: string): string[][] => fixture(name).map(({ items }) => items.map(readableItem))

describe('a session of Copilot CLI', () => {
  it('has the words of a person as they typed them, their commands, and failures by exit code', () => {
    expect(shown('words')[0]).toMatchInlineSnapshot(`
      [
        "human: Which fern is this? [image]",
        "agent: I look at the list.",
        "tool: bash cat ferns.csv",
        "tool: view /home/ann/garden/wet.csv",
        "error: (view /home/ann/garden/wet.csv) Path does not exist",
        "agent: A lady fern.",
        "human: Water it.",
        "tool: bash ./water --all",
        "tool: apply_patch notes.md",
        "error: (bash ./water --all) no water",
        "human: !ls pots",
      ]
    `)
  })

  it('counts each request once, without the cache in its input, and is named by the file beside it', () => {
    const [{ session, artifact }] = fixture('words') as [ReturnType<typeof fixture>[0]]
    expect(session).toMatchObject({ title: 'Ferns: which one?', model: 'claude-fern-4', errors: 2 })
    expect(session).toMatchObject({ cwds: [['/home/ann/garden', 1]], branches: ['main'] })
    expect(session.usage).toEqual({ input: 230, output: 43, cacheRead: 630, cacheWrite: 10 })
    expect(fileEdits(artifact).map(({ path }) => path)).toEqual(['notes.md'])
  })

  it('has the tokens of each shutdown, until requests have records of their own', () => {
    const [{ session }] = fixture('shutdown-tokens') as [ReturnType<typeof fixture>[0]]
    expect(session.usage).toEqual({ input: 210, output: 21, cacheRead: 210, cacheWrite: 10 })
  })

  it('has answers, rejections with words, interruptions, compactions and prompts that no person typed', () => {
    expect(shown('answers')[0]).toMatchInlineSnapshot(`
      [
        "human: Remove the old pots.",
        "agent: I remove them.",
        "tool: bash rm -rf pots",
        "marker: · denial (bash rm -rf pots)",
        "human (answer): Keep the blue one.",
        "agent: Then which?",
        "tool: ask_user Which pot may go?",
        "human (answer): The cracked one.",
        "agent: I write a plan.",
        "tool: exit_plan_mode Throw it away",
        "human (answer): Glue it instead.",
        "human: Do it now.",
        "marker: · interruption",
        "program (autopilot): Continue the objective.",
        "program (skill): Read the skill.",
        "error: 400 The request is too long.",
        "marker: · compaction a summary of 25 characters",
        "error: no room",
        "marker: · note rewound",
      ]
    `)
    const [{ session }] = fixture('answers') as [ReturnType<typeof fixture>[0]]
    expect(session).toMatchObject({
      title: 'First line.\nSecond line.',
      errors: 2,
      usage: { input: 460, output: 25, cacheRead: 200 },
    })
    expect(session.accounting.skipped).toMatchObject({ 'session.info:mcp': 1 })
  })

  it('has in a fork all that was said, as its client shows it, and leads to its original', () => {
    expect(shown('forked')).toMatchInlineSnapshot(`
      [
        [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the green one?",
          "agent: Cracked.",
        ],
        [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the red one?",
          "agent: Taken.",
        ],
      ]
    `)
    const [parent, fork] = fixture('forked').map(({ session }) => session)
    expect(parent).toMatchObject({ parentSessionId: undefined, usage: { input: 80, output: 10 } })
    expect(fork).toMatchObject({
      title: 'Free pots (fork)',
      parentSessionId: parent!.id,
      forked: true,
    })
  })

  it('contains the words and tokens of its subagents, whose tasks no person typed', () => {
    expect(shown('subagents')[0]).toMatchInlineSnapshot(`
      [
        "human: Count the pots with a helper.",
        "agent: A helper counts.",
        "tool: task Count the blue pots",
        "program (parent agent): COUNT: the blue pots.",
        "tool: bash ls pots | grep -c blue",
        "agent (subagent): There are four.",
        "error: no helper is free",
        "agent: Four blue pots.",
      ]
    `)
    const [{ session, artifact }] = fixture('subagents') as [ReturnType<typeof fixture>[0]]
    expect(session).toMatchObject({ human: 1, usage: { input: 295, output: 24 } })
    const root = {
      platform: 'copilot',
      path: join(folder, 'subagents/.copilot'),
      reason: 'test',
      found: true,
    } as const
    const id = 'a9e47000-0000-4000-8000-000000000001'
    expect(copilot.subagents!.runs!(root).runs).toMatchObject([
      {
        ...{ id, task: 'COUNT: the blue pots.', result: 'There are four.', status: 'ok', toolCalls: 1 },
        ...{ endedMs: 1793874615000, parentSessionId: artifact.sessionId },
        lines: [6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
      },
    ])
    expect(readSpawns(artifact)).toEqual([
      { callId: 's1', prompt: 'COUNT: the blue pots.', line: 4 },
      { callId: 's1', child: id, line: 6 },
    ])
  })

  it('shows what it cost as credits, and no dollars', () => {
    const [{ artifact, session }] = fixture('words') as [ReturnType<typeof fixture>[0]]
    const noted = (data: object) => copilot.records.normalize({ type: 'session.shutdown', data }, artifact)[0]
    expect(noted({ totalNanoAiu: 1_250_000_000, totalPremiumRequests: 3 })).toMatchObject({
      payload: { marker: 'note', text: '1.25 AI credits, 3 premium requests so far' },
    })
    expect(noted({ totalNanoAiu: 0, totalPremiumRequests: 0 })).toMatchObject({
      payload: { type: 'skipped' },
    })
    expect(session.usage).not.toHaveProperty('cost')
  })

  it('has types of other versions as unknown, and torn lines as malformed', () => {
    const [{ session }, early] = fixture('damaged') as [
      ReturnType<typeof fixture>[0],
      ReturnType<typeof fixture>[0],
    ]
    expect(session.accounting).toMatchObject({
      malformed: 2,
      unknown: { 'garden.gate_opened': 1, untyped: 1, '(array)': 1, '(string)': 1 },
    })
    expect(early.items.map(readableItem)).toEqual(['human: Name a fern.', 'agent: The lady fern.'])
  })

  it('is resumed by its id, in its folder', () => {
    const [{ session }] = fixture('words') as [ReturnType<typeof fixture>[0]]
    expect(
      copilot.resume({ ...session, root: '/home/ann/.copilot' }, { home: '/home/ann', variables: {} }),
    ).toEqual({
      words: ['copilot', '--resume='],
      id: session.id,
      variables: {},
      directories: ['/home/ann/garden'],
    })
    expect(copilot.resume({ ...session, root: '/old' }, { home: '/home/ann', variables: {} })).toMatchObject({
      variables: { COPILOT_HOME: '/old' },
    })
  })
})

describe('the files of Copilot CLI', () => {
  it('are the events of each session, and copies on request', () => {
    const root = join(folder, 'damaged/.copilot')
    const names = (environment: Environment) =>
      found('damaged', environment).artifacts.map(
        ({ path, state }) => `${relative(root, path).slice(-18)} ${state}`,
      )
    expect(names(nowhere).sort()).toEqual(['000000000007.jsonl live', '00006/events.jsonl live'])
    expect(names({ ...nowhere, backups: true })).toHaveLength(3)
    expect(found('damaged').unread).toMatchObject([
      { copy: true },
      { reason: expect.stringContaining('first versions') },
    ])
  })

  it('are found below a home directory, a folder that was given, and a variable', () => {
    const paths = (more: Partial<Environment>) =>
      copilot.files
        .roots({ home: '/home/ann', variables: {}, ...more })
        .map(({ path, reason }) => `${path} ${reason}`)
    expect(paths({})).toEqual(['/home/ann/.copilot default'])
    expect(paths({ variables: { COPILOT_HOME: '~/agents' } })).toEqual(['/home/ann/agents COPILOT_HOME'])
    const home = join(folder, 'words')
    for (const given of [home, join(home, '.copilot')])
      expect(paths({ dirs: { copilot: [given] } })).toEqual([`${join(home, '.copilot')} --copilot-dir`])
  })

  it('are recognized outside of the roots by their first event', () => {
    expect(copilot.files.given!.isOwn({ type: 'session.start' })).toBe(true)
    expect(copilot.files.given!.isOwn({ type: 'session' })).toBe(false)
  })
})

describe('the name in workspace.yaml', () => {
  it('is read in each form of YAML', () => {
    const forms = [
      'Oven night',
      "'It''s: late'",
      '"a \\"quoted\\" \\u00fc\\nname"',
      '|-\n  First line.\n  Second line.',
      '>-\n  one\n  line\n\n  and another',
      'a long name that\n  goes on',
    ]
    expect(forms.map((form) => nameIn(`id: a\nname: ${form}\nuser_named: true\n`))).toEqual([
      'Oven night',
      "It's: late",
      'a "quoted" ü\nname',
      'First line.\nSecond line.',
      'one line\nand another',
      'a long name that goes on',
    ])
    for (const none of ['', 'name:', 'name: null\n', "name: ''\n", 'title: x\n'])
      expect(nameIn(none)).toBeUndefined()
  })

  it('is a text or absent, whatever the file contains', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(['string', 'undefined']).toContain(typeof nameIn(`name: ${text}`))
      }),
    )
  })
})
