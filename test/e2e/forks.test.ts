import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { platformIds } from '../../src/platforms/identities.ts'
import { deleteSession } from '../contract/delete-session.ts'
import { type Json, json, run } from '../program.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
const PLATFORMS = join(import.meta.dirname, '../../src/platforms')
/** Without those that another test adds to this process. */
const FORKED = platformIds().filter(
  (id) => existsSync(join(FIXTURES, id, 'forked')) && existsSync(join(PLATFORMS, id)),
)

describe.each(FORKED)('a session and its forks, of %s', (platform) => {
  const putInto = (home: string): string => {
    cpSync(join(FIXTURES, platform, 'forked'), home, { recursive: true, preserveTimestamps: true })
    return home
  }
  const homeOf = (): string => putInto(temporaryHome())

  it('are counted alike by every command that sums up', () => {
    const home = homeOf()
    const { totals } = json(home, 'stats', '--all')
    const { projects } = json(home, 'projects')
    const sum = (who: 'human' | 'agent'): number =>
      projects.reduce(
        (all: number, { messages }: { messages: typeof totals.messages }) => all + messages[who],
        0,
      )
    expect({ human: sum('human'), agent: sum('agent') }).toEqual(totals.messages)
    const list = run(['sessions', '--all'], home).stdout
    expect(list).toContain(`${totals.messages.human} messages of yours`)
    expect(list).toMatch(/forks? (?:or|and) cop(?:y is|ies are) in the row of another/)
  })

  it('have rows of their own in statistics by session', () => {
    const home = homeOf()
    const { rows } = json(home, 'stats', '--all', '--by', 'session')
    const { sessions } = json(home, 'sessions', '--all', '--copies')
    expect(rows.map(({ key }: { key: string }) => key).sort()).toEqual(
      sessions.map(({ id }: { id: string }) => id).sort(),
    )
  })

  it('say what they share once, however they are read', () => {
    const home = homeOf()
    const said = (...flags: string[]): string[] =>
      json(home, 'read', '--all', '--kind', 'all', ...flags)
        .items.filter(({ who, text, label }: Json) => /human|agent/.test(who) && text && label !== 'thinking')
        .map(({ who, text }: Json) => `${who}: ${text}`)
        .sort()
    const once = said()
    expect(once.length).toBeGreaterThan(1)
    for (const flags of [
      ['--full'],
      ['--budget', '100k'],
      ['--subagents'],
      ['--subagents', '--full'],
      ['--subagents', '--budget', '100k'],
    ])
      expect({ flags, said: said(...flags) }).toEqual({ flags, said: once })
  })

  it('are stored as they are in their files, whichever was there first', () => {
    const home = homeOf()
    const { sessions } = json(home, 'sessions', '--all', '--copies')
    const original = sessions.toSorted((one: Json, other: Json) =>
      one.startedAt < other.startedAt ? -1 : 1,
    )[0]
    deleteSession(original)
    for (const file of ['store.sqlite', 'store.sqlite-wal'])
      rmSync(join(home, '.local/share/scrollback', file), { force: true })
    run(['index'], home)
    putInto(home)
    run(['index'], home)
    const { code, stdout } = run(['doctor', '--deep'], home)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Nothing is missing') })
  })
})

describe('a fork with copies of the subagents of its original', () => {
  const [ORIGINAL, FORK, AGENT] = [uuid(1), uuid(2), 'abcdef0123456789a']
  function copiedHome(): string {
    const home = temporaryHome()
    const asked = { id: 'toolu_1', name: 'Agent', input: { description: 'pots', prompt: 'Count the pots' } }
    const records = [
      claude.user(1, 'Look into it'),
      claude.reply(2, [{ type: 'tool_use', ...asked }]),
      {
        ...claude.result(4, 'toolu_1', '12 pots'),
        toolUseResult: { status: 'completed', agentId: AGENT },
      },
      claude.reply(5, [text('There are 12.')]),
    ]
    const inside = { isSidechain: true, agentId: AGENT }
    const subagent = [claude.user(11, 'Count the pots', inside), claude.reply(12, [text('12 pots')], inside)]
    const put = (sessionId: string, own: object[]): void => {
      putClaude(home, sessionId, own)
      putClaude(
        home,
        `${sessionId}/subagents/agent-${AGENT}`,
        subagent.map((each) => ({ ...each, sessionId })),
      )
    }
    put(
      ORIGINAL,
      records.map((each) => ({ ...each, sessionId: ORIGINAL })),
    )
    put(FORK, [
      ...records.map((each) => ({
        ...each,
        sessionId: FORK,
        forkedFrom: { sessionId: ORIGINAL, messageUuid: each.uuid },
      })),
      claude.user(30, 'And the cups?', { sessionId: FORK }),
      claude.reply(31, [text('Seven.')], { sessionId: FORK }),
    ])
    return home
  }

  it('has no subagents of its own where its original is listed, too', () => {
    const home = copiedHome()
    const parents = (...args: string[]) =>
      json(home, 'runs', ...args).runs.map(({ parent }: Json) => parent.session)
    expect(parents('--all')).toEqual([ORIGINAL])
    expect(parents(FORK)).toEqual([FORK])
    const { sessions } = json(home, 'sessions', '--all', '--kind', 'subagent')
    expect(sessions.map(({ copyOf }: Json) => copyOf).sort()).toEqual([`agent-${AGENT}`, undefined])
    expect(run(['sessions', '--all', '--kind', 'subagent'], home).stdout).toContain(
      'Of these, 1 fork or copy is in the row of another',
    )
  })

  it('shows them when it is read alone', () => {
    const home = copiedHome()
    const count = (...args: string[]): number =>
      run(['read', ...args, '--subagents'], home).stdout.split('Claude (subagent)').length - 1
    expect([count('--all'), count(ORIGINAL), count(FORK)]).toEqual([1, 1, 1])
  })
})

describe('the title of a session whose first prompt is a word', () => {
  it.each([
    ['of a fork', 2],
    ['of a session', 0],
  ])('%s is what its first prompts ask for, and does not change with the next ones', (_, copied) => {
    const home = temporaryHome()
    const old = [claude.user(1, 'hello'), claude.reply(2, [text('It is wet.')])]
    if (copied > 0) putClaude(home, uuid(1), old)
    const own = Array.from({ length: 8 }, (_, index) =>
      claude.user(10 + index, `Own prompt ${index} of mine`),
    )
    for (const count of [1, 2, 5, 8]) {
      putClaude(home, uuid(2), [...old, ...own.slice(0, count)])
      const titles = json(home, 'sessions', '--all', '--copies').sessions.map(({ title }: Json) => title)
      expect(titles.slice(0, 1)).toEqual(['Own prompt 0 of mine'])
    }
  })
})

it('a list with a fork in another project does not say that all of it is of the project of the fork', () => {
  const home = temporaryHome()
  const old = [claude.user(1, 'Water the moss'), claude.reply(2, [text('It is wet.')])]
  putClaude(home, uuid(1), old)
  putClaude(home, uuid(2), [...old, claude.user(10, 'And the fern', { cwd: '/srv/fern' })], '-srv-fern')
  const { stdout } = run(['sessions', '--all'], home)
  expect(stdout).toContain('\n2 sessions; 2 messages of yours.')
  expect(stdout).toContain('1 fork or copy is in the row of another')
})
