import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunJson } from '../../src/selection/runs.ts'
import { checkout, type Json, json, run } from '../program.ts'
import {
  call,
  claude,
  openclaw,
  put,
  putClaude,
  putOpenclaw,
  putSessionIndex,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'
import { stateDatabase } from '../state-database.ts'

const fixture = (name: string, platform = 'claude-code'): string => {
  const home = temporaryHome()
  cpSync(join(checkout, 'test/fixtures', platform, name), home, { recursive: true })
  return home
}

/** The condensed transcript without its header. */
const read = (home: string, id: string, ...args: string[]): string =>
  run(['read', id, '--subagents', ...args], home).stdout

const runsOf = (home: string, ...args: string[]): RunJson[] => json(home, 'runs', '--all', ...args).runs

const PARENT = uuid(7)
const CHILD = uuid(8)
const CHILD_KEY = 'agent:main:subagent:7f'
const TASK = 'Count the ferns in ferns.csv.'
const AT = Date.UTC(2026, 10, 1, 10, 3)

/** An agent of OpenClaw that started a subagent. The session in which it did so was reset since. */
function spawningHome(): string {
  const home = temporaryHome()
  putOpenclaw(home, `${PARENT}.jsonl.reset.2026-11-02T10-00-00.000Z`, [
    openclaw.header(PARENT),
    openclaw.user(1, 'How many ferns are there?'),
    openclaw.reply(2, [
      text('I ask a helper.'),
      { type: 'toolCall', id: 'c1', name: 'sessions_spawn', arguments: { task: TASK, label: 'ferns' } },
      { type: 'toolCall', id: 'c2', name: 'exec', arguments: { command: 'date' } },
    ]),
    openclaw.message(3, {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'sessions_spawn',
      content: [text('accepted')],
      details: { status: 'accepted', childSessionKey: CHILD_KEY, runId: 'r1' },
    }),
    { ...openclaw.reply(5, [text('There are twelve.')]), id: 'e0000006' },
  ])
  const child = openclaw.user(3, `[Subagent Context] You are a subagent.\n\n[Subagent Task]: ${TASK}`)
  putOpenclaw(home, `${CHILD}.jsonl`, [
    { ...openclaw.header(CHILD), timestamp: child.timestamp },
    child,
    openclaw.reply(4, [{ type: 'toolCall', id: 'c9', name: 'exec', arguments: { command: 'wc -l' } }]),
    openclaw.reply(5, [text('Twelve ferns.')]),
  ])
  putOpenclaw(home, `${uuid(9)}.jsonl`, [openclaw.header(uuid(9)), openclaw.user(30, 'Good morning')])
  putSessionIndex(home, {
    'agent:main:main': { sessionId: uuid(9) },
    [CHILD_KEY]: { sessionId: CHILD, spawnedBy: 'agent:main:main' },
  })
  return home
}

const RECORD = {
  runId: 'r1',
  childSessionKey: CHILD_KEY,
  requesterSessionKey: 'agent:main:main',
  task: TASK,
  label: 'ferns',
  createdAt: AT,
  startedAt: AT + 200,
  endedAt: AT + 60_200,
  outcome: { status: 'error', error: 'the file is not there, sk-ant-api03-x8Jq2mVbN4kLp7RtYw5ZcFh1Gd3SaE9U' },
  frozenResultText: 'Twelve ferns.',
}

const putRuns = (home: string, runs: unknown, name = 'runs.json') =>
  put(join(home, '.openclaw/subagents', name), JSON.stringify({ version: 2, runs }))

describe('subagents are shown where they were started', () => {
  it.each([
    ['in folders, one of a workflow', 'nested-agents'],
    ['next to their parent', 'flat-agents'],
    ['in the transcript of their parent', 'sidechain-inline'],
  ])('in Claude Code, %s', async (_, name) => {
    const output = read(fixture(name), 'ea570000')
    await expect(output).toMatchFileSnapshot(join(import.meta.dirname, 'output', `subagents-${name}.txt`))
  })

  it('in OpenClaw, for a session that its index no longer lists', async () => {
    const home = spawningHome()
    putRuns(home, { r1: RECORD })
    const output = read(home, PARENT)
    await expect(output).toMatchFileSnapshot(join(import.meta.dirname, 'output/subagents-openclaw.txt'))
    expect(run(['read', PARENT], home).stdout).not.toContain('wc -l')
  })

  it('as Markdown, and as JSON with the position of each', async () => {
    const home = spawningHome()
    putRuns(home, { r1: RECORD })
    const markdown = read(home, PARENT, '--format', 'md')
    expect(markdown).toContain('> *subagent: ferns')
    expect(markdown).toContain('> Twelve ferns.')
    const output = JSON.parse(read(home, PARENT, '--json'))
    expect(output.items.map((item: Json) => [item.session === CHILD, item.tool?.name ?? item.text])).toEqual([
      [false, 'How many ferns are there?'],
      [false, 'I ask a helper.'],
      [false, 'sessions_spawn'],
      [true, TASK],
      [true, 'exec'],
      [true, 'Twelve ferns.'],
      [false, 'exec'],
      [false, 'There are twelve.'],
    ])
    expect(output.sessions.map(({ id }: Json) => id).sort()).toEqual([PARENT, CHILD].sort())
    expect(output.runs).toMatchObject([{ id: 'r1', parent: { session: PARENT, line: 3 } }])
  })

  it('once, even if both sessions are requested, or if several records describe one task', () => {
    const home = spawningHome()
    putRuns(home, { r1: RECORD, r2: { ...RECORD, runId: 'r2' } })
    for (const args of [['--all', '--kind', 'all'], [PARENT, CHILD], ['--all']]) {
      const output = run(['read', ...args, '--subagents'], home).stdout
      expect(output.match(/Twelve ferns\./g)).toHaveLength(1)
    }
  })

  it('within a budget, with a report of omissions', () => {
    const home = spawningHome()
    putRuns(home, { r1: RECORD })
    const output = read(home, PARENT, '--budget', '50')
    expect(output).toContain('Twelve ferns.')
    expect(output).toContain('Left out: 2 tool lines')
  })

  it('of the newest sessions, if headings would take the budget: those that are left out have none', () => {
    const home = spawningHome()
    putRuns(home, { r1: RECORD })
    for (let number = 10; number < 40; number++)
      putOpenclaw(home, `${uuid(number)}.jsonl`, [
        openclaw.header(uuid(number)),
        openclaw.user(number, `fern ${number}`),
      ])
    const { stdout } = run(['read', '--all', '--subagents', '--budget', '150'], home)
    expect(stdout.match(/^━━/gm)).toHaveLength(1)
    expect(stdout).toContain('fern 39')
    expect(stdout).not.toContain('Twelve ferns.')
    expect(stdout).toContain('Left out: 32 sessions')
  })

  it('with details of their own on request', () => {
    const home = spawningHome()
    expect(read(home, PARENT, '--full')).toContain('  │     │   "command": "wc -l"')
  })

  it('from their record if the transcript is gone', () => {
    const home = spawningHome()
    putRuns(home, { r1: RECORD })
    rmSync(join(home, '.openclaw/agents/main/sessions', `${CHILD}.jsonl`))
    const output = read(home, PARENT)
    expect(output).toContain('its transcript is gone · 1m 0s · error · the file is not there, [REDACTED:')
    expect(output).toContain(`  │ Task: ${TASK}\n  │ Result: Twelve ferns.`)
  })

  it('by their start time if no call names them', () => {
    const home = temporaryHome()
    const parent = uuid(1)
    putClaude(home, parent, [
      claude.user(1, 'Look around', { sessionId: parent }),
      claude.reply(2, [text('I do.')], { sessionId: parent }),
      claude.reply(6, [text('I did.')], { sessionId: parent }),
    ])
    put(join(home, '.claude/projects/-home-ann-garden', parent, 'subagents/agent-a1.jsonl'), [
      claude.user(4, 'Look behind the shed', { isSidechain: true, sessionId: parent }),
    ])
    const output = read(home, parent)
    expect(output.indexOf('I do.')).toBeLessThan(output.indexOf('Look behind the shed'))
    expect(output.indexOf('Look behind the shed')).toBeLessThan(output.indexOf('I did.'))
  })

  it('within the subagent that started them, even if both files are next to the same parent', () => {
    const home = temporaryHome()
    const parent = uuid(1)
    const folder = join(home, '.claude/projects/-home-ann-garden', parent, 'subagents')
    const sidechain = { isSidechain: true, sessionId: parent }
    putClaude(home, parent, [
      claude.user(1, 'Look around', { sessionId: parent }),
      claude.reply(2, [call('t1', 'Agent', { description: 'Look', prompt: 'Look behind the shed' })]),
      claude.reply(9, [text('I did.')]),
    ])
    put(join(folder, 'agent-a1.meta.json'), JSON.stringify({ toolUseId: 't1', agentType: 'scout' }))
    put(join(folder, 'agent-a1.jsonl'), [
      claude.user(3, 'Look behind the shed', sidechain),
      claude.reply(4, [call('t2', 'Agent', { description: 'Dig', prompt: 'Dig there' })], sidechain),
      claude.reply(8, [text('A key.')], sidechain),
    ])
    put(join(folder, 'agent-a2.meta.json'), JSON.stringify({ toolUseId: 't2', spawnDepth: 2 }))
    put(join(folder, 'agent-a2.jsonl'), [
      claude.user(5, 'Dig there', sidechain),
      claude.reply(6, [text('Rust.')], sidechain),
    ])
    expect(read(home, parent)).toContain('  │   │   Rust.\n')
    expect(runsOf(home).map((each) => [each.task, each.parent?.session])).toEqual([
      ['Dig there', 'agent-a1'],
      ['Look behind the shed', parent],
    ])
  })

  it('without the client’s own forks', () => {
    const home = temporaryHome()
    const parent = uuid(1)
    putClaude(home, parent, [claude.user(1, 'Look around', { sessionId: parent })])
    put(join(home, '.claude/projects/-home-ann-garden', parent, 'subagents/agent-acompact-00ff.jsonl'), [
      claude.user(2, 'Look around', { isSidechain: true, sessionId: parent }),
      claude.reply(3, [call('t1', 'Read', { file_path: '/x' })], { isSidechain: true, sessionId: parent }),
    ])
    expect(runsOf(home)).toEqual([])
    expect(read(home, parent)).not.toContain('/x')
  })
})

describe('scrollback runs', () => {
  it('lists what was started, by which message, and the result', async () => {
    const home = spawningHome()
    putRuns(home, { r1: RECORD })
    const { stdout } = run(['runs', '--all'], home)
    await expect(stdout).toMatchFileSnapshot(join(import.meta.dirname, 'output/runs.txt'))
    expect(runsOf(home)).toMatchObject([
      {
        ...{ id: 'r1', task: TASK, label: 'ferns', status: 'error', result: 'Twelve ferns.' },
        ...{ error: 'the file is not there, [REDACTED:anthropic-key]', durationMs: 60_000, toolCalls: 1 },
        ...{ parent: { session: PARENT, line: 3 }, child: { session: CHILD } },
      },
    ])
    expect(runsOf(home, '--failed')).toHaveLength(1)
    expect(runsOf(home, '--since', '2026-11-02')).toEqual([])
    expect(json(home, 'runs', PARENT)).toMatchObject({ total: 1 })
  })

  it.each([
    ['a file of the first version', (home: string) => putRuns(home, { r1: RECORD })],
    ['a list', (home: string) => putRuns(home, [RECORD])],
    ['a copy of the migration', (home: string) => putRuns(home, { r1: RECORD }, 'runs.json.migrated')],
    [
      'a file with comments',
      (home: string) => {
        const file = `// by hand\n{runs: {r1: ${JSON.stringify(RECORD)},},}`
        put(join(home, '.openclaw/subagents/runs.json'), file)
      },
    ],
    [
      'the state database',
      (home: string) => {
        const database = stateDatabase(join(home, '.openclaw'), 'late')
        const { startedAt, endedAt, outcome, frozenResultText, ...rest } = RECORD
        database.subagent('r1', {
          ...rest,
          execution: { status: 'terminal', startedAt, endedAt, outcome },
          completion: { resultText: frozenResultText },
        })
        database.close()
      },
    ],
    [
      'the copy and the database, each once',
      (home: string) => {
        putRuns(home, { r1: RECORD }, 'runs.json.migrated.2')
        const database = stateDatabase(join(home, '.openclaw'), 'early')
        database.subagent('r1', { ...RECORD, endedAt: undefined, outcome: undefined })
        database.close()
      },
    ],
  ])('reads records out of %s', (_, prepare) => {
    const home = spawningHome()
    prepare(home)
    expect(runsOf(home)).toMatchObject([
      { id: 'r1', status: 'error', durationMs: 60_000, result: 'Twelve ferns.', child: { session: CHILD } },
    ])
  })

  it('reports the records that it could not read, and lists the rest', () => {
    const home = spawningHome()
    putRuns(home, { r1: RECORD, r2: 'no record', r3: {} })
    const some = run(['runs', '--all'], home)
    expect(some.code).toBe(3)
    expect(some.stderr).toContain('2 entries not valid as a subagent run')
    expect(some.stdout).toContain('the file is not there')
    put(join(home, '.openclaw/subagents/runs.json'), '{"runs": {')
    const broken = run(['runs', '--all'], home)
    expect(broken.code).toBe(3)
    expect(broken.stderr).toContain('its subagent runs cannot be read')
    expect(broken.stdout).toContain('Count the ferns')
  })

  it('prints a message if there are none', () => {
    const { stdout, code } = run(['runs', '--all'], temporaryHome())
    expect([stdout, code]).toEqual(['No subagent run matches.\n', 1])
  })
})

it('a subagent reports its last words if no record has its result, and its status as a file beside it says', () => {
  const home = fixture('subagents', 'qwen-code')
  expect(runsOf(home)).toMatchObject([{ status: 'ok', result: 'Four.', model: 'fern-2' }])
  expect(json(home, 'runs', '--all', '--failed').total).toBe(0)
})

it('a subagent of Claude Code ended as the notice in the queue of its parent says, the last time', () => {
  const home = temporaryHome()
  const ended = (number: number, callId: string, status: string, result: string): object => ({
    ...claude.user(number, ''),
    ...{ type: 'queue-operation', operation: 'enqueue', message: undefined },
    content: `<task-notification>\n<tool-use-id>${callId}</tool-use-id>\n<status>${status}</status>\n${result}</task-notification>`,
  })
  const tasks = ['Count the ferns.', 'Count the pots.', 'Count the spoons.']
  const started = tasks.map((prompt, index) => call(`t${index}`, 'Task', { prompt, subagent_type: 'x' }))
  putClaude(home, PARENT, [
    claude.user(1, 'How many are there?'),
    claude.reply(2, started),
    ended(4, 't0', 'failed', ''),
    ended(5, 't0', 'completed', '<result><status>failed</status></result>'),
    ended(5, 't1', 'failed', ''),
  ])
  for (const [index, prompt] of tasks.entries())
    putClaude(home, `${PARENT}/subagents/agent-a${index}`, [
      { ...claude.user(3, prompt), isSidechain: true, agentId: `a${index}`, uuid: uuid(20 + index) },
    ])
  const statuses = runsOf(home).map(({ task, status }) => [task, status])
  expect(new Map(statuses as [string, string][])).toEqual(
    new Map<string, string | null>([
      [tasks[0]!, 'ok'],
      [tasks[1]!, 'error'],
      [tasks[2]!, null],
    ]),
  )
  expect(runsOf(home, '--failed').map(({ task }) => task)).toEqual([tasks[1]])
})

it('a subagent that ran outside the time of its parent is shown where the parent names it, with a note', () => {
  const home = temporaryHome()
  putOpenclaw(home, `${PARENT}.jsonl`, [
    openclaw.header(PARENT),
    openclaw.user(1, 'How many ferns are there?'),
  ])
  const early = { timestamp: '2026-09-01T10:00:00.000Z' }
  putOpenclaw(home, `${CHILD}.jsonl`, [
    { ...openclaw.header(CHILD), ...early },
    { ...openclaw.user(1, `[Subagent Task]: ${TASK}`), ...early },
    { ...openclaw.reply(2, [text('Twelve ferns.')]), ...early },
  ])
  putSessionIndex(home, {
    'agent:main:main': { sessionId: PARENT },
    [CHILD_KEY]: { sessionId: CHILD, spawnedBy: 'agent:main:main' },
  })
  const output = read(home, PARENT)
  expect(output).toContain('Twelve ferns.')
  expect(output).toContain('outside the time of its parent')
  expect(runsOf(home)).toMatchObject([{ parent: { session: PARENT }, outsideParent: true, task: TASK }])
})

it('a subagent that writes into the transcript of its parent is shown where it was started, and once', () => {
  const home = fixture('subagents', 'copilot')
  const id = '0c0f11e5-0000-4000-8000-000000000005'
  expect(read(home, id).split('\n').slice(3).join('\n')).toMatchInlineSnapshot(`
    "You  10:30
      Count the pots with a helper.

    Copilot  10:30
      A helper counts.
      → task Count the blue pots

      │ subagent: counter · 9.0s
      │ Program (parent agent)  10:30
      │   COUNT: the blue pots.
      │
      │ Copilot (subagent)
      │   → bash ls pots | grep -c blue
      │
      │   There are four.
      ✗ no helper is free

    Copilot  10:30
      Four blue pots.

    "
  `)
  const { items, sessions, runs } = json(home, 'read', id, '--subagents') as Record<string, Json[]>
  expect(items!.map(({ line }) => line)).toEqual([2, 4, 4, 8, 11, 14, 17, 19])
  expect([sessions!.length, runs!.length]).toEqual([1, 1])
  expect(runsOf(home)).toMatchObject([
    {
      task: 'COUNT: the blue pots.',
      result: 'There are four.',
      toolCalls: 1,
      parent: { line: 4 },
      child: null,
    },
  ])
  expect(read(home, id, '--budget', '40')).toContain('│   There are four.')
})
