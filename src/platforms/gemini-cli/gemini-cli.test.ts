import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import type { Environment } from '../../model/artifact.ts'
import { fileEdits } from '../../sync/read/file-edits.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { readSpawns } from '../../sync/read/read-spawns.ts'
import { geminiCli } from './index.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/gemini-cli')
const nowhere: Environment = { home: '/nowhere', variables: {} }

/** The sessions of a fixture, in the order of their names. */
const fixture = (name: string) =>
  geminiCli.files
    .discover(
      { platform: 'gemini-cli', path: join(folder, name, '.gemini'), reason: 'test', found: true },
      nowhere,
    )
    .artifacts.toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((artifact) => ({ artifact, ...readSession(artifact) }))

const shown = (name: string): string[][] => fixture(name).map(({ items }) => items.map(readableItem))
const first = (name: string) => fixture(name)[0]!

describe('a session of Gemini CLI', () => {
  it('has what a person typed, answered or chose, and neither what a hook added nor what a command stands for', () => {
    expect(shown('asked')[0]).toMatchInlineSnapshot(`
      [
        "human: Clear the old pots.",
        "agent: I have questions.",
        "tool: ask_user Which pot goes?",
        "human (answer): The cracked one. / Green",
        "tool: ask_user Sure?",
        "agent: It is gone.",
        "human: /sow --what="moss"",
        "agent: Sown.",
        "human: Water it.",
        "agent: Done.",
      ]
    `)
  })

  /** A session of these lines, in a project that no file names. */
  function sessionOf(name: string, ...lines: object[]) {
    const root = mkdtempSync(join(tmpdir(), 'scrollback-gemini-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const chats = join(root, 'tmp/aa/chats')
    mkdirSync(chats, { recursive: true })
    writeFileSync(join(chats, name), lines.map((line) => JSON.stringify(line)).join('\n'))
    const [artifact] = geminiCli.files.discover(
      { platform: 'gemini-cli', path: root, reason: 'test', found: true },
      nowhere,
    ).artifacts
    return { artifact: artifact!, ...readSession(artifact!) }
  }
  const NAME = 'session-2026-11-07T10-50-07feed00.jsonl'
  const header = { sessionId: '07feed00', projectHash: 'aa', startTime: '2026-11-07T10:50:00.000Z' }
  const said = (id: string, text: string) => ({ id, type: 'user', content: [{ text }] })
  const told = (id: string, content: string) => ({
    id,
    type: 'gemini',
    content,
    tokens: { input: 1, output: 1 },
  })
  const context = said(
    'c',
    '<session_context>\n- **Workspace Directories:**\n  - /home/ann/my garden\n- **Directory',
  )

  it('has an answer also where the call was written before it ended, and what was called after it', () => {
    const call = (id: string, name: string, output?: string) => ({
      ...{ id, name, args: {} },
      ...(output !== undefined && {
        status: 'success',
        result: [{ functionResponse: { id, name, response: { output } } }],
      }),
    })
    const asked = (...toolCalls: object[]) => ({ ...told('g1', 'I ask.'), toolCalls })
    const { items } = sessionOf(
      NAME,
      header,
      said('u1', 'Clear the pots.'),
      asked(call('a', 'ask_user'), call('b', 'list_pots')),
      asked(
        call('a', 'ask_user', '{"answers":{"0":"The cracked one."}}'),
        call('b', 'list_pots', '2'),
        call('c', 'sow', ''),
      ),
    )
    expect(items.map(readableItem).sort()).toEqual([
      'agent: I ask.',
      'human (answer): The cracked one.',
      'human: Clear the pots.',
      'tool: ask_user',
      'tool: list_pots',
      'tool: sow',
    ])
  })

  it('has the tokens of a request without its call, which is nowhere if the client was killed in it', () => {
    expect(shown('killed')).toEqual([['human: Water the fern for an hour.']])
    expect(first('killed').session).toMatchObject({ toolCalls: 0, usage: { input: 50, output: 6 } })
  })

  it('knows what a file contained before and after a call wrote it, and that a file is new', () => {
    const wrote = (id: string, display: object) => ({
      ...{ id, name: 'write_file', status: 'success', resultDisplay: { fileName: 'a', ...display } },
      args: { file_path: `/home/ann/${id}`, content: 'wet' },
    })
    const toolCalls = [
      wrote('pots', { originalContent: '', isNewFile: true }),
      wrote('ferns', { originalContent: 'dry', newContent: 'wet', isNewFile: false }),
      { ...wrote('moss', {}), resultDisplay: 'Written.' },
      ...['Successfully created and wrote to new file: a.', 'Created new file: a.', 'Wrote the file.'].map(
        (output, index) => ({
          ...wrote(`new${index}`, {}),
          resultDisplay: output,
          result: [{ functionResponse: { response: { output } } }],
        }),
      ),
    ]
    const { artifact } = sessionOf(NAME, header, { ...told('1', ''), toolCalls })
    expect(fileEdits(artifact).map(({ original, result }) => [original, result])).toEqual([
      [null, undefined],
      ['dry', 'wet'],
      [undefined, undefined],
      [null, undefined],
      [null, undefined],
      [undefined, undefined],
    ])
  })

  it('is rewound to a prompt by the id that a compaction or a rejection gave it', () => {
    const { items, session } = sessionOf(
      NAME,
      header,
      { $set: { messages: [context] } },
      said('1', 'Name a fern.'),
      told('2', 'Lady.'),
      said('3', 'Name a moss.'),
      told('4', 'Peat.'),
      {
        $set: {
          messages: [context, said('a', 'Name a fern.'), told('b', 'Lady.'), said('d', 'Name a moss.')],
        },
      },
      { $rewindTo: 'd' },
      said('5', 'Name a herb.'),
    )
    expect(items.map(readableItem)).toEqual([
      'human: Name a fern.',
      'agent: Lady.',
      'human (abandoned): Name a moss.',
      'agent (abandoned): Peat.',
      'human: Name a herb.',
    ])
    expect(session.cwds).toEqual([['/home/ann/my garden', 1]])
  })

  it('has its first prompt where the context is a record of its own', () => {
    const { items } = sessionOf(NAME, header, context, said('1', 'Name a fern.'))
    expect(items.map(readableItem)).toEqual(['human: Name a fern.'])
  })

  it('has the title that a document states, and its words as texts', () => {
    const document = {
      ...header,
      summary: 'Ferns',
      messages: [{ ...said('1', ''), content: 'Name a fern.' }],
    }
    const { session } = sessionOf(NAME.replace('.jsonl', '.json'), document)
    expect(session).toMatchObject({ title: 'Ferns', firstHuman: 'Name a fern.' })
  })

  it('has the words of a person without the files they name, their commands, and failures by exit code', () => {
    expect(shown('words')[0]).toMatchInlineSnapshot(`
      [
        "human: Which fern is dry? [image]",
        "agent: I look at the list.",
        "tool: run_shell_command cat ferns.csv",
        "tool: read_file wet.csv",
        "error: (read_file wet.csv) File not found: wet.csv",
        "agent: The one at the wall.",
        "human: Water it.",
        "tool: run_shell_command ./water",
        "error: (run_shell_command ./water) no water",
        "tool: replace /home/ann/garden/notes.md",
        "marker: · interruption",
        "human: !ls pots",
        "error: 400 The request is too long.",
      ]
    `)
  })

  it('counts a reply once that is written twice, without the cache in its input', () => {
    const { session, artifact } = first('words')
    expect(session).toMatchObject({ title: 'Dry ferns and their pots', model: 'gemini-fern-1', errors: 3 })
    expect(session.usage).toEqual({ input: 90, output: 44, cacheRead: 520, cacheWrite: 0, reasoning: 7 })
    expect(session.cwds).toEqual([['/home/ann/garden', 1]])
    expect(fileEdits(artifact).map(({ path }) => path)).toEqual(['/home/ann/garden/notes.md'])
  })

  it.each([
    ['words that came later', '', 'Lady fern.'],
    ['words that have grown', 'Lady', 'Lady fern.'],
    ['no fewer words than before', 'Lady fern.', 'Lady'],
  ])('has of a reply that is written again %s, and the larger figures', (_, before, after) => {
    const written = (content: string, output: number) => ({
      ...told('2', content),
      tokens: { input: 100, output, cached: 60, thoughts: 0, tool: 0, total: 100 + output },
    })
    const call = { ...told('3', ''), toolCalls: [{ id: 'c', name: 'read_file', args: { file_path: 'a' } }] }
    const { items, session } = sessionOf(
      NAME,
      header,
      said('1', 'Name a fern.'),
      written(before, 2),
      call,
      written(after, 10),
    )
    expect(items.flatMap(({ who, text }) => (who === 'agent' ? [text] : []))).toEqual(['Lady fern.'])
    expect(session.usage).toMatchObject({ input: 41, output: 11, cacheRead: 60 })
  })

  it('has its words, model and tokens once after a resume, which writes all messages again without them', () => {
    expect(shown('resumed')).toMatchInlineSnapshot(`
      [
        [
          "human: Name a fern.",
          "agent: The lady fern.",
          "human: Another one.",
          "agent: The hart's tongue.",
        ],
        [],
      ]
    `)
    expect(first('resumed').session).toMatchObject({ usage: { input: 90, output: 9, cacheRead: 40 } })
  })

  it('shows a compaction as a mark, and none of the messages that it writes again', () => {
    expect(shown('compacted')[0]).toMatchInlineSnapshot(`
      [
        "human: Count the pots.",
        "agent: There are four.",
        "marker: · compaction a summary of 23 characters",
        "human: And the lids?",
        "agent: Three.",
      ]
    `)
    expect(first('compacted').session.usage).toMatchObject({ input: 130, output: 7 })
  })

  it('shows what a person rewound as an abandoned branch', () => {
    expect(shown('rewound')[0]).toMatchInlineSnapshot(`
      [
        "human: Plant the moss.",
        "agent: Planted.",
        "human (abandoned): Plant the lily.",
        "agent (abandoned): The lily is planted.",
        "human: Plant the rose.",
        "agent: The rose is planted.",
      ]
    `)
  })

  it('is linked with its subagents, which are sessions of their own', () => {
    const [subagent, parent] = fixture('subagents')
    expect(subagent!.session).toMatchObject({ kind: 'subagent', parentSessionId: parent!.session.id })
    expect(readSpawns(parent!.artifact)).toContainEqual(
      expect.objectContaining({ callId: 's1', child: 'helper-1' }),
    )
    const book = geminiCli.subagents!.runs!({
      platform: 'gemini-cli',
      path: join(folder, 'subagents/.gemini'),
      reason: 'test',
      found: true,
    })
    expect(book.runs).toMatchObject([
      { childKey: subagent!.artifact.sessionId, parentSessionId: parent!.artifact.sessionId, status: 'ok' },
    ])
    expect(geminiCli.resume(subagent!.session, nowhere)).toHaveProperty('impossible')
    expect(geminiCli.resume(parent!.session, nowhere)).toMatchObject({
      words: ['gemini', '--resume='],
      id: '05feed00-0000-4000-8000-000000000005',
      directories: ['/home/ann/garden'],
    })
  })

  it('says how each subagent ended and what it was asked for, also if its call is a success in any case', () => {
    const started = (id: string, reason: string, words: string) => ({
      ...{ id, name: 'invoke_agent', status: 'success', agentId: `sub-${id}` },
      args: { agent_name: 'generalist', prompt: `Count ${id}.` },
      timestamp: '2026-11-07T10:50:09.000Z',
      result: [
        {
          functionResponse: {
            response: {
              output: `Subagent 'generalist' finished.\nTermination Reason: ${reason}\nResult:\n${words}`,
            },
          },
        },
      ],
    })
    const stopped = started('cups', 'ERROR_NO_COMPLETE_TASK_CALL', 'It stopped.\nNow.')
    const toolCalls = [stopped, started('pots', 'GOAL', 'Four.'), started('fern', 'TIMEOUT', '')]
    const { artifact, session } = sessionOf(NAME, header, { ...told('1', ''), toolCalls })
    expect(session.errors).toBe(0)
    const chats = dirname(artifact.path)
    mkdirSync(join(chats, '07feed00'))
    const task = said('a', 'Your task is to do a deep investigation.\n<objective>\nCount cups.\n</objective>')
    const lines = [{ ...header, sessionId: 'sub-cups', kind: 'subagent' }, task]
    writeFileSync(
      join(chats, '07feed00/sub-cups.jsonl'),
      lines.map((line) => JSON.stringify(line)).join('\n'),
    )
    const root = { platform: 'gemini-cli', path: artifact.root, reason: 'test', found: true } as const
    expect(geminiCli.subagents!.runs!(root).runs).toMatchObject([
      { id: 'sub-cups', task: 'Count cups.', status: 'error', error: 'It stopped.\nNow.' },
      { id: 'sub-pots', task: 'Count pots.', status: 'ok', result: 'Four.' },
      { id: 'sub-fern', task: 'Count fern.', status: 'timeout', endedMs: Date.UTC(2026, 10, 7, 10, 50, 9) },
    ])
  })

  it('is read from the document of early versions', () => {
    const { session, items } = first('document')
    expect(items.map(readableItem)).toEqual(['human: Name a moss.', 'agent: Peat moss.'])
    expect(session).toMatchObject({ lines: 3, usage: { input: 25, output: 5, cacheRead: 20 } })
  })

  it('has no prompt and no title where the client only tells of an editor', () => {
    const told =
      "Here is the user's editor context as a JSON object. This is for your information only.\n```json\n"
    const user = (id: string, text: string) => ({ id, type: 'user', content: [{ text }] })
    const { session, items } = sessionOf(
      'session-2026-11-07T10-00-aaaa0000.jsonl',
      { sessionId: 'aaaa0000', projectHash: '0f', startTime: '2026-11-07T10:00:00.000Z' },
      user('u1', `${told}{"activeFile": {"path": "/home/ann/a.ts"}}\n\`\`\``),
      user('u2', 'Which fern is dry?'),
    )
    expect(items.map(readableItem)).toEqual(['human: Which fern is dry?'])
    expect(session.title).toBe('Which fern is dry?')
  })

  it('has the last of two messages with one id, and the directory that its folder states', () => {
    const { session, items } = first('document-rewritten')
    expect(items.map(readableItem)).toEqual([
      'human: Which tree has mildew?',
      'agent: The third, at the gate.',
      'human: Prune it.',
      'agent: Pruned.',
    ])
    expect(session.usage).toMatchObject({ input: 1400, output: 12 })
    expect(session.cwds).toEqual([['/home/ann/orchard', 1]])
  })

  it('has unknown types by name, torn lines as malformed, and a torn document as one malformed line', () => {
    const sessions = fixture('damaged').map(({ session }) => session)
    const [lines] = sessions.filter(({ lines: count }) => count > 5)
    expect(lines!.accounting).toMatchObject({
      malformed: 2,
      unknown: { teleport: 1, '(untyped)': 2, '(array)': 1 },
    })
    expect(lines!.cwds).toEqual([['/home/ann/garden', 1]])
    expect(sessions.map(({ accounting }) => accounting.malformed).sort()).toEqual([0, 1, 2])
  })
})

describe('the files of Gemini CLI', () => {
  it('are below the folder that the variable names, a home directory, or the folder itself', () => {
    const paths = (more: Partial<Environment>) =>
      geminiCli.files
        .roots({ home: '/home/ann', variables: {}, ...more })
        .map(({ path, reason }) => `${path} ${reason}`)
    expect(paths({})).toEqual(['/home/ann/.gemini default'])
    expect(paths({ variables: { GEMINI_CLI_HOME: '/work' } })).toEqual(['/work/.gemini GEMINI_CLI_HOME'])
    const home = join(folder, 'words')
    for (const given of [home, join(home, '.gemini')])
      expect(paths({ dirs: { 'gemini-cli': [given] } })).toEqual([`${join(home, '.gemini')} --gemini-dir`])
  })

  it('are chats, and those of subagents in a folder for each parent', () => {
    const names = fixture('subagents').map(({ artifact }) =>
      relative(join(folder, 'subagents/.gemini/tmp/garden/chats'), artifact.path),
    )
    expect(names).toEqual([
      '05feed00-0000-4000-8000-000000000005/helper-1.jsonl',
      'session-2026-11-07T10-40-05feed00.jsonl',
    ])
  })

  it('are recognized outside of the roots', () => {
    const { isOwn, isOwnName } = geminiCli.files.given!
    expect(isOwn({ sessionId: 'a', projectHash: 'b' })).toBe(true)
    expect(isOwn({ $set: {} })).toBe(true)
    expect(isOwn({ sessionId: 'a' })).toBe(false)
    expect(isOwnName!('session-2026-11-07T10-40-05feed00.jsonl')).toBe(true)
  })
})
