import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import type { Artifact, Environment } from '../../model/artifact.ts'
import { fileEdits } from '../../sync/read/file-edits.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { qwenCode } from './index.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/qwen-code')
const id = (number: number): string => `a1000000-0000-4000-8000-${String(number).padStart(12, '0')}`

function artifactsIn(home: string, variables: Environment['variables'] = {}): Artifact[] {
  const environment = { home, variables }
  return qwenCode.files
    .roots(environment)
    .filter(({ found }) => found)
    .flatMap((root) => qwenCode.files.discover(root, environment).artifacts)
}

/** The sessions of a home by their ids. */
const sessionsIn = (home: string, variables: Environment['variables'] = {}) =>
  new Map(artifactsIn(home, variables).map((artifact) => [artifact.sessionId, readSession(artifact)]))
const fixture = (name: string) => sessionsIn(join(folder, name))
const shown = (name: string): Record<string, string[]> =>
  Object.fromEntries([...fixture(name)].map(([session, { items }]) => [session, items.map(readableItem)]))

describe('a session of Qwen Code', () => {
  it('has a command as it was typed, what it stands for as of a program, and answers to the agent', () => {
    expect(shown('asked')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000061": [
          "human: Clear the old pots.",
          "agent: I have questions.",
          "tool: ask_user_question Which pot goes?",
          "tool: ask_user_question Sure?",
          "human (answer): The cracked one. / Green",
          "agent: It is gone.",
          "human: /sow moss",
          "program (command): Base directory for this skill: /home/ann/.qwen/skills/sow /  / Sow in rows of nine. /  / <skill-args>moss</skill-args>",
          "agent: Sown.",
          "human: Water it.",
          "agent: Done.",
          "marker: · local-command /about",
        ],
      }
    `)
  })

  it('has what a person typed as they typed it, calls, and failures that no status tells', () => {
    expect(shown('words')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000001": [
          "human: Which fern is dry?",
          "agent: I look at the list.",
          "tool: run_shell_command cat ferns.csv",
          "tool: read_file /home/ann/garden/wet.csv",
          "error: (read_file /home/ann/garden/wet.csv) File not found: /home/ann/garden/wet.csv",
          "tool: run_shell_command test -f moss.csv",
          "tool: read_file /home/ann/garden/log.txt",
          "tool: write_file /home/ann/garden/new.txt",
          "error: (run_shell_command test -f moss.csv) no moss here",
          "marker: · denial (write_file /home/ann/garden/new.txt)",
          "agent: The one at the wall.",
          "human: <system-reminder>The gate is open</system-reminder> Who says so?",
          "agent: You",
          "marker: · local-command /rename Dry ferns",
          "human: Read @ferns.csv please",
          "error: 400 The list is too long.",
          "program (notification): The watering has ended.",
          "agent: Good.",
        ],
      }
    `)
  })

  it('has each reply and each request of the client once, although both are recorded twice', () => {
    const { session } = fixture('words').get(id(1))!
    expect(session).toMatchObject({ title: 'Dry ferns', version: '0.24.4', branches: ['main'] })
    expect(session.usage).toEqual({ input: 360, output: 45, cacheRead: 450, cacheWrite: 0, reasoning: 5 })
  })

  it('has the summary of a compaction and both of its requests, and what was asked for it after it ended', () => {
    expect(shown('cleared')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000011": [
          "human: Name the pond.",
          "agent: Moss Pond.",
          "marker: · compaction a summary of 22 characters",
          "human: Is it deep?",
          "agent: Two feet.",
        ],
        "a1000000-0000-4000-8000-000000000012": [
          "human: Name the hedge.",
          "agent: Thorn Row.",
        ],
      }
    `)
    const usages = [...fixture('cleared').values()].map(({ session }) => session.usage?.input)
    expect(usages).toEqual([50 + 61 + 62 + 70, 80 + 40])
  })

  it('has in a fork all that was said, as its client shows it, and leads to its original', () => {
    expect(shown('forked')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000021": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the red one?",
          "agent: Taken.",
        ],
        "a1000000-0000-4000-8000-000000000022": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the green one?",
          "agent: Cracked.",
        ],
      }
    `)
    expect(fixture('forked').get(id(22))!.session).toMatchObject({
      parentSessionId: id(21),
      usage: { input: 30 + 35 + 44 },
      forked: true,
    })
  })

  it('leads to the call that started it, and has the usage of replies that are two records', () => {
    const found = fixture('subagents')
    expect(shown('subagents')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000031": [
          "human: Count the pots with a helper.",
          "agent: A helper counts.",
          "tool: agent count pots",
          "agent: Four.",
        ],
        "general-purpose-call_h": [
          "program (subagent): Count the blue pots.",
          "tool: run_shell_command ls pots | wc -l",
          "agent: Four.",
        ],
      }
    `)
    expect(found.get('general-purpose-call_h')!.session).toMatchObject({
      kind: 'subagent',
      parentSessionId: id(31),
      parentCallId: 'call_h',
      subagent: { type: 'general-purpose', description: 'count pots', status: 'ok' },
      model: 'fern-2',
      usage: { input: 46, output: 5 },
    })
    expect(found.get(id(31))!.session.usage).toMatchObject({ input: 190, output: 14 })
  })

  it('counts requests that were retried, whose figures no reply has, and says what was typed beside files', () => {
    expect(shown('retried')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000071": [
          "human: Look at @ferns.csv and @wall.png please [wall.png]",
          "agent: The wall is dry.",
          "tool: cron_create Water the wall",
          "tool: write_file /home/ann/garden/wall.txt",
          "tool: run_shell_command water wall",
          "marker: · interruption",
        ],
      }
    `)
    const { session } = fixture('retried').get(id(71))!
    expect(session.usage).toMatchObject({
      input: 40 + 41 + 42 + 50,
      output: 1 + 9 + 12 + 3,
      cacheRead: 4 * 60,
    })
  })

  it('says what a file contained before and after a call', () => {
    const [file] = fileEdits(artifactsIn(join(folder, 'retried'))[0]!)
    expect(file).toMatchObject({ path: '/home/ann/garden/wall.txt', original: null, result: 'dry\n' })
    const created = (output: string) =>
      qwenCode.records.recordedChanges?.({
        message: { parts: [{ functionResponse: { id: 'c', response: { output } } }] },
        toolCallResult: { resultDisplay: output },
      })
    expect(created('Created new file: wall.txt with provided content.')).toEqual([
      { callId: 'c', original: null },
    ])
    expect(created('Wrote wall.txt.')).toEqual([])
  })

  it('knows that a cell of a notebook was edited, and what the file contained', () => {
    const home = mkdtempSync(join(tmpdir(), 'scrollback-qwen-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    const path = '/home/ann/garden/pots.ipynb'
    const record = (number: number, more: object): string =>
      JSON.stringify({
        ...{ uuid: id(80 + number), parentUuid: number === 1 ? null : id(79 + number), sessionId: id(80) },
        ...{ timestamp: `2026-11-06T10:0${number}:00.000Z`, cwd: '/home/ann/garden', version: '0.24.4' },
        ...more,
      })
    const args = { notebook_path: path, cell_id: 'c1', new_source: 'blue' }
    const [originalContent, newContent] = ['{"cells":[]}', '{"cells":[{"source":["blue"]}]}']
    const lines = [
      record(1, { type: 'user', message: { role: 'user', parts: [{ text: 'Note the pots' }] } }),
      record(2, {
        type: 'assistant',
        message: { role: 'model', parts: [{ functionCall: { id: 'c', name: 'notebook_edit', args } }] },
      }),
      record(3, {
        type: 'tool_result',
        message: {
          role: 'user',
          parts: [{ functionResponse: { id: 'c', name: 'notebook_edit', response: { output: 'Updated.' } } }],
        },
        toolCallResult: { callId: 'c', status: 'success', resultDisplay: { originalContent, newContent } },
      }),
    ]
    const chats = join(home, '.qwen/projects/-home-ann-garden/chats')
    mkdirSync(chats, { recursive: true })
    writeFileSync(join(chats, `${id(80)}.jsonl`), `${lines.join('\n')}\n`)
    expect(fileEdits(artifactsIn(home)[0]!)).toMatchObject([
      { path, original: originalContent, result: newContent, isCell: true },
    ])
  })

  it('tells what a command printed from what the client adds, also if both say Error', () => {
    const printed = '/a/b.js:3\n  pot()\n  ^\n\nError: dry\n    at pot (/a/b.js:3:3)'
    const output = `Command: pot\nOutput: ${printed}\nError: (none)\nExit Code: 1\nSignal: (none)`
    const parts = [{ functionResponse: { id: 'c', name: 'run_shell_command', response: { output } } }]
    const drafts = qwenCode.records.normalize(
      { type: 'tool_result', uuid: id(1), message: { role: 'user', parts } },
      artifactsIn(join(folder, 'words'))[0]!,
    )
    expect(JSON.stringify(drafts)).toContain('"errorLine":"Error: dry"')
  })

  it('has what was taken back as an abandoned branch', () => {
    expect(shown('rewound')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000041": [
          "human: Name the garden.",
          "agent: How?",
          "human (abandoned): Moss Court.",
          "agent (abandoned): Moss Court it is.",
          "human: Fern Court.",
          "agent: It is.",
        ],
        "a1000000-0000-4000-8000-000000000042": [
          "human (abandoned): Name the shed.",
          "agent (abandoned): Old Shed.",
        ],
      }
    `)
  })

  it('belongs to the directory in its records, which shares its folder with others', () => {
    const places = [...fixture('one-folder').values()].map(({ session }) => session.cwds[0]![0])
    expect(places).toEqual(['/home/ann/bee log', '/home/ann/bee-log', '/home/ann/bee.log'])
  })

  it('has a malformed line and unknown records where they are', () => {
    const { session, items } = fixture('damaged').get(id(61))!
    expect(items.map(readableItem)).toMatchInlineSnapshot(`
      [
        "human: Is it torn?",
        "agent: A little.",
        "marker: · note a block of unknown kind, leafage",
      ]
    `)
    expect(session.accounting).toMatchObject({ malformed: 1, unknown: { 'system:leafage': 1 } })
  })

  it('is resumed by its id in the folder that a variable names, unless it is a subagent', () => {
    const environment = { home: '/nowhere', variables: { QWEN_HOME: join(folder, 'subagents/.qwen') } }
    const found = sessionsIn('/nowhere', environment.variables)
    expect(qwenCode.resume(found.get(id(31))!.session, environment)).toEqual({
      words: ['qwen', '--resume='],
      id: id(31),
      variables: {},
      directories: ['/home/ann/garden'],
    })
    expect(qwenCode.resume(found.get('general-purpose-call_h')!.session, environment)).toEqual({
      impossible: `a subagent can only be resumed in its parent: ${id(31)}`,
    })
  })
})
