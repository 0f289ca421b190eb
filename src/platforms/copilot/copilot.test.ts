import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
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
  it('has what a person typed into a form of the agent once, whatever records have it', () => {
    expect(shown('asked')[0]).toMatchInlineSnapshot(`
      [
        "human: Clear the old pots.",
        "agent: I have a question.",
        "tool: ask_user Which pot goes?",
        "human (answer): The cracked one. / 2",
        "agent: It is gone.",
      ]
    `)
  })

  it('has each answer of a person, also of requests without ids', () => {
    const [{ artifact }] = fixture('asked') as [ReturnType<typeof fixture>[number]]
    const answers = ['The cracked one.', 'Green.'].flatMap((answer) =>
      copilot.records
        .normalize({ type: 'user_input.completed', data: { answer } }, artifact)
        .map(({ payload }) => payload),
    )
    expect(answers).toMatchObject(['The cracked one.', 'Green.'].map((text) => ({ parts: [{ text }] })))
    expect(answers.map((payload) => payload.type === 'message' && payload.messageId)).toEqual([
      undefined,
      undefined,
    ])
  })

  it('has the words of a person as they typed them, their commands, and failures by exit code', () => {
    expect(shown('words')[0]).toMatchInlineSnapshot(`
      [
        "human: Which fern is this? [fern.png]",
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
        "tool (subagent): bash ls pots | grep -c blue",
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

  /** A session of these events, each with its data. */
  function sessionOf(...events: [type: string, data: object][]) {
    const root = mkdtempSync(join(tmpdir(), 'scrollback-copilot-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const directory = join(root, 'session-state/0c0f11e5-0000-4000-8000-000000000011')
    mkdirSync(directory, { recursive: true })
    const lines = events.map(([type, data], at) => JSON.stringify({ type, data, id: `e${at}` }))
    writeFileSync(join(directory, 'events.jsonl'), lines.join('\n'))
    const [artifact] = copilot.files.discover(
      { platform: 'copilot', path: root, reason: 'test', found: true },
      nowhere,
    ).artifacts
    return { artifact: artifact!, ...readSession(artifact!) }
  }
  const asked = (name: string, given: object, more: object = { model: 'fern', apiCallId: 'r' }) =>
    [
      'assistant.message',
      { content: '', toolRequests: [{ toolCallId: name, name, arguments: given }], ...more },
    ] satisfies [string, object]

  it('has one denial of a call that a person refused with words, and an error where rules deny', () => {
    const ended = (toolCallId: string, message: string) =>
      [
        'tool.execution_complete',
        { toolCallId, success: false, error: { message, code: 'denied' } },
      ] satisfies [string, object]
    const { items, session } = sessionOf(
      asked('create', { path: 'pot.txt', file_text: 'x' }),
      [
        'permission.completed',
        { toolCallId: 'create', result: { kind: 'denied-interactively-by-user', feedback: 'Not that pot.' } },
      ],
      ended('create', 'The user rejected this tool call. User feedback: Not that pot.'),
      asked('bash', { command: 'dig' }),
      ended('bash', 'Permission to run this tool was denied.'),
      // Versions without a record of the permission.
      asked('edit', { path: 'fern.txt' }),
      ended('edit', 'The user rejected this tool call. User feedback: Not that fern.\nThe other.'),
    )
    expect(items.map(readableItem)).toEqual([
      'tool: create pot.txt',
      'marker: · denial (create pot.txt)',
      'human (answer): Not that pot.',
      'tool: bash dig',
      'error: (bash dig) Permission to run this tool was denied.',
      'tool: edit fern.txt',
      'marker: · denial (edit fern.txt)',
      'human (answer): Not that fern. / The other.',
    ])
    expect(session.errors).toBe(1)
  })

  it('has no calls that the client made itself, and a command in the background that failed', () => {
    const words = 'Shell command "dig" (shellId: pot) has exited with exit code 5.'
    const told = (exitCode: number) =>
      [
        'system.notification',
        {
          content: `<system_notification>\n${words}\n</system_notification>`,
          kind: { type: 'shell_completed', shellId: 'pot', exitCode },
        },
      ] satisfies [string, object]
    const { items, session } = sessionOf(
      asked('bash', { command: 'dig', mode: 'async' }),
      told(5),
      asked('read_bash', { shellId: 'pot', delay: 0 }, {}),
      told(0),
      asked('read_agent', { agent_id: 'a' }, {}),
      asked('read_agent', { agent_id: 'b' }),
    )
    expect(items.map(readableItem)).toEqual(['tool: bash dig', `error: ${words}`, 'tool: read_agent b'])
    expect(session).toMatchObject({ toolCalls: 2, errors: 1 })
    expect(session.accounting.skipped).toMatchObject({ 'assistant.message:client': 2 })
  })

  it('says which files are new, by the result or by the diff', () => {
    const wrote = (toolCallId: string, more: object) =>
      ['tool.execution_complete', { toolCallId, success: true, ...more }] satisfies [string, object]
    const created = (file: string) =>
      `\ndiff --git a/${file} b/${file}\ncreate file mode 100644\n--- a/dev/null\n`
    const { artifact } = sessionOf(
      [
        'assistant.message',
        {
          model: 'fern',
          toolRequests: ['a', 'b', 'c', 'd'].map((path) => ({
            toolCallId: path,
            name: 'create',
            arguments: { path, file_text: 'x' },
          })),
        },
      ],
      wrote('a', { fileEdits: [{ path: '/a', kind: 'create' }] }),
      wrote('b', { result: { detailedContent: created('b') } }),
      wrote('c', { fileEdits: [{ path: '/c', kind: 'edit' }] }),
      wrote('d', {}),
    )
    expect(fileEdits(artifact).map(({ original }) => original)).toEqual([null, null, undefined, undefined])
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
