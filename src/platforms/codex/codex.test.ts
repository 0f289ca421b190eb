import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import { ODD_ZONE } from '../../../test/figures-audit.ts'
import { put as putLines, temporaryHome } from '../../../test/records.ts'
import { freshIndex } from '../../../test/store-audit.ts'
import type { Environment } from '../../model/artifact.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { readSpawns } from '../../sync/read/read-spawns.ts'
import { codex } from './index.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/codex')
const environment: Environment = { home: '/nowhere', variables: {} }

/** The sessions of a fixture by their title, in the order of their names. */
function fixture(name: string) {
  const root = join(folder, name, '.codex')
  const { artifacts } = codex.files.discover(
    { platform: 'codex', path: root, reason: 'test', found: true },
    environment,
  )
  return artifacts
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((artifact) => ({ artifact, name: relative(root, artifact.path), ...readSession(artifact) }))
}

/** A home with one archived rollout, that of a fixture after a change. */
function changed(name: string, change: (lines: string[]) => string[]) {
  const root = mkdtempSync(join(tmpdir(), 'scrollback-codex-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const [{ artifact }] = fixture(name) as [ReturnType<typeof fixture>[0]]
  const path = join(root, 'archived_sessions', basename(artifact.path))
  mkdirSync(dirname(path))
  writeFileSync(path, change(readFileSync(artifact.path, 'utf8').split('\n')).join('\n'))
  const found = () =>
    codex.files.discover({ platform: 'codex', path: root, reason: 'test', found: true }, environment)
  return { path, found, read: () => readSession(found().artifacts[0]!) }
}

const told = (name: string): string[][] => fixture(name).map(({ items }) => items.map(readableItem))

describe('a thread of Codex', () => {
  it('shows words once that its client tells twice, and the words of a person without context', () => {
    expect(told('told-twice')[0]).toMatchInlineSnapshot(`
      [
        "human: Which fern is dry?",
        "agent: I look at the list.",
        "tool: exec_command cat ferns.csv",
        "tool: shell cat wet.csv",
        "error: (shell cat wet.csv) cat: wet.csv: No such file or directory",
        "tool: apply_patch ferns.csv",
        "agent: The one at the wall.",
        "human: !ls pots",
        "human: Water it.",
        "marker: · interruption",
        "human: What colour is it? [fern.png]",
        "error: The request is too long.",
      ]
    `)
  })

  it('counts each request once, however often its total is repeated', () => {
    const [{ session }] = fixture('told-twice') as [ReturnType<typeof fixture>[0]]
    expect(session.usage).toEqual({ input: 1200, cacheRead: 1300, cacheWrite: 0, output: 50 })
    const [undone] = fixture('undone') as [ReturnType<typeof fixture>[0]]
    expect(undone.session.usage).toEqual({ input: 240, cacheRead: 100, cacheWrite: 0, output: 25 })
  })

  it.each(['cli', { subagent: 'review' }, undefined])(
    'counts the requests of two threads with the same totals twice, from %j',
    (source) => {
      const home = temporaryHome()
      const counts = { input_tokens: 500, cached_input_tokens: 0, output_tokens: 8 }
      const info = { total_token_usage: counts, last_token_usage: counts }
      for (const [number, turn] of ['01a19690-4a28', '01a19691-4a28'].entries()) {
        const id = `01a19690-4640-7000-8000-00000000001${number}`
        const meta = { type: 'session_meta', payload: { id, cli_version: '0.121.0', source } }
        putLines(join(home, `.codex/sessions/2026/11/01/rollout-2026-11-01T10-03-20-${id}.jsonl`), [
          // A damaged header says nothing of the thread.
          source === undefined ? {} : { timestamp: '2026-11-01T10:03:20.000Z', ...meta },
          ...[
            { type: 'task_started', turn_id: `${turn}-7000-8000-000000000031` },
            { type: 'token_count', info },
          ].map((payload) => ({ timestamp: '2026-11-01T10:03:21.000Z', type: 'event_msg', payload })),
        ])
      }
      const store = freshIndex({ home, variables: {} })
      const used = [...store.figures({ zone: ODD_ZONE })].flatMap(({ usage }) => usage)
      expect(used.reduce((sum, { input }) => sum + input, 0)).toBe(1000)
      store.close()
    },
  )

  it.each([
    ['null', '"last_token_usage":null'],
    ['not there', '"other":null'],
    ['zeros', '"last_token_usage":{"input_tokens":0,"cached_input_tokens":0,"output_tokens":0}'],
  ])('counts requests by the rise of the total where their own figures are %s', (_, instead) => {
    const { read } = changed('told-twice', (lines) =>
      lines.map((line) => line.replace(/"last_token_usage":\{[^}]*\}/, instead)),
    )
    expect(read().session.usage).toEqual({ input: 1200, cacheRead: 1300, cacheWrite: 0, output: 50 })
  })

  it('counts what turns used that a migration removed, by the totals around them', () => {
    const { read } = changed('undone', (lines) => lines.filter((_, index) => index < 5 || index > 8))
    const { session } = read()
    expect(session).toMatchObject({ human: 0, kind: 'program' })
    expect(session.usage).toEqual({ input: 240, cacheRead: 100, cacheWrite: 0, output: 25 })
  })

  it('shows turns that were taken back as an abandoned branch, and a compaction', () => {
    expect(told('undone')[0]).toMatchInlineSnapshot(`
      [
        "program (exec): Plant the moss.",
        "agent: It is planted.",
        "program (exec, abandoned): Plant the lily.",
        "agent (abandoned): The lily is planted.",
        "marker: · compaction a summary of 20 characters",
        "program (exec): Plant the rose.",
        "agent: The rose is planted.",
      ]
    `)
  })

  it('has in a fork all that was said, as its client shows it, and leads to its original', () => {
    const sessions = fixture('forked')
    expect(sessions.map(({ items }) => items.map(readableItem))).toMatchInlineSnapshot(`
      [
        [
          "human: Which tray is free?",
          "agent: The flat one.",
        ],
        [
          "human: Which pot is free?",
          "agent: The blue one.",
        ],
        [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the red one?",
          "agent: Taken.",
        ],
        [
          "human: Which tray is free?",
          "agent: The flat one.",
          "human: And the green one?",
          "agent: Cracked.",
        ],
      ]
    `)
    const [, parent, fork] = sessions
    expect(parent!.session).toMatchObject({ title: 'Free pots', usage: { input: 500, output: 8 } })
    expect(fork!.session).toMatchObject({
      parentSessionId: parent!.session.id,
      usage: { input: 600, cacheRead: 500, output: 12 },
      forked: true,
    })
  })

  it('has its subagents, its answers, its continuation after an undo, and reviews that no person asked for', () => {
    expect(
      fixture('items').map(({ session, items }) => [session.kind, ...items.map(readableItem)]),
    ).toMatchInlineSnapshot(`
      [
        [
          "program",
          "program (review): Review the current changes.",
          "agent: Nothing to say.",
        ],
        [
          "human",
          "human: Count the pots with a helper.",
          "agent: A helper counts.",
          "tool: spawn_agent Count the blue pots.",
          "program (subagent): There are four.",
          "tool: exec rm -rf old pots",
          "marker: · denial (exec rm -rf old pots)",
          "marker: · compaction a summary of 19 characters",
          "tool: request_user_input Which colour?",
          "human (answer): Blue, please.",
          "agent: # Paint /  / 1. Paint it blue",
          "error: The pot is too large.",
          "human (abandoned): Paint it red.",
          "agent (abandoned): It is red.",
        ],
        [
          "subagent",
          "program (subagent): Count the blue pots.",
          "agent: There are four.",
        ],
        [
          "human",
          "human: Paint it green.",
          "agent: It is green.",
        ],
      ]
    `)
  })

  it('counts usage records, not the totals beside them', () => {
    expect(fixture('items').map(({ session }) => session.usage?.output)).toEqual([undefined, 30, 6, 5])
  })

  it('is linked with the subagents that it starts', () => {
    const [, thread, subagent] = fixture('items')
    expect(readSpawns(thread!.artifact)).toContainEqual(
      expect.objectContaining({ callId: 'call_7', child: subagent!.session.id }),
    )
    expect(subagent!.session.parentSessionId).toBe(thread!.session.id)
  })

  const AT = '"timestamp":"2026-11-01T12:00:00.000Z"'
  const response = (payload: object): string =>
    `{${AT},"type":"response_item","payload":${JSON.stringify(payload)}}`
  const event = (payload: object): string => `{${AT},"type":"event_msg","payload":${JSON.stringify(payload)}}`
  const result = (call_id: string, output: unknown): string =>
    response({ type: 'function_call_output', call_id, output })

  it('has the failures of calls by the words of its client, and not by what a command printed', () => {
    const { read } = changed('told-twice', ([header]) => [
      header!,
      response({
        type: 'function_call',
        name: 'search',
        namespace: 'mcp__shed',
        arguments: '{"query":"fern"}',
        call_id: 'm1',
      }),
      event({ type: 'mcp_tool_call_end', call_id: 'm1', result: { Ok: { content: [], isError: true } } }),
      result('m1', [{ type: 'input_text', text: 'Wall time: 0.1 seconds\nOutput:' }]),
      response({
        type: 'custom_tool_call',
        name: 'exec',
        call_id: 'x1',
        input: 'await tools.exec_command({cmd:"ls"})',
      }),
      event({
        type: 'item_completed',
        item: {
          type: 'CommandExecution',
          id: 'exec-1',
          status: 'failed',
          exit_code: 2,
          aggregated_output: 'ls: no\n',
        },
      }),
      result('x1', [{ type: 'input_text', text: 'Script completed\nWall time 0.1 seconds\nOutput:\n' }]),
      result('x2', [
        { text: 'Script failed\nWall time 0.0 seconds\nOutput:\n' },
        { text: 'Script error:\nError: rain' },
      ]),
      event({
        type: 'item_completed',
        item: { type: 'CommandExecution', id: 'x3', status: 'failed', exit_code: 1 },
      }),
      result('x3', 'Wall time: 0.0 seconds\nProcess exited with code 1\nOutput:\nwet'),
      result('x4', 'Process exited with code 0\nOutput:\nProcess exited with code 1\nerror'),
      result('x5', 'apply_patch verification failed: no file'),
      response({
        ...{ type: 'custom_tool_call', call_id: 'x6', name: 'exec' },
        input: `const done = await tools.apply_patch("*** Begin Patch\\n*** Add File: pot.txt\\n+it's wet\\n*** End Patch")`,
      }),
    ])
    expect(read().items.map(readableItem)).toEqual([
      'tool: mcp__shed__search fern',
      'error: (mcp__shed__search fern) failed',
      'tool: exec ls',
      'error: (exec_command) ls: no',
      'error: Error: rain',
      'error: wet',
      'error: apply_patch verification failed: no file',
      'tool: apply_patch pot.txt',
    ])
  })

  it('leaves out what a subagent copied, up to two seconds after it began, where turns have no ids', () => {
    const { read } = changed('forked', () => {
      const line = (at: string, type: string, payload: object): string =>
        JSON.stringify({ timestamp: `2026-11-01T10:09:${at}Z`, type, payload })
      const said = (message: string) => ({ type: 'user_message', message })
      const turn = { cwd: '/home/ann/garden', model: 'gpt-5' }
      return [
        // The thread began long before its file.
        line('00.000', 'session_meta', {
          id: '01a19690-0000-7000-8000-000000000002',
          forked_from_id: '01a19690-0000-7000-8000-000000000001',
          cli_version: '0.95.0',
          source: { subagent: 'review' },
        }),
        line('00.001', 'session_meta', { id: '01a19690-0000-7000-8000-000000000001', source: 'cli' }),
        line('00.001', 'event_msg', said('Which pot is free?')),
        line('00.002', 'turn_context', turn),
        line('09.000', 'event_msg', said('And the red one?')),
        line('09.001', 'turn_context', turn),
      ]
    })
    expect(read().items.map(readableItem)).toEqual(['program (subagent): And the red one?'])
  })

  it('has the words of a prompt without the files that an editor or the app puts before them', () => {
    const { read } = changed('told-twice', ([header]) => [
      header!,
      event({
        type: 'user_message',
        message: '# Files mentioned by the user:\n\n## a.md: /a.md\n\n## My request for Codex:\nRead it.\n',
      }),
    ])
    expect(read().items.map(readableItem)).toEqual(['human: Read it.'])
  })

  it('is read in the form of 2025, which has no times', () => {
    const [{ session, items }] = fixture('bare') as [ReturnType<typeof fixture>[0]]
    expect(items.map(readableItem)).toMatchInlineSnapshot(`
      [
        "human: Name a fern.",
        "tool: shell cat ferns.csv",
        "error: (shell cat ferns.csv) cat: ferns.csv: No such file",
        "agent: The lady fern.",
      ]
    `)
    expect(session.cwds).toEqual([['/home/ann/garden', 1]])
  })

  it('is resumed by the id of the thread, also from the file that continues it', () => {
    const [, thread, subagent, continued] = fixture('items')
    const words = (session: typeof thread) => codex.resume(session!.session, environment)
    expect(words(thread)).toMatchObject({ words: ['codex', 'resume', '--'], id: thread!.session.id })
    expect(words(continued)).toMatchObject({ words: ['codex', 'resume', '--'], id: thread!.session.id })
    expect(words(subagent)).toHaveProperty('impossible')
  })
})

describe('the queue of Codex', () => {
  const thread = '01a1968d-3900-7000-8000-000000000001'
  const NOON = Date.parse('2026-11-01T12:00:00Z')

  /** A home with one thread, and the prompts that wait in its queue. */
  function homeWith(...texts: string[]) {
    const root = mkdtempSync(join(tmpdir(), 'scrollback-codex-'))
    onTestFinished(() => {
      codex.files.close!()
      rmSync(root, { recursive: true })
    })
    cpSync(join(folder, 'told-twice/.codex'), root, { recursive: true })
    const path = join(root, 'queue_1.sqlite')
    const database = new DatabaseSync(path)
    database.exec(
      'CREATE TABLE queued_items (id TEXT, thread_id TEXT, payload_json TEXT, queue_order INTEGER, created_at_ms INTEGER, updated_at_ms INTEGER)',
    )
    for (const [order, text] of texts.entries())
      database
        .prepare('INSERT INTO queued_items VALUES (?, ?, ?, ?, ?, ?)')
        .run(
          `q${order}`,
          thread,
          JSON.stringify({ UserInput: { content: [{ type: 'text', text }] } }),
          order,
          NOON,
          NOON + 2,
        )
    return { root, path, database }
  }

  it('is named if its columns or tables are those of a later version', () => {
    const { root, path, database } = homeWith('Then the lily.')
    expect(found(root).notices).toEqual([])
    database.exec('CREATE TABLE queued_messages (id TEXT); CREATE TABLE messages_v2 (id TEXT)')
    const later = expect.stringContaining('does not know (messages_v2)')
    expect(found(root).notices).toEqual([{ platform: 'codex', path, message: later }])
    database.exec('ALTER TABLE queued_items RENAME COLUMN payload_json TO payload')
    const columns = expect.stringContaining('whose columns this version does not know')
    expect(found(root).notices).toEqual([{ platform: 'codex', path, message: columns }])
  })

  const found = (root: string) =>
    codex.files.discover({ platform: 'codex', path: root, reason: 'test', found: true }, environment)

  it('shows the prompts that wait at the end of their thread, until the client takes them', () => {
    const { root, database } = homeWith('Then the lily.', 'And the moss.')
    const waiting = () => {
      const [artifact] = found(root).artifacts.filter(({ sessionId }) => sessionId === thread)
      return { besideMs: artifact!.besideMs, items: readSession(artifact!).items.map(readableItem) }
    }
    expect(waiting().items.slice(-2)).toEqual([
      'human (waiting): Then the lily.',
      'human (waiting): And the moss.',
    ])
    expect(waiting().besideMs).toBe(NOON + 2)
    database.exec("DELETE FROM queued_items WHERE id = 'q0'")
    expect(waiting().items.at(-1)).toBe('human (waiting): And the moss.')
    database.exec('DELETE FROM queued_items')
    expect(waiting()).toMatchObject({ besideMs: undefined })
    expect(waiting().items.at(-1)).not.toContain('waiting')
    database.close()
  })

  it('is delivered row by row', () => {
    const { path, root, database } = homeWith('Then the lily.')
    database.close()
    const [row] = codex.delivery.rows!(root, 'prompt-history', path)
    expect(row).toMatchObject({ key: 'q0', at: NOON, raw: { thread } })
    expect(codex.delivery.record(row!.raw as never, { kind: 'prompt-history' } as never)).toEqual({
      id: 'q0',
      at: NOON,
      session: thread,
    })
  })

  it('is reported and hides no thread if it cannot be read', () => {
    const { root, path, database } = homeWith()
    database.close()
    writeFileSync(
      path,
      'no database at all, but a text that is longer than a header of one hundred bytes is'.repeat(9),
    )
    expect(found(root).notices).toMatchObject([{ path }])
    expect(found(root).artifacts.length).toBeGreaterThan(0)
  })
})

describe('a prompt of Codex', () => {
  it('is that of a program in turns that `codex exec` started, and of a person in those typed later', () => {
    const found = fixture('exec').map(({ session, items }) => ({
      kind: session.kind,
      human: session.human,
      prompts: items.filter(({ who }) => who === 'human' || who === 'program').map(readableItem),
    }))
    expect(found).toEqual([
      {
        kind: 'human',
        human: 1,
        prompts: [
          'program (exec): Nightly: count the pots.',
          'human: And the saucers?',
          'program (exec): Nightly: count again.',
        ],
      },
      {
        kind: 'program',
        human: 0,
        prompts: ['program (exec): Count the ferns.', 'program (exec): And the mosses.'],
      },
      {
        kind: 'human',
        human: 2,
        prompts: ['human: Which pot is dry?', 'program (exec): Report the day.', 'human: !ls pots'],
      },
      { kind: 'program', human: 0, prompts: ['program (exec): Water the lily.'] },
    ])
  })
})

describe('what an editor puts before a prompt of Codex', () => {
  const EDITOR =
    '# Context from my IDE setup:\\n\\n## Active file: ferns.csv\\n\\n## Open tabs:\\n- ferns.csv\\n'
  /** A thread whose first prompt is this text, as it is in JSON. */
  const threadWith = (text: string) =>
    changed('told-twice', (lines) => lines.map((line) => line.replaceAll('Which fern is dry?', text))).read()

  it('is neither a prompt nor a title if no request follows', () => {
    const { human, title } = threadWith('Which fern is dry?').session
    for (const request of ['', '\\n## My request for Codex:\\n', '\\n## My request for Codex:\\n  ']) {
      const { session, items } = threadWith(EDITOR + request)
      expect(session.human).toBe(human - 1)
      expect(session.title).not.toContain('IDE setup')
      expect(items.map(readableItem).join('\n')).not.toContain('IDE setup')
    }
    expect(threadWith(`${EDITOR}\\n## My request for Codex:\\nWhich fern is dry?`).session).toMatchObject({
      human,
      title,
    })
  })

  it('is not what a person writes below a heading', () => {
    const { items } = threadWith('# Plan:\\n- water the fern')
    expect(items.map(readableItem)[0]).toBe('human: # Plan: / - water the fern')
  })
})

describe('the folder of Codex', () => {
  it.each(['.codex/sessions', '.codex', '.'])('is meant by %s of a home directory, too', (below) => {
    const home = mkdtempSync(join(tmpdir(), 'scrollback-codex-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    mkdirSync(join(home, '.codex/sessions'), { recursive: true })
    const dirs = { codex: [join(home, below)] }
    expect(codex.files.roots({ home, variables: {}, dirs }).map(({ path }) => path)).toEqual([
      join(home, '.codex'),
    ])
  })
})

describe('the tier of a request', () => {
  const modelsOf = (change: (line: string) => string, before: string[] = []) => {
    const { read } = changed('told-twice', ([head, ...lines]) => [head!, ...before, ...lines.map(change)])
    return [...new Set(read().items.flatMap(({ usage }) => usage?.model ?? []))]
  }
  const tiered = (tier: string) => (line: string) =>
    line.includes('"token_count"')
      ? line.replace('"payload":{', `"payload":{"service_tier":"${tier}",`)
      : line

  it('is named with its model if it changes the price', () => {
    const [usual, ...others] = modelsOf((line) => line)
    expect(others).toEqual([])
    expect(modelsOf(tiered('priority'))).toEqual([`${usual}[priority]`])
    expect(modelsOf(tiered('flex'))).toEqual([`${usual}[flex]`])
    expect(modelsOf(tiered('default'))).toEqual([usual])
  })

  it('is that of the settings of the thread where the request states none', () => {
    const settings = JSON.stringify({
      timestamp: '2026-11-01T10:13:20.500Z',
      type: 'event_msg',
      payload: {
        type: 'thread_settings_applied',
        thread_settings: { model: 'fern-2', service_tier: 'fast' },
      },
    })
    expect(modelsOf((line) => line, [settings])).toEqual([expect.stringMatching(/\[priority\]$/)])
    expect(modelsOf(tiered('default'), [settings])).toEqual([expect.not.stringMatching(/\[/)])
  })
})

describe('the model of a thread', () => {
  it('is that of its settings where no turn names one', () => {
    const settings = (model: string, thread: string) =>
      JSON.stringify({
        timestamp: '2026-11-01T10:13:20.500Z',
        type: 'event_msg',
        payload: { type: 'thread_settings_applied', thread_id: thread, thread_settings: { model } },
      })
    const { read } = changed('told-twice', (lines) => [
      lines[0]!,
      settings('fern-2', /[0-9a-f-]{36}/.exec(lines[0]!)![0]),
      settings('moss-1', '01a19699-6e00-7000-8000-00000000ffff'),
      ...lines.slice(1).filter((line) => !line.includes('"turn_context"')),
    ])
    expect(read().session).toMatchObject({ model: 'fern-2' })
  })
})

describe('the files of Codex', () => {
  it('are rollouts only, of which the plain one counts', () => {
    expect(fixture('damaged').map(({ name }) => name)).toEqual([
      'sessions/2026/11/01/rollout-2026-11-01T10-13-20-01a19699-6e00-7000-8000-000000000014.jsonl',
    ])
  })

  it('are read compressed unless the plain one is there, in folders of sessions and of archived ones', () => {
    const { path, found, read } = changed('told-twice', (lines) => lines)
    const [plain, { items }] = [readFileSync(path), read()]
    writeFileSync(`${path}.zst`, zstdCompressSync(plain))
    expect(found().artifacts.map((each) => each.path)).toEqual([path])
    rmSync(path)
    expect(found()).toMatchObject({ unread: [], notices: [], artifacts: [{ state: 'archived' }] })
    expect(read().items).toEqual(items)
    const half = plain.indexOf('\n', plain.length / 2) + 1
    const frames = [plain.subarray(0, half), plain.subarray(half)].map((part) => zstdCompressSync(part))
    writeFileSync(`${path}.zst`, Buffer.concat(frames))
    expect(read().items).toEqual(items)
    writeFileSync(`${path}.zst`, Buffer.concat(frames).subarray(0, -1))
    expect(() => read()).toThrow('unexpected end of file')
  })

  it('are also what it has learned from threads', () => {
    const path = join(folder, 'memories/.codex')
    const found = codex.memory!.documents(
      { platform: 'codex', path, reason: 'test', found: true },
      environment,
    )
    expect(found.map(({ sessionId, kind }) => [sessionId, kind])).toEqual([
      ['MEMORY.md', 'memory'],
      ['rollout_summaries/2026-11-01T10-00-00-watering.md', 'memory'],
    ])
  })

  it('are recognized outside of the roots', () => {
    const { isOwn, isOwnName } = codex.files.given!
    expect(isOwn({ type: 'session_meta' })).toBe(true)
    expect(isOwn({ id: 'a', timestamp: 'b', instructions: null })).toBe(true)
    expect(isOwn({ type: 'user' })).toBe(false)
    expect(isOwnName!('rollout-2026-11-01T10-13-20-01a19699-6e00-7000-8000-000000000014.jsonl.zst')).toBe(
      true,
    )
    expect(isOwnName!('rollout.jsonl')).toBe(false)
  })
})
