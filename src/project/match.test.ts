import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openclawSession, ranIn, session } from '../../test/sessions.ts'
import type { Session } from '../model/session.ts'
import { groupByProject } from './group.ts'
import { matchProjects, mentionsOf, namedExactly, projectAt } from './match.ts'
import { pathScore } from './words.ts'

const match = (sessions: readonly Session[], query: string) => matchProjects(groupByProject(sessions), query)

/** The candidates for a name, one line each, with their evidence. */
const candidates = (sessions: readonly Session[], query: string) =>
  match(sessions, query).map(
    ({ name, evidence }) =>
      `${name}: ${evidence.map(({ kind, value, score }) => `${kind} ${value} [${score}]`).join(', ')}`,
  )

describe('the score of a name for a path', () => {
  it('decreases from the whole path to a typo of one letter', () => {
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
    expect(names.map((name) => `${name} ${pathScore(path, name, true)}`)).toEqual([
      '/Users/x/dev/eastore/frontend 100',
      'frontend 98',
      'eastore 86',
      'front 80',
      'tend 72',
      'east 66',
      'tore 60',
      'fronted 52',
      'estore 44',
      'eastore/frontend 97',
      'backend 0',
      ' 0',
    ])
  })

  it('is high for consecutive folders, as in a listing of projects with the same name', () => {
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
      expect(namedExactly(matchProjects(projects, name))?.project?.path, name).toBe(path)
  })

  it('ignores case and punctuation', () => {
    for (const name of ['EA-Store v2', 'eastore_V2', 'ea.store.v2', 'eaStoreV2'])
      expect(pathScore('/home/ann/ea-store_v2', name)).toBe(98)
  })

  it('allows one letter changed, missing, added or two swapped, in names of four letters and more', () => {
    for (const name of ['gardem', 'garen', 'gardden', 'gadren'])
      expect(pathScore('/home/ann/garden', name, true), name).toBe(52)
    for (const name of ['gradne', 'gxrdxn', 'gar-dxxen'])
      expect(pathScore('/home/ann/garden', name, true), name).toBe(0)
    expect(pathScore('/home/ann/api', 'apx', true)).toBe(0)
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

describe('the projects that a name matches', () => {
  it('include a folder that is only known by its slug', () => {
    const sessions = [
      session({ slug: '-Users-x-dev-eastore-Eastore-frontend-v1' }),
      ranIn('/Users/x/dev/shed'),
    ]
    expect(candidates(sessions, 'eastore')).toEqual([
      '-Users-x-dev-eastore-Eastore-frontend-v1: slug -Users-x-dev-eastore-Eastore-frontend-v1 [72]',
    ])
  })

  it('are listed with their evidence, best first', () => {
    const sessions = [
      ranIn('/home/ann/eastore/api'),
      ranIn('/home/ann/eastore'),
      ranIn('/home/ann/eastore-old'),
      ranIn('/home/ann/restore'),
      openclawSession({ touched: [['/home/ann/dev/eastore2/x.ts', 1]] }),
      openclawSession({ agent: 'ops', firstHuman: 'Please look at the orders of\nEastore today' }),
      ranIn('/home/ann/shed'),
    ]
    expect(candidates(sessions, 'eastore')).toEqual([
      'eastore: path /home/ann/eastore [98], slug -home-ann-eastore [70]',
      'api: path /home/ann/eastore/api [86], slug -home-ann-eastore-api [62]',
      'eastore-old: path /home/ann/eastore-old [80], slug -home-ann-eastore-old [62]',
      'eastore2: touched /home/ann/dev/eastore2 [72]',
    ])
  })

  it('are none for a name without letters or digits', () => {
    for (const query of ['', ' ', '---', '/', '…'])
      expect(match([ranIn('/home/ann/garden')], query)).toEqual([])
  })

  it('do not include one that is only mentioned in messages', () => {
    expect(match([openclawSession({ firstHuman: 'water the ferns', title: 'ferns' })], 'ferns')).toEqual([])
  })

  it('do not include longer names for a single letter or digit', () => {
    const sessions = [ranIn('/home/ann/dev/project5'), ranIn('/home/ann/dev/x')]
    expect(candidates(sessions, '5')).toEqual([])
    expect(candidates(sessions, 'x')).toEqual(['x: path /home/ann/dev/x [98], slug -home-ann-dev-x [70]'])
  })

  it('include names with a typo only if no other matches', () => {
    const sessions = [ranIn('/home/ann/garden'), ranIn('/home/ann/warden')]
    expect(match(sessions, 'garden').map(({ name, slip }) => [name, slip])).toEqual([['garden', false]])
    expect(match(sessions, 'marden').map(({ name, slip }) => [name, slip])).toEqual([
      ['garden', true],
      ['warden', true],
    ])
  })

  it('include an agent by its id and its folders, with all its sessions', () => {
    const workspace = '/home/ann/.openclaw/workspace-garden'
    const sessions = [
      openclawSession({ id: 'one', agent: 'garden', cwds: [[workspace, 3]] }),
      openclawSession({ id: 'two', agent: 'garden', cwds: [['/home/ann/dev/shed', 3]] }),
      openclawSession({ id: 'three', agent: 'main', firstHuman: 'ask garden' }),
    ]
    for (const name of ['garden', 'Garden', 'agent:garden', 'agents/garden', 'workspace-garden', workspace]) {
      const found = namedExactly(match(sessions, name))
      expect([found?.name, found?.sessions.map(({ id }) => id).sort()], name).toEqual([
        'agent:garden',
        ['one', 'two'],
      ])
    }
    expect(namedExactly(match(sessions, 'openclaw:garden'))?.sessions.map(({ id }) => id)).toEqual(['one'])
    expect(candidates(sessions, 'gard')).toEqual(['agent:garden: agent garden [80]'])
  })

  it('are sorted by score, whatever the query', () => {
    const sessions = [
      ranIn('/home/ann/garden'),
      session({ slug: '-a-b' }),
      openclawSession({ agent: 'ferns' }),
    ]
    fc.assert(
      fc.property(fc.string(), (query) => {
        const order = match(sessions, query).map(({ exact, score }) => exact * 1000 + score)
        expect(order).toEqual(order.toSorted((a, b) => b - a))
      }),
    )
  })
})

describe('the exact match of a name', () => {
  it('is the whole name among longer ones', () => {
    const found = match(
      [ranIn('/home/ann/garden'), ranIn('/home/ann/garden-shed'), ranIn('/home/ann/x/garden-2')],
      'garden',
    )
    expect(namedExactly(found)?.project?.path).toBe('/home/ann/garden')
  })

  it('is the one with the same capitals, then the one with the same punctuation', () => {
    const sessions = [ranIn('/home/ann/a/Garden'), ranIn('/home/ann/b/gar-den'), ranIn('/home/ann/c/garden')]
    expect(namedExactly(match(sessions, 'garden'))?.name).toBe('garden')
    expect(namedExactly(match(sessions, 'gar-den'))?.name).toBe('gar-den')
    expect(namedExactly(match(sessions.slice(0, 2), 'garden'))?.name).toBe('Garden')
  })

  it('is none among equals, and none without matches', () => {
    expect(
      namedExactly(match([ranIn('/home/ann/a/garden'), ranIn('/home/ann/b/garden')], 'garden')),
    ).toBeUndefined()
    expect(namedExactly(match([ranIn('/home/ann/garden-shed')], 'garden'))).toBeUndefined()
    expect(namedExactly(match([ranIn('/home/ann/shed')], 'garden'))).toBeUndefined()
  })

  it('is the agent if it alone works in the folder of its name', () => {
    const alone = [openclawSession({ agent: 'garden', cwds: [['/home/ann/agents/garden', 2]] })]
    expect(namedExactly(match(alone, 'garden'))?.sessions).toHaveLength(1)
    expect(
      namedExactly(match([...alone, ranIn('/home/ann/agents/garden')], 'garden'))?.sessions,
    ).toHaveLength(2)
    const apart = [openclawSession({ agent: 'garden' }), ranIn('/home/ann/garden')]
    expect(groupByProject(apart).map(({ name }) => name)).toEqual(['openclaw:garden', 'ann/garden'])
    expect(namedExactly(match(apart, 'garden'))).toBeUndefined()
    expect(namedExactly(match(apart, 'agent:garden'))?.name).toBe('agent:garden')
  })

  it('is found by every name that a listing shows', () => {
    const part = fc
      .stringMatching(/^[\p{L}\p{N} ._'"$()&;@:+-]{1,12}$/u)
      .filter((text) => text.trim() === text)
    const sessions = fc.array(
      fc.oneof(
        fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => ranIn(`/home/ann/${parts.join('/')}`)),
        part.map((agent) => openclawSession({ agent })),
        part.map((name) => session({ slug: `-home-ann-${name.replace(/[^a-zA-Z0-9]/g, '-')}` })),
      ),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(sessions, (given) => {
        const projects = groupByProject(given)
        for (const { name, sessions: own } of projects)
          expect(namedExactly(matchProjects(projects, name))?.sessions, name).toEqual(own)
      }),
      { numRuns: 1000 },
    )
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

const same = (text: string): string => text

const wordsOf = (opening: string[], query: string, clean = same): string[] =>
  mentionsOf([openclawSession({ opening })], query, clean).map(({ words }) => words)

describe('sessions that mention a name early on', () => {
  it('are found by each of their first messages, with the words around the name', () => {
    expect(
      mentionsOf(
        [
          openclawSession({
            id: 'one',
            opening: ['hello', 'and now', 'please look at the orders of\nEastore today'],
          }),
          openclawSession({ id: 'two', firstHuman: 'mow the lawn' }),
          openclawSession({ id: 'three', firstHuman: 'ea-store, as ever' }),
        ],
        'eastore',
        same,
      ).map(({ session, words }) => `${session.id}: ${words}`),
    ).toEqual(['one: please look at the orders of Eastore today', 'three: ea-store, as ever'])
  })

  it('are not found by their title only', () => {
    expect(mentionsOf([openclawSession({ title: 'eastore', firstHuman: 'hello' })], 'eastore', same)).toEqual(
      [],
    )
  })

  it('contain a short name as a separate word', () => {
    expect(wordsOf(['the capital of France'], 'api')).toEqual([])
    expect(wordsOf(['look at the API, please'], 'api')).toEqual(['look at the API, please'])
    expect(wordsOf(['请看一下东店的订单'], '东店')).toEqual(['请看一下东店的订单'])
  })

  it('are quoted after redaction only', () => {
    expect(
      wordsOf(['ferns, and the key is hunter2'], 'ferns', (text) => text.replace('hunter2', '***')),
    ).toEqual(['ferns, and the key is ***'])
  })

  it('are none for a name without letters or digits', () => {
    for (const query of ['', ' ', '--', '.*']) expect(wordsOf(['anything'], query)).toEqual([])
  })
})
