import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { platformIds } from '../../src/platforms/identities.ts'
import { deleteSession } from '../contract/delete-session.ts'
import { type Json, json, run } from '../program.ts'
import { temporaryHome } from '../records.ts'

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
