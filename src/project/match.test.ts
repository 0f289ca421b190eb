import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openclawSession, ranIn, session } from '../../test/sessions.ts'
import type { Session } from '../model/session.ts'
import { groupByProject } from './group.ts'
import { clearWinner, matchProjects, pathScore, projectAt } from './match.ts'

const same = (text: string): string => text

const match = (sessions: readonly Session[], query: string, clean = same) =>
  matchProjects(groupByProject(sessions), query, clean)

/** What a name may mean, a line each with its evidence. */
const told = (sessions: readonly Session[], query: string) =>
  match(sessions, query).map(
    ({ project, evidence }) =>
      `${project.name}: ${evidence.map(({ kind, value, score }) => `${kind} ${value} [${score}]`).join(', ')}`,
  )

describe('how well a name fits a path', () => {
  it('falls from the whole path to a slip of one letter', () => {
    const path = '/Users/x/dev/eastore/frontend'
    const names = [
      path,
      'frontend',
      'eastore',
      'front',
      'tend',
      'east',
      'tore',
      'fronted',
      'estore',
      'eastore/frontend',
      'backend',
      '',
    ]
    expect(names.map((name) => `${name} ${pathScore(path, name)}`)).toMatchInlineSnapshot(`
      [
        "/Users/x/dev/eastore/frontend 100",
        "frontend 98",
        "eastore 86",
        "front 80",
        "tend 72",
        "east 66",
        "tore 60",
        "fronted 52",
        "estore 44",
        "eastore/frontend 97",
        "backend 0",
        " 0",
      ]
    `)
  })

  it('is high for folders that follow each other, as a listing names projects of the same name', () => {
    expect(pathScore('/home/ann/eastore/api', 'eastore/api')).toBe(97)
    expect(pathScore('/home/ann/Ea-Store/api/', 'eastore/API')).toBe(97)
    expect(pathScore('/home/ann/eastore/api', 'ann/eastore')).toBe(85)
    expect(pathScore('/home/ann/eastore/api-old', 'eastore/api')).toBe(50)
    expect(pathScore('/home/ann/api/eastore', 'eastore/api')).toBe(0)
    const projects = groupByProject([
      ranIn('/home/ann/a/api'),
      ranIn('/home/ann/b/api'),
      ranIn('/home/ann/b/api-old'),
    ])
    for (const { name, path } of projects)
      expect(clearWinner(matchProjects(projects, name, same))?.project.path, name).toBe(path)
  })

  it('ignores case and punctuation', () => {
    for (const name of ['EA-Store v2', 'eastore_V2', 'ea.store.v2', 'eaStoreV2'])
      expect(pathScore('/home/ann/ea-store_v2', name)).toBe(98)
  })

  it('forgives one letter changed, missing, too much, or two swapped, in names of four letters and more', () => {
    for (const name of ['gardem', 'garen', 'gardden', 'gadren'])
      expect(pathScore('/home/ann/garden', name), name).toBe(52)
    for (const name of ['gradne', 'gxrdxn', 'gar-dxxen'])
      expect(pathScore('/home/ann/garden', name), name).toBe(0)
    expect(pathScore('/home/ann/api', 'apx')).toBe(0)
  })

  it('is between 0 and 100 for anything, and 100 for the path itself', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (path, query) => {
        const score = pathScore(path, query)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(100)
      }),
    )
  })
})

describe('what a name may mean', () => {
  it('is a folder that only a slug tells of', () => {
    const sessions = [
      session({ slug: '-Users-x-dev-eastore-Eastore-frontend-v1' }),
      ranIn('/Users/x/dev/shed'),
    ]
    expect(told(sessions, 'eastore')).toMatchInlineSnapshot(`
      [
        "-Users-x-dev-eastore-Eastore-frontend-v1: slug -Users-x-dev-eastore-Eastore-frontend-v1 [72]",
      ]
    `)
  })

  it('is told with what speaks for it, best first', () => {
    const sessions = [
      ranIn('/home/ann/eastore/api'),
      ranIn('/home/ann/eastore'),
      ranIn('/home/ann/eastore-old'),
      ranIn('/home/ann/restore'),
      openclawSession({ touched: [['/home/ann/dev/eastore2/x.ts', 1]] }),
      openclawSession({ agent: 'ops', firstHuman: 'Please look at the orders of\nEastore today' }),
      ranIn('/home/ann/shed'),
    ]
    expect(told(sessions, 'eastore')).toMatchInlineSnapshot(`
      [
        "eastore: path /home/ann/eastore [98], slug -home-ann-eastore [70]",
        "api: path /home/ann/eastore/api [86], slug -home-ann-eastore-api [62]",
        "eastore-old: path /home/ann/eastore-old [80], slug -home-ann-eastore-old [62]",
        "eastore2: touched /home/ann/dev/eastore2 [72]",
        "(openclaw ops): message Please look at the orders of Eastore today [30]",
      ]
    `)
  })

  it('is nothing for a name without letters or digits', () => {
    for (const query of ['', ' ', '---', '/', '…'])
      expect(match([ranIn('/home/ann/garden')], query)).toEqual([])
  })

  it('is, by words alone, only the sessions where those words stand', () => {
    const [found] = match(
      [
        openclawSession({ id: 'one', firstHuman: 'water the ferns' }),
        openclawSession({ id: 'two', firstHuman: 'mow the lawn' }),
      ],
      'ferns',
    )
    expect(found?.sessions.map(({ id }) => id)).toEqual(['one'])
    expect(found?.score).toBe(30)
  })

  it('quotes words only after they were cleaned', () => {
    const sessions = [openclawSession({ firstHuman: 'ferns, and the key is hunter2' })]
    const [found] = match(sessions, 'ferns', (text) => text.replace('hunter2', '***'))
    expect(found?.evidence.map(({ value }) => value)).toEqual(['ferns, and the key is ***'])
  })

  it('never throws, and gives scores in order, whatever is asked', () => {
    const sessions = [
      ranIn('/home/ann/garden'),
      session({ slug: '-a-b' }),
      openclawSession({ title: 'ferns' }),
    ]
    fc.assert(
      fc.property(fc.string(), (query) => {
        const scores = match(sessions, query).map(({ score }) => score)
        expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      }),
    )
  })
})

describe('the one that is clearly meant', () => {
  it('is the whole name among longer ones', () => {
    const found = match(
      [ranIn('/home/ann/garden'), ranIn('/home/ann/garden-shed'), ranIn('/home/ann/x/garden-2')],
      'garden',
    )
    expect(clearWinner(found)?.project.path).toBe('/home/ann/garden')
  })

  it('is nobody among equals, and nobody among none', () => {
    expect(
      clearWinner(match([ranIn('/home/ann/a/garden'), ranIn('/home/ann/b/garden')], 'garden')),
    ).toBeUndefined()
    expect(clearWinner(match([ranIn('/home/ann/shed')], 'garden'))).toBeUndefined()
  })

  it('is the only one, however weak', () => {
    expect(clearWinner(match([ranIn('/home/ann/garden')], 'gadren'))?.project.name).toBe('garden')
  })
})

describe('the project at a directory', () => {
  const projects = groupByProject([
    ranIn('/home/ann/garden'),
    ranIn('/home/ann/garden/pond'),
    session({ slug: '-home-ann-my-shed' }),
    session({ cwds: [['/home/ann/repo/.claude/worktrees/fern', 1]] }),
  ])

  it.each([
    ['/home/ann/garden', '/home/ann/garden'],
    ['/home/ann/garden/beds/roses', '/home/ann/garden'],
    ['/home/ann/garden/pond/fish', '/home/ann/garden/pond'],
    ['/home/ann/my shed', '-home-ann-my-shed'],
    ['/home/ann/repo/.claude/worktrees/fern', '/home/ann/repo'],
    ['/home/ann/gardening', undefined],
    ['/home/ann', undefined],
  ])('%s is %s', (directory, path) => expect(projectAt(projects, directory)?.path).toBe(path))
})
