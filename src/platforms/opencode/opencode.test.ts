import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import { readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import type { Artifact } from '../../model/artifact.ts'
import { createFold, foldEntries } from '../../model/fold/fold.ts'
import { opencode } from './index.ts'
import { typedWords } from './records/words.ts'
import { STATEMENTS } from './statements.ts'

const START = 1_793_700_000_000

interface Stored {
  id: string
  at: number
  parts: object[]
  role?: 'user' | 'assistant'
  data?: object
}

/** A database with sessions, and a log of messages that were taken back. */
function databaseWith(
  sessions: {
    id: string
    at?: number
    parent?: string
    title?: string
    messages: Stored[]
    removed?: Stored[]
  }[],
): string {
  const home = mkdtempSync(join(tmpdir(), 'scrollback-opencode-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const path = join(home, '.local/share/opencode/opencode.db')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(join(dirname(path), 'auth.json'), '{}')
  const database = new DatabaseSync(path)
  database.exec(`CREATE TABLE session (id, parent_id, directory, title, version, time_created, time_updated, time_archived);
    CREATE TABLE message (id, session_id, time_created, time_updated, data);
    CREATE TABLE part (id, message_id, session_id, time_created, time_updated, data);
    CREATE TABLE event (id, aggregate_id, seq, type, data);`)
  for (const { id, at = 0, parent = null, title = 'A garden', messages, removed = [] } of sessions) {
    database
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, NULL)')
      .run(id, parent, '/home/ann/garden', title, '1.18.33', START + at, START + at)
    for (const message of messages) {
      database
        .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
        .run(message.id, id, START + message.at, START + message.at, JSON.stringify(dataOf(message)))
      for (const [index, part] of message.parts.entries())
        database
          .prepare('INSERT INTO part VALUES (?, ?, ?, 0, 0, ?)')
          .run(`${message.id}-${index}`, message.id, id, JSON.stringify(part))
    }
    const log = database.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?)')
    let seq = 0
    const note = (type: string, data: object): void =>
      void log.run(`${id}-${seq}`, id, seq++, type, JSON.stringify(data))
    for (const message of removed) {
      note('message.updated.1', { info: { id: message.id, ...dataOf(message) } })
      for (const [index, part] of message.parts.entries())
        note('message.part.updated.1', { part: { id: `${index}`, messageID: message.id, ...part } })
      note('message.removed.1', { messageID: message.id })
    }
  }
  database.close()
  return home
}

const dataOf = ({ at, role = 'user', data }: Stored): object => ({
  role,
  time: { created: START + at },
  ...(role === 'assistant' && {
    modelID: 'fern-1',
    tokens: { input: 10, output: 4, reasoning: 1, cache: { read: 20, write: 2 } },
  }),
  ...data,
})

const text = (words: string, more: object = {}): object => ({ type: 'text', text: words, ...more })
const tool = (command: string, state: object): object => ({
  type: 'tool',
  tool: 'bash',
  callID: command,
  state: { input: { command }, ...state },
})

function read(artifact: Artifact) {
  const fold = createFold(artifact, { keep: 'condensed' })
  const platform = {
    normalize: (entry: unknown) => opencode.records.normalize(entry, artifact),
    record: opencode.identity.record,
  }
  const source = opencode.files.open!(artifact)!
  readLines(source, (line) => {
    const origin = { line: line.number, offset: line.offset, length: line.length }
    fold.line(origin)
    foldEntries(parseLine(line.bytes, line.start, line.end), origin, platform, fold)
  })
  source.close()
  return fold.finish()
}

/** The sessions of a home, by their ids. */
function sessionsIn(home: string) {
  const environment = { home, variables: {} }
  const [root] = opencode.files.roots(environment)
  const { artifacts } = opencode.files.discover(root!, environment)
  return new Map(artifacts.map((artifact) => [artifact.sessionId, read(artifact)]))
}

const shown = (home: string, id: string): string[] => sessionsIn(home).get(id)!.items.map(readableItem)

describe('a session of OpenCode', () => {
  it('has what a person typed, without quotes and context, their commands, and failures', () => {
    const home = databaseWith([
      {
        id: 'ses_1',
        messages: [
          {
            id: 'msg_1',
            at: 1,
            parts: [text('"Which \\"fern\\" is dry?"'), text('Called the Read tool', { synthetic: true })],
          },
          {
            id: 'msg_2',
            at: 2,
            role: 'assistant',
            parts: [
              { type: 'step-start' },
              text('I look.'),
              tool('cat ferns', { status: 'completed', output: 'none', metadata: { exit: 1 } }),
              tool('rm ferns', {
                status: 'error',
                error:
                  'The user rejected permission to use this specific tool call with the following feedback: Keep them.',
              }),
            ],
          },
          {
            id: 'msg_3',
            at: 3,
            parts: [text('The following tool was executed by the user', { synthetic: true })],
          },
          {
            id: 'msg_4',
            at: 4,
            role: 'assistant',
            parts: [tool('ls pots', { status: 'completed', output: 'blue' })],
            data: { tokens: undefined },
          },
          { id: 'msg_5', at: 5, parts: [{ type: 'compaction', auto: true }] },
          { id: 'msg_6', at: 6, role: 'assistant', parts: [text('Ferns are dry.')], data: { summary: true } },
          { id: 'msg_7', at: 7, parts: [text('Water them.')] },
          {
            id: 'msg_8',
            at: 8,
            role: 'assistant',
            parts: [text('I wat')],
            data: { error: { name: 'MessageAbortedError' }, tokens: undefined },
          },
        ],
      },
    ])
    expect(shown(home, 'ses_1')).toMatchInlineSnapshot(`
      [
        "human: Which "fern" is dry?",
        "agent: I look.",
        "tool: bash cat ferns",
        "error: (bash cat ferns) none",
        "tool: bash rm ferns",
        "marker: · denial (bash rm ferns)",
        "human (answer): Keep them.",
        "human: !ls pots",
        "marker: · compaction a summary of 14 characters",
        "human: Water them.",
        "agent: I wat",
        "marker: · interruption",
      ]
    `)
    expect(sessionsIn(home).get('ses_1')!.session).toMatchObject({
      title: 'A garden',
      version: '1.18.33',
      cwds: [['/home/ann/garden', 1]],
      usage: { input: 20, output: 10, cacheRead: 40, cacheWrite: 4 },
    })
  })

  it('has what a person took back as an abandoned branch', () => {
    const home = databaseWith([
      {
        id: 'ses_1',
        messages: [
          { id: 'msg_1', at: 1, parts: [text('Name the garden.')] },
          { id: 'msg_2', at: 2, role: 'assistant', parts: [text('How?')] },
          { id: 'msg_5', at: 5, parts: [text('Fern Court.')] },
        ],
        removed: [
          { id: 'msg_3', at: 3, parts: [text('Moss Court.')] },
          { id: 'msg_4', at: 4, role: 'assistant', parts: [text('Done.')] },
        ],
      },
    ])
    expect(shown(home, 'ses_1')).toEqual([
      'human: Name the garden.',
      'agent: How?',
      'human (abandoned): Moss Court.',
      'agent (abandoned): Done.',
      'human: Fern Court.',
    ])
  })

  it('has none of the messages that a fork copies, unless their original is gone', () => {
    const copied = (id: string): Stored => ({ id, at: 1, parts: [text('Which pot is free?')] })
    const fork = {
      id: 'ses_2',
      at: 100,
      messages: [copied('msg_8'), { id: 'msg_9', at: 101, parts: [text('And now?')] }],
    }
    const home = databaseWith([{ id: 'ses_1', messages: [copied('msg_1')] }, fork])
    expect(shown(home, 'ses_2')).toEqual(['human: And now?'])
    expect(sessionsIn(home).get('ses_2')!.session.parentSessionId).toBe('ses_1')
    expect(shown(databaseWith([fork]), 'ses_2')).toEqual(['human: Which pot is free?', 'human: And now?'])
  })

  it('is a program, where another session started it', () => {
    const home = databaseWith([
      { id: 'ses_2', parent: 'ses_1', messages: [{ id: 'msg_1', at: 1, parts: [text('Count the pots.')] }] },
    ])
    expect(shown(home, 'ses_2')).toEqual(['program (parent agent): Count the pots.'])
    expect(sessionsIn(home).get('ses_2')!.session).toMatchObject({
      kind: 'subagent',
      parentSessionId: 'ses_1',
    })
  })
})

it.each([
  ['"Is it up?"', 'Is it up?'],
  ['"Say \\"hello\\" twice"', 'Say "hello" twice'],
  ['"Ann" and "Ben"', '"Ann" and "Ben"'],
  ['"quoted"', '"quoted"'],
  ['Is it up?', 'Is it up?'],
])('the words of %s are %s', (stored, typed) => {
  expect(typedWords(stored)).toBe(typed)
})

it('no statement names a table with keys', () => {
  const named = Object.values(STATEMENTS).flatMap((statement) =>
    [...statement.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/g)].map(([, table]) => table),
  )
  expect(new Set(named)).toEqual(new Set(['sqlite_master', 'session', 'message', 'part', 'event']))
})

it('files with keys are refused, and databases of every channel are read', () => {
  const home = databaseWith([])
  const [root] = opencode.files.roots({ home, variables: {} })
  expect(opencode.files.refused(root!)).toMatchObject([{ reason: 'keys of your accounts' }])
})
