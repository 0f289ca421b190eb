import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import { type OpenCodeSession, opencodeDatabase, text, tool } from '../../../test/opencode-databases.ts'
import type { Environment } from '../../model/artifact.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { readSpawns } from '../../sync/read/read-spawns.ts'
import { opencode } from './index.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/opencode')

function temporary(): string {
  const made = mkdtempSync(join(tmpdir(), 'scrollback-opencode-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

/** What is found below the roots of an environment. */
function foundIn(environment: Environment) {
  const found = opencode.files
    .roots(environment)
    .filter((root) => root.found)
    .map((root) => opencode.files.discover(root, environment))
  return {
    artifacts: found.flatMap((each) => each.artifacts),
    notices: found.flatMap((each) => each.notices),
    unread: found.flatMap((each) => each.unread),
  }
}

const at = (home: string, variables: Environment['variables'] = {}): Environment => ({ home, variables })

/** The sessions of a home by their ids. */
const sessionsIn = (environment: Environment) =>
  new Map(
    foundIn(environment).artifacts.map((artifact) => [
      artifact.sessionId,
      { artifact, ...readSession(artifact) },
    ]),
  )
const fixture = (name: string) => sessionsIn(at(join(folder, name)))

const shown = (name: string): Record<string, string[]> =>
  Object.fromEntries([...fixture(name)].map(([id, { items }]) => [id, items.map(readableItem)]))

/** A home with a database of these sessions. */
function homeWith(sessions: OpenCodeSession[], name = 'opencode.db') {
  const home = temporary()
  const path = join(home, '.local/share/opencode', name)
  return { home, path, ...opencodeDatabase(path, sessions) }
}

describe('a session of OpenCode', () => {
  it('has what a person typed, without quotes and context, their commands and answers, and failures', () => {
    expect(shown('words')).toMatchInlineSnapshot(`
      {
        "ses_steps1": [
          "human: Count twice.",
          "agent: Two.",
        ],
        "ses_words1": [
          "human: Which "fern" is dry? [fern.png]",
          "agent: I look at the list.",
          "tool: bash cat ferns.csv",
          "tool: bash cat wet.csv",
          "error: (bash cat wet.csv) cat: wet.csv: No such file",
          "agent: The one at the wall.",
          "tool: read /home/ann/garden/no.csv",
          "error: (read /home/ann/garden/no.csv) File not found: no.csv",
          "human: !ls pots",
          "human: Throw the old pots away.",
          "tool: bash rm -rf pots",
          "marker: · denial (bash rm -rf pots)",
          "human (answer): Keep the blue one.",
          "tool: question Which colour?",
          "human (answer): Green",
          "human: Water them all.",
          "agent: I wat",
          "marker: · retry Overloaded",
          "marker: · interruption",
          "human: Send the whole list.",
          "error: The list is too long.",
          "marker: · compaction a summary of 16 characters",
          "agent: All done.",
          "human: Review the garden.",
          "agent: It is green.",
        ],
      }
    `)
  })

  it('has a failure for a call of a tool that does not exist, which its client calls completed', () => {
    const error = "Model tried to call unavailable tool 'rake'."
    const call = tool('invalid', { tool: 'rake', error }, { status: 'completed', output: error })
    const { home, close } = homeWith([
      {
        id: 'ses_rake1',
        at: 1_781_000_000_000,
        messages: [{ id: 'msg_1', role: 'assistant', at: 1_781_000_000_001, parts: [call] }],
      },
    ])
    close()
    expect(sessionsIn(at(home)).get('ses_rake1')!.items.map(readableItem)).toEqual([
      'tool: invalid rake',
      "error: (invalid rake) Model tried to call unavailable tool 'rake'.",
    ])
  })

  it('has the tokens of each reply once, those of all its steps, and the cost that the client states', () => {
    const found = fixture('words')
    expect(found.get('ses_words1')!.session).toMatchObject({
      title: 'Dry ferns',
      version: '1.18.33',
      model: 'moss-2',
      errors: 3,
      usage: { input: 70, output: 35, cacheRead: 140, cacheWrite: 14, cost: 0.25 },
    })
    expect(found.get('ses_steps1')!.session).toMatchObject({
      title: 'Count twice.',
      usage: { input: 40, output: 4 },
    })
  })

  it('has what a person took back as an abandoned branch, also before the next prompt', () => {
    expect(shown('undone')).toMatchInlineSnapshot(`
      {
        "ses_undone1": [
          "human: Name the garden.",
          "agent: How?",
          "human (abandoned): Moss Court.",
          "agent (abandoned): Moss Court it is.",
          "human: Fern Court.",
          "agent: It is.",
        ],
        "ses_undone2": [
          "human: Name the pond.",
          "agent: How?",
          "human (abandoned): Moss Pond.",
          "agent (abandoned): Moss Pond it is.",
        ],
      }
    `)
  })

  it('has a call without an end, and no tokens of the request, if the client was killed in it', () => {
    expect(shown('killed')).toMatchInlineSnapshot(`
      {
        "ses_killed1": [
          "human: Water the fern for an hour.",
          "tool: bash sleep 3600",
          "human: Is it wet?",
          "agent: No.",
        ],
      }
    `)
    expect(fixture('killed').get('ses_killed1')!.session).toMatchObject({ errors: 0, usage: { input: 10 } })
  })

  it('has in a fork all that was said, as its client shows it, and leads to its original', () => {
    expect(shown('forked')).toMatchInlineSnapshot(`
      {
        "ses_free1": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "tool: bash ls pots",
          "human: And the red one?",
          "agent: Taken.",
        ],
        "ses_free2": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "tool: bash ls pots",
          "human: And the green one?",
          "agent: Cracked.",
        ],
        "ses_free3": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "tool: bash ls pots",
          "human: And the green one?",
          "agent: Cracked.",
          "human: Glue it.",
          "agent: Glued.",
        ],
        "ses_other1": [
          "human: Where is the hose?",
        ],
      }
    `)
    const facts = [...fixture('forked').values()].map(({ session: { id, parentSessionId, usage } }) => [
      id,
      parentSessionId,
      usage?.output,
    ])
    expect(facts).toEqual([
      ['ses_other1', undefined, undefined],
      ['ses_free1', undefined, 10],
      ['ses_free2', 'ses_free1', 10],
      ['ses_free3', 'ses_free2', 15],
    ])
  })

  it('notices that the original of a fork is gone', () => {
    const copied = { id: 'msg_1', at: 10, parts: [text('Which pot is free?')] }
    const { home, database, close } = homeWith([
      { id: 'ses_1', at: 1, messages: [copied] },
      { id: 'ses_2', at: 100, messages: [{ ...copied, id: 'msg_2' }] },
    ])
    const before = sessionsIn(at(home)).get('ses_2')!
    expect(before.session.parentSessionId).toBe('ses_1')
    database.exec("DELETE FROM message WHERE session_id = 'ses_1'; DELETE FROM session WHERE id = 'ses_1'")
    const after = sessionsIn(at(home)).get('ses_2')!
    expect(after.session.parentSessionId).toBeUndefined()
    expect(after.artifact.identity).not.toBe(before.artifact.identity)
    close()
  })

  it('is nested in the session whose call started it, which is linked with it', () => {
    const found = fixture('subagents')
    const child = found.get('ses_child1')!
    expect(child.items.map(readableItem)).toEqual([
      'program (subagent): Count the blue pots.',
      'agent: Four.',
    ])
    expect(child.session).toMatchObject({
      kind: 'subagent',
      parentSessionId: 'ses_parent1',
      subagent: { type: 'general', description: 'count pots' },
    })
    expect(readSpawns(found.get('ses_parent1')!.artifact)).toMatchObject([
      { child: 'ses_child1', prompt: 'Count the blue pots.' },
      { status: 'ok' },
    ])
    const { spawns } = opencode.subagents!
    const part = (state: object) => ({
      message: { content: [{ type: 'tool', tool: 'task', callID: 'c', state }] },
    })
    expect(spawns(part({ status: 'error', error: 'rain' })).at(-1)).toEqual({ callId: 'c', status: 'error' })
    const output = '<task id="ses_child2" state="running">'
    expect(spawns(part({ status: 'completed', output }))).toMatchObject([
      { child: 'ses_child2' },
      { status: 'running' },
    ])
  })

  it('has a malformed line for a message that is no JSON, and the rest of the others', () => {
    const { session, items } = fixture('damaged').get('ses_torn1')!
    expect(items.map(readableItem)).toMatchInlineSnapshot(`
      [
        "human: Is it torn?",
        "agent: A little.",
        "marker: · note a block of unknown kind, leafage",
        "human: How much?",
      ]
    `)
    expect(session.accounting).toMatchObject({ events: 4, malformed: 1, unknown: {} })
  })

  it('is read again if a message, a part of it, or their number changes', () => {
    const { home, database, message, close } = homeWith([
      { id: 'ses_1', at: 1, messages: [{ id: 'msg_1', at: 2, parts: [text('One.'), text('Two.')] }] },
    ])
    const identity = () => sessionsIn(at(home)).get('ses_1')!.artifact.identity
    const seen = new Set([identity()])
    database.exec("UPDATE part SET data = '{}', time_updated = 9 WHERE id = 'msg_1-0'")
    seen.add(identity())
    database.exec("DELETE FROM part WHERE id = 'msg_1-1'")
    seen.add(identity())
    message('ses_1', { id: 'msg_2', at: 3, parts: [] })
    seen.add(identity())
    database.exec("UPDATE message SET time_updated = 10 WHERE id = 'msg_1'")
    seen.add(identity())
    close()
    expect(seen.size).toBe(5)
  })

  it('has the size and the identity with which it was listed, so that nothing is read again without a change', () => {
    for (const name of ['words', 'files', 'history'])
      for (const { artifact } of fixture(name).values()) {
        const source = opencode.files.open!(artifact)!
        const { bytes, modifiedMs, identity } = artifact
        expect(source.state()).toEqual({ size: bytes, mtimeMs: modifiedMs, identity })
        source.close()
      }
  })

  it('is resumed by its id, unless it is a subagent or only prompts are left', () => {
    const home = join(folder, 'subagents')
    const resumed = (id: string) => opencode.resume(sessionsIn(at(home)).get(id)!.session, at(home))
    expect(resumed('ses_parent1')).toEqual({
      words: ['opencode', '--session='],
      id: 'ses_parent1',
      variables: {},
      directories: ['/home/ann/garden'],
    })
    expect(resumed('ses_child1')).toHaveProperty('impossible')
    expect(opencode.resume(sessionsIn(at(home)).get('ses_parent1')!.session, at('/elsewhere'))).toMatchObject(
      {
        variables: { XDG_DATA_HOME: join(home, '.local/share') },
      },
    )
  })
})

describe('the files of OpenCode before 1.2', () => {
  it('are read as the database is', () => {
    expect(shown('files')).toMatchInlineSnapshot(`
      {
        "ses_file1": [
          "human: Where are the old pots?",
          "agent: I look.",
          "tool: bash ls shed",
          "error: (bash ls shed) ls: shed: No such file",
          "agent: Not in the shed.",
        ],
        "ses_file2": [
          "program (subagent): Count the old pots.",
        ],
      }
    `)
    expect(fixture('files').get('ses_file2')!.session).toMatchObject({
      kind: 'subagent',
      parentSessionId: 'ses_file1',
    })
  })

  it('do not count again what a database imported from them', () => {
    const paths = foundIn(at(join(folder, 'imported'))).artifacts.map(
      ({ path }) => path.split('share/opencode/')[1],
    )
    expect(paths).toEqual(['opencode.db#ses_kept1', 'storage/session/global/ses_left1.json'])
  })

  it('are read again if one of them changes', () => {
    const home = temporary()
    cpSync(join(folder, 'files'), home, { recursive: true })
    const before = sessionsIn(at(home)).get('ses_file1')!
    const path = join(home, '.local/share/opencode/storage/message/ses_file1/msg_009.json')
    writeFileSync(path, '{"role":"user","time":{"created":1}}')
    expect(sessionsIn(at(home)).get('ses_file1')!.artifact.identity).not.toBe(before.artifact.identity)
  })
})

describe('the prompts that were typed in a terminal', () => {
  it('are shown if no session has them, or had them before they were taken back', () => {
    const { session, items } = fixture('history').get('prompt-history')!
    expect(items.map(readableItem)).toEqual(['human: !ls cellar', 'human: Who took the red / pot?'])
    expect(session).toMatchObject({
      state: 'purged',
      accounting: { events: 2, skipped: { 'prompt:in-session': 3, 'prompt:command': 1 }, malformed: 1 },
    })
  })

  it('are left out if they may be of several databases', () => {
    const home = temporary()
    cpSync(join(folder, 'history'), home, { recursive: true })
    const environment = at(home, { OPENCODE_DB: join(home, 'mine/own.db') })
    opencodeDatabase(join(home, 'mine/own.db')).close()
    const { artifacts, unread } = foundIn(environment)
    expect(artifacts.map(({ sessionId }) => sessionId)).not.toContain('prompt-history')
    expect(unread).toMatchObject([{ reason: expect.stringContaining('several databases') }])
  })
})

describe('a database of OpenCode 2', () => {
  /** Adds the tables of version 2, with these sessions: their messages by type and content. */
  function upgraded(
    database: DatabaseSync,
    sessions: {
      id: string
      fork?: string
      at?: number
      messages: [id: string, type: string, data: object][]
    }[],
  ) {
    database.exec(`CREATE TABLE session_v2 (id text PRIMARY KEY, parent_id text, fork_session_id text, fork_boundary text,
        directory text NOT NULL, title text, version text NOT NULL, revert text, time_created integer NOT NULL,
        time_updated integer NOT NULL);
      CREATE TABLE session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL,
        time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)`)
    for (const { id, fork = null, at: created = 1, messages } of sessions) {
      database
        .prepare('INSERT INTO session_v2 VALUES (?, NULL, ?, NULL, ?, ?, ?, NULL, ?, ?)')
        .run(id, fork, '/home/ann/garden', 'Ferns', '2.0.12', created, created)
      for (const [index, [message, type, data]] of messages.entries())
        database
          .prepare('INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)')
          .run(message, id, type, index + 1, 10 + index, 10 + index, JSON.stringify(data))
    }
  }
  const said = (words: string): object => ({ text: words, time: { created: 10 } })
  const replied = (words: string, content: object[] = [], further: object = {}): object => ({
    model: { id: 'fern-2', providerID: 'moss' },
    content: [{ type: 'text', id: 't', text: words }, ...content],
    cost: 0.25,
    tokens: { input: 100, output: 4, reasoning: 1, cache: { read: 20, write: 2 } },
    time: { created: 11 },
    ...further,
  })
  const items = (home: string) =>
    Object.fromEntries([...sessionsIn(at(home))].map(([id, found]) => [id, found.items.map(readableItem)]))

  it('has sessions that were continued and begun after the upgrade once, with those that are left', () => {
    const message = (id: string, words: string) => ({ id, at: 2, parts: [text(words)] })
    const { home, database, close } = homeWith([
      { id: 'ses_1', at: 1, messages: [message('msg_1', 'Which fern is dry?')] },
      { id: 'ses_left', at: 1, messages: [message('msg_2', 'Not taken over yet.')] },
    ])
    const tool = {
      ...{ type: 'tool', id: 'call_1', name: 'bash' },
      state: {
        ...{ status: 'completed', input: { command: 'cat wet.csv' }, structured: { exit: 1 } },
        content: [{ type: 'text', text: 'No such file' }],
      },
    }
    upgraded(database, [
      {
        id: 'ses_1',
        messages: [
          ['msg_1', 'user', said('Which fern is dry?')],
          ['msg_3', 'assistant', replied('The third.', [tool])],
          ['msg_4', 'synthetic', said('A reminder.')],
          ['msg_5', 'model-switched', { model: { id: 'fern-3' } }],
          ['msg_6', 'shell', { command: 'ls pots', output: 'blue' }],
          ['msg_7', 'compaction', { summary: 'A dry fern.' }],
          ['msg_8', 'assistant', replied('', [], { error: { type: 'aborted', message: 'Aborted' } })],
          ['msg_9', 'later', said('A type of tomorrow.')],
        ],
      },
      { id: 'ses_left', messages: [] },
      {
        id: 'ses_new',
        messages: [['msg_10', 'user', { ...said('Water it.'), files: [{ mime: 'image/png' }] }]],
      },
    ])
    close()
    expect(items(home)).toEqual({
      ses_1: [
        'human: Which fern is dry?',
        'agent: The third.',
        'tool: bash cat wet.csv',
        'error: (bash cat wet.csv) No such file',
        'human: !ls pots',
        'marker: · compaction a summary of 11 characters',
        'marker: · interruption',
      ],
      ses_left: ['human: Not taken over yet.'],
      ses_new: ['human: Water it. [image]'],
    })
    const { session } = sessionsIn(at(home)).get('ses_1')!
    expect(session).toMatchObject({ version: '2.0.12', title: 'Ferns', model: 'fern-2' })
    expect(session.usage).toMatchObject({ input: 200, output: 10, cacheRead: 40, cost: 0.5 })
    expect(session.accounting.unknown).toEqual({ 'message:later': 1 })
    expect(foundIn(at(home)).notices).toEqual([])
  })

  it('has in a fork all that was said, as its client shows it, and leads to its original, also if that is gone', () => {
    const { home, database, close } = homeWith([])
    const copied: [string, object][] = [
      ['user', said('Which fern is dry?')],
      ['assistant', replied('The third.')],
    ]
    const own: [string, object] = ['user', said('And the moss?')]
    upgraded(database, [
      { id: 'ses_1', messages: copied.map(([type, data], index) => [`msg_${index}`, type, data]) },
      ...['ses_1', 'ses_gone'].map((fork, number) => ({
        ...{ id: `ses_fork${number}`, fork, at: 100 },
        messages: [...copied, own].map(([type, data], index): [string, string, object] => [
          ...([`msg_f${number}${index}`, type, data] as const),
        ]),
      })),
    ])
    close()
    expect(items(home)).toEqual({
      ses_1: ['human: Which fern is dry?', 'agent: The third.'],
      ses_fork0: ['human: Which fern is dry?', 'agent: The third.', 'human: And the moss?'],
      ses_fork1: ['human: Which fern is dry?', 'agent: The third.', 'human: And the moss?'],
    })
    expect(sessionsIn(at(home)).get('ses_fork0')!.session).toMatchObject({
      parentSessionId: 'ses_1',
      forked: true,
    })
  })

  it('is read without the tables of version 1', () => {
    const { home, database, close } = homeWith([])
    for (const table of ['session', 'message', 'part', 'event', 'todo']) database.exec(`DROP TABLE ${table}`)
    upgraded(database, [{ id: 'ses_1', messages: [['msg_1', 'user', said('Light the oven.')]] }])
    close()
    expect(items(home)).toEqual({ ses_1: ['human: Light the oven.'] })
  })

  it('is named if it also has tables of a later version', () => {
    const { home, path, database, close } = homeWith([
      { id: 'ses_1', at: 1, messages: [{ id: 'msg_1', at: 2, parts: [text('Hello.')] }] },
    ])
    database.exec('CREATE TABLE session_v3 (id text); CREATE TABLE session_message_2 (id text)')
    close()
    expect(items(home)).toEqual({ ses_1: ['human: Hello.'] })
    const message = expect.stringContaining(
      'does not know (session_v3, session_message_2): sessions may be missing',
    )
    expect(foundIn(at(home)).notices).toEqual([{ platform: 'opencode', path, message }])
  })
})

describe('the databases of OpenCode', () => {
  const one = (id: string): OpenCodeSession => ({
    id,
    at: 1,
    messages: [{ id: `msg_${id}`, at: 2, parts: [text('Hello.')] }],
  })

  it('are those of every channel, and the one that a variable names', () => {
    const { home, close } = homeWith([one('ses_1')])
    close()
    const data = join(home, '.local/share/opencode')
    for (const name of ['opencode-local.x-1.db', 'mine.db', 'opencode.db.bak', 'other/own.sqlite'])
      opencodeDatabase(join(data, name), [one(`ses_${name.replace(/\W/g, '')}`)]).close()
    opencodeDatabase(join(home, 'else/opencode.db'), [one('ses_else')]).close()
    opencodeDatabase(join(home, 'else/opencode-dev.db'), [one('ses_elsedev')]).close()
    const ids = (OPENCODE_DB?: string): string[] =>
      foundIn(at(home, { OPENCODE_DB })).artifacts.map(({ sessionId }) => sessionId)
    const channels = ['ses_opencodelocalx1db', 'ses_1']
    expect(ids().toSorted()).toEqual(channels.toSorted())
    expect(ids(':memory:').toSorted()).toEqual(channels.toSorted())
    expect(ids('mine.db').toSorted()).toEqual([...channels, 'ses_minedb'].toSorted())
    expect(ids('other/own.sqlite').toSorted()).toEqual([...channels, 'ses_otherownsqlite'].toSorted())
    expect(ids(join(home, 'else/opencode.db')).toSorted()).toEqual([...channels, 'ses_else'].toSorted())
  })

  it('are read with what is only in their write-ahead log', () => {
    const { home, database, session } = homeWith([one('ses_1')])
    database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0')
    session(one('ses_2'))
    expect([...sessionsIn(at(home)).keys()]).toEqual(['ses_1', 'ses_2'])
    database.close()
  })

  it('are reported if they are damaged, or have other tables', () => {
    const home = temporary()
    const data = join(home, '.local/share/opencode')
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'opencode.db'), 'this is no database, however long it is')
    new DatabaseSync(join(data, 'opencode-dev.db')).close()
    const later = new DatabaseSync(join(data, 'opencode-next.db'))
    later.exec('CREATE TABLE session (id); CREATE TABLE message (id); CREATE TABLE part (id)')
    later.close()
    const messages = foundIn(at(home)).notices.map(({ message }) => message)
    expect(messages.toSorted()).toEqual([
      expect.stringContaining('cannot be read'),
      expect.stringContaining('without known session tables'),
      expect.stringContaining('without known session tables'),
    ])
  })

  it('are found where the directories of a variable or a flag are', () => {
    const { home, close } = homeWith([one('ses_1')])
    close()
    const share = join(home, '.local/share')
    const ids = (environment: Environment): string[] =>
      foundIn(environment).artifacts.map(({ sessionId }) => sessionId)
    expect(ids(at('/nowhere', { XDG_DATA_HOME: share }))).toEqual(['ses_1'])
    for (const given of [home, join(home, '.local'), share, join(share, 'opencode')])
      expect(ids({ ...at('/nowhere'), dirs: { opencode: [given] } })).toEqual(['ses_1'])
  })

  it('have any name in a folder that a flag names, unless one there has its usual name', () => {
    const folder = temporary()
    opencodeDatabase(join(folder, 'fern.db'), [one('ses_fern')]).close()
    const ids = (): string[] =>
      foundIn({ ...at('/nowhere'), dirs: { opencode: [folder] } }).artifacts.map(({ sessionId }) => sessionId)
    expect(ids()).toEqual(['ses_fern'])
    opencodeDatabase(join(folder, 'opencode.db'), [one('ses_1')]).close()
    expect(ids()).toEqual(['ses_1'])
  })

  it('are also those of a program that is OpenCode under another name, which resumes its own', () => {
    const { home, close } = homeWith([one('ses_1')])
    close()
    opencodeDatabase(join(home, '.local/share/mimocode/mimocode.db'), [one('ses_2')]).close()
    opencodeDatabase(join(home, 'own/moss.db'), [one('ses_3')]).close()
    opencodeDatabase(join(home, '.local/share/kilo/kilo.db'), [one('ses_4')]).close()
    const environment = at(home, { MIMOCODE_DB: join(home, 'own/moss.db') })
    const found = [...sessionsIn(environment).values()].map(({ session }) => [
      session.id,
      session.agent,
      opencode.resume(session, environment),
    ])
    expect(found).toMatchObject([
      ['ses_1', 'opencode', { words: ['opencode', '--session='] }],
      ['ses_2', 'mimocode', { words: ['mimo', '--session='] }],
      ['ses_3', 'mimocode', { words: ['mimo', '--session='] }],
    ])
  })
})
