import { cpSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { opencodeDatabase, text } from '../opencode-databases.ts'
import { type Json, json, printed, run } from '../program.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'

const jsonLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** A thread of Codex, whose records have no ids, with so many prompts. */
function codexThread(id: string, prompts: number): string {
  const at = (second: number): string => `2026-11-10T09:00:${String(second).padStart(2, '0')}.000Z`
  const row = (ordinal: number, type: string, payload: object): object => ({
    timestamp: at(ordinal),
    ordinal,
    type,
    payload,
  })
  const item = (words: string): object => ({
    ...{ type: 'item_completed', thread_id: id, turn_id: 'turn' },
    item: { type: 'UserMessage', id: words, content: [{ type: 'text', text: words }] },
  })
  const content = [{ type: 'output_text', text: 'It is done.' }]
  return jsonLines([
    row(0, 'session_meta', { id, cwd: '/home/ann/garden', cli_version: '0.155.0', source: 'cli' }),
    ...Array.from({ length: prompts }, (_, index) => [
      row(2 * index + 1, 'event_msg', item(`Water fern number ${index}.`)),
      row(2 * index + 2, 'response_item', { type: 'message', role: 'assistant', content }),
    ]).flat(),
  ])
}

/** Homes with a session of three prompts, of which the first two are in a second place, too. */
const HOMES: Record<string, (home: string) => void> = {
  codex(home) {
    const id = '01a1c4af-8680-7001-8001-000000000001'
    const name = `rollout-2026-11-10T09-00-00-${id}.jsonl`
    put(join(home, '.codex/archived_sessions', name), codexThread(id, 2))
    put(join(home, '.codex/sessions/2026/11/10', name), codexThread(id, 3))
  },
  'codex, where the archived one is longer'(home) {
    const id = '01a1c4af-8680-7001-8001-000000000001'
    const name = `rollout-2026-11-10T09-00-00-${id}.jsonl`
    put(join(home, '.codex/archived_sessions', name), codexThread(id, 3))
    put(join(home, '.codex/sessions/2026/11/10', name), codexThread(id, 2))
  },
  'gemini-cli'(home) {
    const sessionId = 'aaaa1111-0000-4000-8000-000000000001'
    const header = { sessionId, projectHash: 'h', startTime: '2026-11-10T09:00:00.000Z' }
    const user = (number: number): object => ({
      ...{ id: `m${number}`, timestamp: `2026-11-10T09:00:0${number + 1}.000Z`, type: 'user' },
      content: [{ text: `Water fern number ${number}.` }],
    })
    const chats = join(home, '.gemini/tmp/garden/chats/session-2026-11-10T09-00-aaaa1111')
    put(`${chats}.json`, JSON.stringify({ ...header, messages: [user(0), user(1)] }))
    put(`${chats}.jsonl`, jsonLines([header, user(0), user(1), user(2)]))
  },
  opencode(home) {
    const session = (prompts: number) => ({
      ...{ id: 'ses_1', at: 1_000_000 },
      messages: Array.from({ length: prompts }, (_, number) => ({
        ...{ id: `msg_${number}`, at: 1_000_000 + number },
        parts: [text(`Water fern number ${number}.`)],
      })),
    })
    const data = join(home, '.local/share/opencode')
    opencodeDatabase(join(data, 'opencode.db'), [session(2)]).close()
    opencodeDatabase(join(data, 'opencode-beta.db'), [session(3)]).close()
  },
  'claude-code'(home) {
    const prompts = [0, 1, 2].map((number) => claude.user(number + 1, `Water fern number ${number}.`))
    const file = (folder: string): string => join(home, '.claude/projects', folder, `${uuid(1)}.jsonl`)
    put(file('-home-ann-garden'), jsonLines(prompts.slice(0, 2)))
    put(file('-home-ann-shed'), jsonLines(prompts))
  },
}

it('is counted alike by all commands, each of which says what it leaves out', () => {
  const home = temporaryHome()
  const first = [claude.user(1, 'Water the fern'), claude.reply(2, [text('Done.')])]
  putClaude(home, uuid(1), first)
  // A fork, a subagent with a task, and one that the client forked for itself.
  putClaude(home, uuid(2), [...first, claude.user(3, 'Now the moss', { sessionId: uuid(2) })])
  const side = { isSidechain: true, sessionId: uuid(1) }
  putClaude(home, `${uuid(1)}/subagents/agent-a1`, [
    claude.user(7, 'Look for lice', { ...side, agentId: 'a1' }),
  ])
  putClaude(home, `${uuid(1)}/subagents/agent-aside_question-00ff`, [
    claude.user(8, 'Why?', { ...side, agentId: 'aside_question-00ff' }),
  ])
  const sessions = json(home, 'sessions', '--all')
  const [project] = json(home, 'projects').projects
  const stats = json(home, 'stats')
  const runs = json(home, 'runs', '--all')
  expect({
    all: [sessions.total, project.sessions, stats.totals.sessions + stats.silent],
    people: [sessions.total - sessions.others.subagent, project.ofPeople, stats.ofPeople],
    yours: [project.messages.human, stats.totals.messages.human],
    subagents: [sessions.others.subagent, runs.total + runs.left],
  }).toEqual({ all: [4, 4, 4], people: [2, 2, 2], yours: [3, 3], subagents: [2, 2] })
  expect(run(['sessions', '--all'], home).stdout).toContain('2 sessions of people')
  expect(run(['sessions', '--all'], home).stdout).toContain('And 2 others, 4 in all: 2 subagents: --kind all')
  expect(run(['stats'], home).stdout).toMatch(/3 \(2 of people, 1 other\) on .* and 1 without new messages/)
  expect(run(['projects'], home).stdout).toContain('Their sessions: 2 of people, 2 others.')
  expect(run(['runs', '--all'], home).stdout).toContain('Without 1 subagent that was not started for a task')
})

it('counts the prompts that a fork has copied once below the list', () => {
  const home = temporaryHome()
  cpSync(join(import.meta.dirname, '../fixtures/claude-code/background-fork'), home, { recursive: true })
  const { sessions, repeated } = json(home, 'sessions', '--all') as Json
  expect(sessions.map(({ messages }: Json) => messages.human)).toEqual([2, 2])
  expect(Object.values(repeated)).toEqual([1])
  expect(printed(home, 'sessions', '--all', '--copies')).toContain(
    '2 sessions of eastore; 3 messages of yours.',
  )
  expect(printed(home, 'sessions', '--all')).toContain('2 sessions of eastore; 3 messages of yours.')
  expect(json(home, 'stats').totals.messages.human).toBe(3)
  expect(printed(home, 'sessions', '--all', '--limit', '1')).toContain('1 shown with 2 messages of yours')
})

/** A record of the queue, which the client writes before the first prompt of a session. */
const queued = (session: string, second: number) => ({
  ...{ type: 'queue-operation', operation: 'enqueue', sessionId: session },
  timestamp: `2026-11-01T10:00:${String(second).padStart(2, '0')}.000Z`,
})

/** A session that begins with such a record, and a fork of it. */
const FORKS: Record<string, [original: object[], fork: object[]]> = {
  'that begins with a record of its own': [
    [
      queued(uuid(1), 59),
      claude.user(1, 'Water the fern', { sessionId: uuid(1) }),
      claude.reply(2, [text('Done.')], { sessionId: uuid(1) }),
    ],
    [
      { ...queued(uuid(2), 0), timestamp: '2026-11-01T10:05:00.000Z' },
      claude.user(1, 'Water the fern', { sessionId: uuid(2) }),
      claude.reply(2, [text('Done.')], { sessionId: uuid(2) }),
      claude.user(6, 'Now the moss', { sessionId: uuid(2) }),
    ],
  ],
  'whose copies name the original': [
    [
      claude.user(1, 'Water the fern', { sessionId: uuid(1) }),
      claude.reply(2, [text('Done.')], { sessionId: uuid(1) }),
    ],
    [
      claude.user(1, 'Water the fern', { sessionId: uuid(1) }),
      claude.reply(2, [text('Done.')], { sessionId: uuid(1) }),
      claude.user(6, 'Now the moss', { sessionId: uuid(2) }),
    ],
  ],
}

describe.each(Object.entries(FORKS))('a fork %s', (_, [original, fork]) => {
  it.each(['the original', 'the fork'])('counts what it adds, whenever %s was written last', (last) => {
    const home = temporaryHome()
    const at = (file: string, isLast: boolean): void => utimesSync(file, 1e9, isLast ? 2e9 : 1e9)
    at(putClaude(home, uuid(1), original), last === 'the original')
    at(putClaude(home, uuid(2), fork), last === 'the fork')
    const { sessions } = json(home, 'sessions', '--all')
    expect(sessions.filter(({ copyOf }: Json) => copyOf !== undefined)).toHaveLength(1)
    const rows = json(home, 'stats', '--by', 'session').rows.map(({ key, messages }: Json) => [key, messages])
    expect(Object.fromEntries(rows)).toEqual({
      [uuid(1)]: { human: 1, agent: 1 },
      [uuid(2)]: { human: 1, agent: 0 },
    })
    const [project] = json(home, 'projects').projects
    expect(project.messages).toEqual({ human: 2, agent: 1 })
    expect(printed(home, 'sessions', '--all')).toContain('; 2 messages of yours')
    expect(json(home, 'search', 'fern who:human').hits.map(({ session }: Json) => session)).toEqual([uuid(1)])
  })
})

it('lists a fork in the row of the session that a person would resume, unless copies are asked for', () => {
  const home = temporaryHome()
  cpSync(join(import.meta.dirname, '../fixtures/claude-code/background-fork'), home, { recursive: true })
  const { sessions, copies } = json(home, 'sessions', '--all') as Json
  const [head, fork] = sessions as { id: string; copyOf?: string }[]
  expect([copies, fork!.copyOf, head!.copyOf]).toEqual([1, head!.id, undefined])
  const rows = (...flags: string[]): string[] =>
    printed(home, 'sessions', '--all', ...flags).match(/^[\da-f]{8}\b.*$/gm)!
  expect(rows()).toHaveLength(1)
  expect(rows('--copies')).toHaveLength(2)
  expect(printed(home, 'sessions', '--all')).toContain(
    'Of these, 1 fork or copy is in the row of another: --copies',
  )
})

describe.each(Object.entries(HOMES))('a session in two places, of %s', (_, fill) => {
  const filled = (): string => {
    const home = temporaryHome()
    fill(home)
    return home
  }

  it('is listed once, as a whole, and its prompts count once', () => {
    const home = filled()
    const { sessions } = json(home, 'sessions', '--all', '--kind', 'all') as { sessions: Json[] }
    expect(sessions.map(({ messages }) => messages.human)).toEqual([3])
    expect(printed(home, 'sessions', '--all')).toContain('1 session; 3 messages of yours')
    const { totals } = json(home, 'stats')
    expect([totals.messages.human, totals.sessions]).toEqual([3, 1])
    expect(printed(home, 'stats')).not.toContain('without new messages')
  })

  it('is read once, whole or by its id', () => {
    const home = filled()
    const [{ id }] = (json(home, 'sessions', '--all') as { sessions: Json[] }).sessions
    for (const wanted of [['--all'], [id]]) {
      const prompts = printed(home, 'read', ...wanted, '--format', 'jsonl')
        .split('\n')
        .flatMap((line) => (line.includes('"human"') ? [(JSON.parse(line) as Json).text] : []))
      expect(prompts).toEqual([0, 1, 2].map((number) => `Water fern number ${number}.`))
      expect(printed(home, 'read', ...wanted).match(/^━━/gm)).toHaveLength(1)
    }
  })

  it('is found once, where it is listed', () => {
    const home = filled()
    const [{ path }] = (json(home, 'sessions', '--all') as { sessions: Json[] }).sessions
    const { stdout } = run(['search', 'fern'], home)
    expect(stdout).toContain('3 matches in 1 session')
    const { hits } = json(home, 'search', 'fern') as { hits: Json[] }
    expect(new Set(hits.map((hit) => hit.path))).toEqual(new Set([path]))
    if (String(path).endsWith('.jsonl'))
      for (const { line, text: words } of hits)
        expect(readFileSync(path, 'utf8').split('\n')[line - 1]).toContain(words)
  })
})
