import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startFollowing } from '../follow/following.ts'
import { type Json, json, run } from '../program.ts'
import { append, claude, put, putClaude, sharedHome, temporaryHome, text, uuid } from '../records.ts'

const HOUR = 3_600_000
const DAY_ONE = Date.UTC(2026, 10, 1, 10)

interface Made {
  hours: number
  output: number
  day: number
  model?: string
  words?: string
}

function session(home: string, number: number, { hours, output, day, model, words }: Made): void {
  const at = (more: number) => ({
    ...{ cwd: '/srv/shop', sessionId: uuid(number) },
    timestamp: new Date(DAY_ONE + day * 24 * HOUR + more).toISOString(),
  })
  const line = claude.reply(number * 10 + 1, [text('Done.')], at(hours * HOUR))
  const message = {
    ...{ ...line.message, usage: { input_tokens: 1, output_tokens: output } },
    ...(model && { model }),
  }
  putClaude(home, uuid(number), [
    claude.user(number * 10, words ?? `Task ${number}`, at(0)),
    { ...line, message },
  ])
}

/** Each is first by another measure, and the newest is empty. */
const where = sharedHome()
function fill(home: string): void {
  session(home, 1, { hours: 1, output: 9000, day: 3, model: 'claude-haiku-4-5' })
  session(home, 2, { hours: 1, output: 5000, day: 1, model: 'claude-opus-4-6' })
  session(home, 3, { hours: 9, output: 10, day: 2 })
  session(home, 4, { hours: 1, output: 20, day: 0, words: 'A long task. '.repeat(500) })
  const empty = putClaude(home, uuid(5), [{ type: 'mode', mode: 'normal', sessionId: uuid(5) }])
  utimesSync(empty, new Date(), new Date())
}
fill(where)

const list = (where: string, ...args: string[]): Json => json(where, 'sessions', '--all', ...args)
const ids = ({ sessions }: Json): number[] =>
  sessions.map(({ id }: Json) => [1, 2, 3, 4, 5].find((number) => uuid(number) === id)!)

describe('the order of sessions', () => {
  it.each([
    ['last', [1, 3, 2, 4, 5]],
    ['cost', [2, 1, 4, 3, 5]],
    ['tokens', [1, 2, 4, 3, 5]],
    ['size', [4, 1, 2, 3, 5]],
    ['duration', [3, 1, 2, 4, 5]],
  ])('by %s starts with the largest, and ends with the empty', (sort, order) => {
    const listed = list(where, '--sort', sort)
    const size = ids(listed)
    // The sizes of all but one are about the same.
    if (sort === 'size') expect([size[0], size.at(-1)]).toEqual([order[0], order.at(-1)])
    else expect(size).toEqual(order)
    expect(ids(list(where, '--sort', sort, '--limit', '1'))).toEqual([order[0]])
  })

  it('shows the value that it sorts by', () => {
    expect(list(where, '--sort', 'cost').sessions.map(({ cost }: Json) => cost)).toEqual([
      expect.closeTo(0.125, 3),
      expect.closeTo(0.045, 3),
      expect.any(Number),
      expect.any(Number),
      null,
    ])
    expect(run(['sessions', '--all', '--sort', 'duration'], where).stdout).toContain('9h 0m')
    expect(run(['sessions', '--all', '--sort', 'tokens'], where).stdout).toContain('9.0k')
    expect(run(['sessions', '--all', '--sort', 'mood'], where)).toMatchObject({ code: 2 })
  })

  it('can be limited to a model or a title', () => {
    expect(ids(list(where, '--model', 'OPUS'))).toEqual([2])
    expect(ids(list(where, '--title', 'task 3'))).toEqual([3])
    expect(run(['read', '--all', '--title', 'task 3'], where).stdout).not.toContain('Task 2')
  })
})

it('a session without a time is listed with the time of its file, marked, and has no time elsewhere', () => {
  const listed = list(where)
  expect(listed.sessions.at(-1).lastActivityAt).toBeNull()
  const shown = run(['sessions', '--all'], where).stdout
  expect(shown).toMatch(new RegExp(`^${uuid(5)}\\t~2`, 'm'))
  expect(shown).toContain('~ marks the time of the file')
  const { projects } = json(where, 'projects')
  expect(projects.map(({ lastActivityAt }: Json) => lastActivityAt?.slice(0, 10))).toContain('2026-11-04')
  expect(JSON.stringify(projects)).not.toContain(new Date().toISOString().slice(0, 10))
})

it('the number of sessions is the same in every command, or the difference is explained', () => {
  expect(list(where)).toMatchObject({ total: 5, empty: 1 })
  expect(run(['sessions', '--all'], where).stdout).toContain('5 sessions, 1 of them empty')
  const stats = run(['stats'], where).stdout
  expect(stats).toMatch(/sessions +4 on 4 days, and 1 without new messages/)
  expect(run(['overview'], where).stdout).toContain('5 sessions')
})

it('the numbers of people and of others add up in listings and sums, and say what they leave out', () => {
  const home = temporaryHome()
  const folder = join(home, '.claude/projects/-home-ann-garden')
  put(join(folder, `${uuid(1)}.jsonl`), [claude.user(1, 'Water the ferns')])
  put(join(folder, `${uuid(2)}.jsonl`), '')
  put(join(folder, 'agent-0a1b2c3d.jsonl'), '')
  const side = { isSidechain: true, agentId: '0a1b2c3e' }
  const reply = { ...claude.block(4, 'one', text('Two.')), ...side }
  put(join(folder, 'agent-0a1b2c3e.jsonl'), [claude.user(3, 'Count', side), reply])
  const all = run(['sessions', '--all'], home).stdout
  expect(all).toContain('2 sessions of people (1 of unknown kind)')
  expect(all).toContain(', 1 of them empty;')
  expect(all).toContain('And 2 others, 4 in all: 2 subagents')
  expect(list(home)).toMatchObject({ empty: 2, emptyOthers: 1, unknownKind: 1 })
  expect(run(['sessions', '--all', '--kind', 'human'], home).stdout).toContain('1 session;')
  expect(run(['sessions', '--all', '--kind', 'all'], home).stdout).toContain(
    '4 sessions of garden, 2 of them empty;',
  )
  expect(run(['stats'], home).stdout).toMatch(
    /sessions +2 \(1 of people, 1 other\) on 1 day, and 2 without new messages \(1 of people, 1 other\)/,
  )
})

/** No system assigns such a high process id. */
const NOBODY = 2 ** 31 - 2

function homeWithClients(): { home: string; path: string } {
  const home = temporaryHome()
  const path = putClaude(home, uuid(1), [claude.user(1, 'Water the moss')])
  putClaude(home, uuid(2), [claude.user(2, 'Cut the moss')])
  putClaude(home, uuid(3), [claude.user(3, 'Sell the moss')])
  const client = (name: string | number, held: object | string) =>
    put(
      join(home, '.claude/sessions', `${name}.json`),
      typeof held === 'string' ? held : JSON.stringify({ cwd: '/home/ann/garden', startedAt: 1, ...held }),
    )
  client(process.pid, { pid: process.pid, sessionId: uuid(1) })
  client(NOBODY, { pid: NOBODY, sessionId: uuid(2) })
  client(process.ppid, 'no JSON')
  client('notes', { pid: process.pid, sessionId: uuid(3) })
  put(join(home, '.claude/sessions', `${process.pid}.0a1b.key`), 'never read')
  return { home, path }
}

describe('a session that a running client has open', () => {
  it('is marked in sessions, as text and JSON, and no other is', () => {
    const { home } = homeWithClients()
    const rows: object[] = json(home, 'sessions', '--all').sessions
    expect(rows.flatMap((row) => ('open' in row ? [row] : []))).toMatchObject([{ id: uuid(1), open: true }])
    const { stdout } = run(['sessions', '--all'], home)
    expect(stdout).toMatch(/NOW/)
    expect(stdout.match(/\topen\t/g)).toHaveLength(1)
  })

  it('is in the overview', () => {
    const { home } = homeWithClients()
    expect(run([], home).stdout).toContain(`Open now     ${uuid(1)} garden: Water the moss\n`)
    expect(json(home).open).toEqual([{ id: uuid(1), title: 'Water the moss', project: 'garden' }])
  })

  it('is marked as open by follow', async () => {
    const { home, path } = homeWithClients()
    const screen = await startFollowing(home, [])
    append(path, claude.user(4, 'And the fern'))
    await screen.until(() => screen.stdout().includes('And the fern'))
    expect(screen.stdout()).toContain(`━━ garden · Claude Code · ${uuid(1)} · open · Water the moss\n`)
    await screen.stop()
  })
})
