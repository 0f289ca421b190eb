import { describe, expect, it } from 'vitest'
import { type Json, json } from '../program.ts'
import { claude, putClaude, temporaryHome, text, uuid } from '../records.ts'

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
