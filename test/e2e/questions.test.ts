import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { opened } from '../../src/io/source.ts'
import { answer, type Json, json, printed, run } from '../program.ts'
import { claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

describe('reading several sessions', () => {
  /** A session, and a fork of it that contains copies of its messages with their ids and times. */
  function forkedHome(): string {
    const home = temporaryHome()
    const shared = [
      claude.user(1, 'plant ferns in the shade'),
      claude.reply(2, [text('Planted.')]),
      claude.user(3, 'and moss'),
      claude.reply(4, [text('Moss too.')]),
    ]
    putClaude(home, uuid(1), [...shared, claude.user(5, 'now water them')])
    putClaude(home, uuid(2), [...shared, claude.user(6, 'no, pull them out again')])
    return home
  }

  it('shows a message of two sessions once, and reports the omitted copy', () => {
    expect(printed(forkedHome(), 'read', '--all').replace(/0a1b2c3d-\S+/g, '<id>')).toMatchInlineSnapshot(`
      "━━ plant ferns in the shade
         garden · Claude Code 2.1.112 · <id> · 2026-11-01 10:01 to 10:05 · 3 human, 2 agent, 0 tool calls

      You  10:01
        plant ferns in the shade

      Claude  10:02
        Planted.

      You  10:03
        and moss

      Claude  10:04
        Moss too.

      You  10:05
        now water them

      ━━ plant ferns in the shade
         garden · Claude Code 2.1.112 · <id> · 2026-11-01 10:01 to 10:06 · 3 human, 2 agent, 0 tool calls

        · note: 4 entries that are already in a session above ·

      You  10:06
        no, pull them out again

      Left out: 4 duplicate messages. See --format json for the lines.
      "
    `)
  })

  it('counts copies in JSON, and lists every session', () => {
    const { sessions, omitted, items } = json(forkedHome(), 'read', '--all')
    expect([sessions.length, omitted.repeated]).toEqual([2, 4])
    expect(items.filter(({ text }: Json) => text === 'and moss')).toHaveLength(1)
  })

  it('shows all of a fork that is read alone', () => {
    const { stdout } = run(['read', uuid(2)], forkedHome())
    expect(stdout).toContain('plant ferns in the shade')
    expect(stdout).not.toContain('Left out')
  })

  it('treats equal text sent twice as two messages', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'go on')])
    putClaude(home, uuid(2), [claude.user(2, 'go on')])
    expect(run(['read', '--all'], home).stdout.match(/^ {2}go on$/gm)?.length).toBe(2)
  })

  it('uses the order of time, whatever the files are named', () => {
    const home = temporaryHome()
    putClaude(home, uuid(9), [claude.user(1, 'first')])
    putOpenclaw(home, 'moss.jsonl', [openclaw.user(5, 'second')])
    putClaude(home, uuid(2), [claude.user(9, 'third')])
    const prompts = run(['read', '--all'], home).stdout.match(/^ {2}(?:first|second|third)$/gm)
    expect(prompts).toEqual(['  first', '  second', '  third'])
  })

  it('omits subagents unless they are named, and reports that', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'count the ferns')])
    putClaude(home, 'agent-a0011223344556677', [
      claude.user(2, 'Count them all.', {
        ...{ isSidechain: true, agentId: 'a0011223344556677', sessionId: uuid(1) },
      }),
    ])
    const whole = run(['read', '--all'], home)
    expect(whole.stdout).not.toContain('Count them all.')
    expect(whole.stderr).toContain('1 subagent transcript skipped; --kind all reads them too')
    expect(run(['read', '--all', '--kind', 'all'], home).stdout).toContain('Count them all.')
  })

  it('reads a subagent with its project if what started it is nowhere', () => {
    const home = temporaryHome()
    putClaude(home, 'agent-a0011223344556677', [
      claude.user(2, 'Count them all.', { isSidechain: true, agentId: 'a0011223344556677' }),
    ])
    for (const target of ['--all', 'garden'])
      expect(run(['read', target], home)).toMatchObject({
        stdout: expect.stringContaining('Count them all.'),
        stderr: '',
      })
  })
})

describe('the opened files', () => {
  afterEach(() => {
    opened.listener = undefined
  })

  /** Twenty sessions, one per day. The files have matching times. */
  function twentyDays(): string {
    const home = temporaryHome()
    for (let day = 1; day <= 20; day++) {
      const at = `2026-10-${String(day).padStart(2, '0')}T12:00:00.000Z`
      const path = putClaude(home, uuid(day), [claude.user(day, `day ${day}`, { timestamp: at })])
      utimesSync(path, new Date(at), new Date(at))
    }
    return home
  }

  async function opens(name: string, given: Record<string, unknown>, home: string, redact = true) {
    const seen: string[] = []
    opened.listener = (path) => seen.push(path)
    const store = join(home, 'store.sqlite')
    const { text: shown } = await answer(name, given, { home, variables: {} }, { store, redact })
    return { seen, shown }
  }

  it('are none if nothing has changed since the last answer', async () => {
    const home = twentyDays()
    await opens('sessions', { all: true }, home)
    expect((await opens('sessions', { all: true }, home)).seen).toEqual([])
  })

  it('with --no-redact are only those of the sessions that are shown', async () => {
    const home = twentyDays()
    await opens('sessions', { all: true }, home)
    const { seen, shown } = await opens('sessions', { all: true, since: '2026-10-18' }, home, false)
    expect(seen.map((path) => path.slice(-8, -6)).sort()).toEqual(['18', '19', '20'])
    expect(shown).toContain('3 sessions')
  })

  it('for an index are all files once, even the smallest', async () => {
    const { seen } = await opens('sessions', { all: true }, twentyDays())
    expect(seen.length).toBe(20)
    expect(new Set(seen).size).toBe(20)
  })

  it('with --no-redact are one file for one session, however many are next to it', async () => {
    const home = twentyDays()
    await opens('sessions', { all: true }, home)
    const { seen } = await opens('read', { target: [uuid(7)] }, home, false)
    expect(new Set(seen)).toEqual(
      new Set([join(home, '.claude/projects/-home-ann-garden', `${uuid(7)}.jsonl`)]),
    )
  })
})

describe('the filters', () => {
  it.each([[], ['--full'], ['--budget', '9k']])(
    'omit sessions without activity in the range: %j',
    (...more) => {
      const { stdout } = run(
        ['read', '--all', '--demo', '--since', '2026-11-15', ...more.flat()],
        temporaryHome(),
      )
      expect(stdout.match(/^━━ .*/gm)).toEqual([
        '━━ Cron: Stock check',
        '━━ What we learned from September to November',
      ])
    },
  )

  const shown = (home: string, flags: string) => json(home, 'sessions', '--all', ...flags.split(' '))
  const months = () => {
    const home = temporaryHome()
    for (const [number, day] of ['2026-08-31', '2026-09-01', '2026-09-30', '2026-10-01'].entries())
      putClaude(home, uuid(number), [claude.user(number, day, { timestamp: `${day}T12:00:00.000Z` })])
    return home
  }

  it('include sessions that were active in the range, both ends included', () => {
    const home = months()
    const prompts = (flags: string) => shown(home, flags).sessions.map(({ firstHuman }: Json) => firstHuman)
    expect(prompts('--since 2026-09 --until 2026-09')).toEqual(['2026-09-30', '2026-09-01'])
    expect(prompts('--until 2026-08-31')).toEqual(['2026-08-31'])
    expect(prompts('--since 2026-10-02')).toEqual([])
  })

  it('limit the rows and report the total', () => {
    const home = months()
    const { sessions, total } = shown(home, '--limit 2')
    expect([sessions.length, total]).toEqual([2, 4])
    expect(shown(home, '--limit 0').sessions.length).toBe(4)
    expect(run(['sessions', '--all', '--limit', '2'], home).stdout).toContain('4 sessions, 2 shown')
  })
})

function threeSessions(): string {
  const home = temporaryHome()
  for (const number of [1, 2, 3]) putClaude(home, uuid(number), [claude.user(number * 10, `fern ${number}`)])
  return home
}

const ferns = (home: string, ...args: string[]): string[] => {
  return [...new Set(printed(home, ...args).match(/fern \d/g))].sort()
}

it('read --limit prints the newest sessions, and all of them with 0', () => {
  const home = threeSessions()
  const read = (...args: string[]) => ferns(home, 'read', '--all', ...args)
  expect(read()).toEqual(['fern 1', 'fern 2', 'fern 3'])
  expect(read('--limit', '1')).toEqual(['fern 3'])
  expect(read('--limit', '2')).toEqual(['fern 2', 'fern 3'])
  expect(read('--limit', '0')).toEqual(['fern 1', 'fern 2', 'fern 3'])
  expect(read('--limit', '9')).toEqual(['fern 1', 'fern 2', 'fern 3'])
})

it('search --until finds messages up to that time, or of that whole day', () => {
  const home = threeSessions()
  const search = (until: string) => ferns(home, 'search', 'fern', '--until', until)
  expect(search('2026-11-01T10:20')).toEqual(['fern 1', 'fern 2'])
  expect(search('2026-11-01T10:19')).toEqual(['fern 1'])
  expect(search('2026-11-01')).toEqual(['fern 1', 'fern 2', 'fern 3'])
  expect(search('2026-11')).toEqual(['fern 1', 'fern 2', 'fern 3'])
  expect(run(['search', 'fern', '--until', '2026-10-31'], home).stdout).not.toContain('fern 1')
})

/** Two sessions, one of which changed its Git branch, and one without a repository. */
function homeWithBranches(): string {
  const home = temporaryHome()
  const on = (gitBranch: string) => ({ gitBranch })
  putClaude(home, uuid(1), [
    claude.user(1, 'Water the moss', on('main')),
    claude.reply(2, [text('Done.')], on('main')),
    claude.user(3, 'Cut the moss', on('feature/Fern-walk')),
  ])
  putClaude(home, uuid(2), [claude.user(4, 'Feed the moss', on('main'))])
  putClaude(home, uuid(3), [claude.user(5, 'Sell the moss', on('HEAD'))])
  return home
}

describe('the Git branch and the version of the client', () => {
  const ask = (...args: string[]) => json(homeWithBranches(), ...args)

  it('are in sessions --json', () => {
    const rows: Json[] = ask('sessions', '--all').sessions
    expect(
      rows.map(({ id, version, gitBranch, gitBranches }) => ({ id, version, gitBranch, gitBranches })),
    ).toEqual([
      { id: uuid(3), version: '2.1.112' },
      { id: uuid(2), version: '2.1.112', gitBranch: 'main', gitBranches: ['main'] },
      {
        ...{ id: uuid(1), version: '2.1.112', gitBranch: 'feature/Fern-walk' },
        gitBranches: ['main', 'feature/Fern-walk'],
      },
    ])
  })

  it.each([
    ['fern', [uuid(1)]],
    ['main', [uuid(2), uuid(1)]],
    ['HEAD', []],
  ])('select sessions: --branch %s', (branch, ids) => {
    const rows: Json[] = ask('sessions', '--all', '--branch', branch).sessions
    expect(rows.map(({ id }) => id)).toEqual(ids)
  })

  it.each([
    ['moss branch:fern', 2],
    ['moss branch:main', 3],
    ['moss -branch:main', 1],
    ['moss branch:none', 0],
  ])('limit a search: %s', (query, total) => {
    expect(ask('search', query).total).toBe(total)
  })
})
