import { win32 } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openclawSession, ranIn, session } from '../../test/sessions.ts'
import { slugMatches, slugOf } from '../model/project.ts'
import type { Session } from '../model/session.ts'
import { groupByProject, isProjectPath, oneForm, projectOf } from './group.ts'
import { projectAt } from './match.ts'

/** Projects as in a listing, with the ids of their sessions. */
const listed = (sessions: readonly Session[]) =>
  groupByProject(sessions).map(
    ({ name, by, sessions: own }) =>
      `${name} (${by}): ${own
        .map(({ id }) => id)
        .sort()
        .join(' ')}`,
  )

describe('grouping sessions by project', () => {
  it('joins sessions of one directory, of both platforms', () => {
    expect(
      listed([
        ranIn('/home/ann/garden', { id: 'c1' }),
        ranIn('/home/ann/garden', { id: 'c2' }),
        openclawSession({ id: 'o1', touched: [['/home/ann/garden/pond.ts', 2]] }),
        ranIn('/home/ann/shed', { id: 's1' }),
      ]),
    ).toEqual(['garden (cwd): c1 c2 o1', 'shed (cwd): s1'])
  })

  it('includes a session that names no directory but has the same slug', () => {
    expect(
      listed([
        ranIn('/home/ann/my_garden', { id: 'c1' }),
        session({ id: 'bare', slug: '-home-ann-my-garden' }),
      ]),
    ).toEqual(['my_garden (cwd): bare c1'])
  })

  it('names a project by its slug if no session knows the directory', () => {
    expect(listed([session({ id: 'bare', slug: '-home-ann-my-garden' })])).toEqual([
      '-home-ann-my-garden (slug): bare',
    ])
  })

  it('includes worktrees', () => {
    expect(
      listed([
        ranIn('/home/ann/garden', { id: 'c1' }),
        ranIn('/home/ann/garden/.claude/worktrees/fern', { id: 'w1' }),
        ranIn('/tmp/elsewhere', { id: 'w2', origins: ['/home/ann/garden'] }),
      ]),
    ).toEqual(['garden (cwd): c1 w1 w2'])
  })

  it('includes subagents, wherever they worked', () => {
    expect(
      listed([
        openclawSession({ id: 'boss', touched: [['/home/ann/garden/pond.ts', 2]] }),
        openclawSession({ id: 'agent-1', kind: 'subagent', parentSessionId: 'boss' }),
        openclawSession({ id: 'agent-2', kind: 'subagent', parentSessionId: 'gone' }),
      ]),
    ).toEqual(['garden (touched): agent-1 boss', 'openclaw:main (none): agent-2'])
  })

  it('names projects by as much of their paths as makes them unique', () => {
    const names = groupByProject([
      ranIn('/home/ann/a/api'),
      ranIn('/home/ann/b/api'),
      ranIn('/home/ben/b/api'),
      ranIn('/home/ann/web'),
    ]).map(({ name }) => name)
    expect(names.sort()).toEqual(['a/api', 'ann/b/api', 'ben/b/api', 'web'])
    expect(new Set(names).size).toBe(names.length)
  })

  it('lists sessions without a directory per agent', () => {
    expect(
      listed([
        openclawSession({ id: '1' }),
        openclawSession({ id: '2', agent: 'ops' }),
        session({ id: '3' }),
      ]),
    ).toEqual(['openclaw:main (none): 1', 'openclaw:ops (none): 2', 'claude-code:claude (none): 3'])
  })

  it('orders projects by their last activity, with their time range', () => {
    const at = (day: number) => Date.UTC(2026, 10, day)
    const projects = groupByProject([
      ranIn('/home/ann/shed', { startedMs: at(1), lastActivityMs: at(2) }),
      ranIn('/home/ann/garden', { startedMs: at(3), lastActivityMs: at(4) }),
      ranIn('/home/ann/shed', { startedMs: at(1), lastActivityMs: at(9) }),
    ])
    expect(projects.map(({ name, startedMs, lastActivityMs }) => [name, startedMs, lastActivityMs])).toEqual([
      ['shed', at(1), at(9)],
      ['garden', at(3), at(4)],
    ])
  })

  it('puts every session into exactly one project', () => {
    const loop = session({ id: 'loop', parentSessionId: 'loop' })
    const all = [
      loop,
      ranIn('/home/ann/a'),
      session({ id: 'x', parentSessionId: 'y' }),
      session({ id: 'y', parentSessionId: 'x' }),
    ]
    const grouped = groupByProject(all).flatMap((project) => project.sessions)
    expect(new Set(grouped)).toEqual(new Set(all))
    expect(grouped.length).toBe(all.length)
  })
})

const nowhere: ReadonlySet<string> = new Set()

describe('the project of a session', () => {
  it('is the directory that its records name', () => {
    expect(projectOf(ranIn('/home/ann/garden'), nowhere)).toEqual({ path: '/home/ann/garden', by: 'cwd' })
    expect(projectOf(ranIn('/home/ann/garden/', { slug: undefined }), nowhere).path).toBe('/home/ann/garden')
  })

  it('is the directory where it started, even if it spent more time below it', () => {
    const moved = session({
      slug: '-home-ann-garden',
      cwds: [
        ['/home/ann/garden/pond', 40],
        ['/home/ann/garden', 3],
      ],
    })
    expect(projectOf(moved, nowhere).path).toBe('/home/ann/garden')
  })

  it('is the repository of its worktree', () => {
    for (const path of [
      '/home/ann/garden/.claude/worktrees/brave-fern',
      '/home/ann/garden/.claude/worktrees/brave-fern/src',
      '/home/ann/garden/.worktrees/fix-1',
    ])
      expect(projectOf(ranIn(path), nowhere)).toEqual({ path: '/home/ann/garden', by: 'cwd' })
  })

  it.each([
    ['/home/ann/.cursor/worktrees/garden/x7f', '/home/ann/.cursor/worktrees/garden'],
    ['/home/ann/.claude-worktrees/garden/brave-fern/src', '/home/ann/.claude-worktrees/garden'],
    ['/home/ann/conductor/workspaces/garden/lima', '/home/ann/conductor/workspaces/garden'],
    ['C:\\Users\\Ann\\.cursor\\worktrees\\garden\\x7f', 'C:\\Users\\Ann\\.cursor\\worktrees\\garden'],
    ['/home/ann/garden/.conductor/lima', '/home/ann/garden'],
    ['/home/ann/conductor/workspaces', '/home/ann/conductor/workspaces'],
    ['/home/ann/.cursor/worktrees/garden', '/home/ann/.cursor/worktrees/garden'],
  ])(
    'is a folder with the name of its repository if another program made the worktree: %s',
    (path, project) => {
      expect(projectOf(ranIn(path), nowhere).path).toBe(project)
    },
  )

  it('is the directory that it was moved to or created from, as its records state', () => {
    const moved = ranIn('/home/ann/old-garden', { origins: ['/home/ann/garden'] })
    expect(projectOf(moved, nowhere).path).toBe('/home/ann/garden')
  })

  it('is only a slug if no record names a directory, and never a path guessed from it', () => {
    expect(projectOf(session({ slug: '-home-ann-my-garden' }), nowhere)).toEqual({
      path: '-home-ann-my-garden',
      by: 'slug',
    })
  })

  it('is unknown without evidence', () => {
    expect(projectOf(session(), nowhere)).toEqual({ by: 'none' })
    expect(projectOf(openclawSession(), nowhere)).toEqual({ by: 'none' })
  })
})

describe("an OpenClaw session, which runs in its agent's workspace", () => {
  it('belongs to the project whose files its tools touched most', () => {
    const busy = openclawSession({
      touched: [
        ['/home/ann/dev/garden/src/pond.ts', 3],
        ['/home/ann/dev/garden/README.md', 2],
        ['/home/ann/dev/shed/x.ts', 4],
      ],
    })
    expect(projectOf(busy, nowhere)).toEqual({ path: '/home/ann/dev/garden', by: 'touched' })
  })

  it('belongs to a known project rather than to the folder above it', () => {
    const busy = openclawSession({ touched: [['/home/ann/dev/garden/api/src/pond.ts', 1]] })
    expect(projectOf(busy, new Set(['/home/ann/dev/garden/api']))).toEqual({
      path: '/home/ann/dev/garden/api',
      by: 'touched',
    })
  })

  it('does not belong to its own state, to the system, or to a file directly in the home directory', () => {
    for (const path of [
      '/home/ann/.openclaw/workspace/MEMORY.md',
      '/etc/hosts',
      '/home/ann/notes.md',
      '/home/ann/.bashrc',
    ])
      expect(projectOf(openclawSession({ touched: [[path, 9]] }), nowhere)).toEqual({ by: 'none' })
  })

  it('belongs to the directory it was started in if that is a real one', () => {
    expect(projectOf(openclawSession({ cwds: [['/home/ann/dev/garden', 1]] }), nowhere).by).toBe('cwd')
  })

  it.each([
    '/',
    '/root',
    '/tmp',
    '/app',
    '/home/ann',
    '/Users/ann',
    'C:\\Users\\ann',
    '/home/ann/.clawdbot',
    '/srv/workspace',
  ])('does not treat %s as a project', (path) => expect(isProjectPath(path, true)).toBe(false))
})

const GARDEN = 'C:\\Users\\ann\\dev\\garden'

describe('a Windows path, read on any system', () => {
  it('has one form for both cases of its drive and both separators', () => {
    for (const path of [
      'c:\\Users\\ann\\dev\\garden',
      'C:/Users/ann/dev/garden',
      'c:/Users/ann/dev\\garden\\',
    ])
      expect(projectOf(ranIn(path), nowhere)).toEqual({ path: GARDEN, by: 'cwd' })
    for (const path of ['C:\\Users', '\\\\server\\share\\garden', '/home/ann/c:\\x', 'c:garden', '/home/ann'])
      expect(oneForm(path)).toBe(path)
  })

  it('means the same as on Windows', () => {
    for (const path of ['c:/Users/ann/x.ts', 'd:\\work/garden', 'C:\\a b\\ü'])
      expect(oneForm(path)).toBe(win32.resolve(path.replace(/^[a-z]/, (letter) => letter.toUpperCase())))
  })

  it('preserves the case of its folders, which some systems distinguish', () => {
    expect(projectOf(ranIn('C:\\Users\\ann\\dev\\Garden'), nowhere).path).not.toBe(GARDEN)
  })

  it('has a slug that matches both cases of its drive', () => {
    expect(slugOf(GARDEN)).toBe('C--Users-ann-dev-garden')
    expect(slugMatches('c--Users-ann-dev-garden', GARDEN)).toBe(true)
    expect(slugMatches('C--Users-ann-dev-garden', GARDEN.replace('C', 'c'))).toBe(true)
    expect(slugMatches('d--Users-ann-dev-garden', GARDEN)).toBe(false)
    expect(slugMatches('c-Users-ann', 'C-Users-ann')).toBe(false)
  })

  it('in a worktree belongs to the repository', () => {
    expect(projectOf(ranIn(`${GARDEN}\\.claude\\worktrees\\brave-fern\\src`), nowhere).path).toBe(GARDEN)
  })

  it('is a project of an agent only below a home directory', () => {
    for (const path of ['C:\\', 'D:', 'C:\\Users\\ann', 'C:\\Users\\ann\\.openclaw\\workspace'])
      expect(isProjectPath(path, true)).toBe(false)
    expect(isProjectPath(GARDEN, true)).toBe(true)
  })
})

describe('sessions on Windows', () => {
  it('belong to one project if only the case of the drive differs, or if they name no directory', () => {
    const projects = groupByProject([
      ranIn(GARDEN, { id: 'upper' }),
      ranIn('c:\\Users\\ann\\dev\\garden', { id: 'lower' }),
      session({ id: 'bare', slug: 'c--Users-ann-dev-garden' }),
      ranIn('D:\\Users\\ann\\dev\\garden', { id: 'other' }),
    ])
    expect(projects.map(({ path, sessions }) => [path, sessions.map(({ id }) => id).sort()]).sort()).toEqual([
      [GARDEN, ['bare', 'lower', 'upper']],
      ['D:\\Users\\ann\\dev\\garden', ['other']],
    ])
  })

  it('belong to one project however the folder of Linux or of a drive is written', () => {
    const inLinux = '\\\\wsl.localhost\\Ubuntu\\home\\ann\\garden'
    const groups = [
      [inLinux, '\\\\wsl$\\Ubuntu\\home\\ann\\garden', '//wsl.localhost/Ubuntu/home/ann/garden/'],
      [`\\\\?\\UNC${inLinux.slice(1)}`, '\\\\WSL$\\Ubuntu\\home\\ann\\garden', inLinux],
      [GARDEN, `\\\\?\\${GARDEN}`, '/mnt/c/Users/ann/dev/garden', 'c:/users/ann/dev/garden'],
    ]
    for (const group of groups)
      expect(groupByProject(group.map((path, id) => ranIn(path, { id: String(id) })))).toHaveLength(1)
    const others = [inLinux, inLinux.replace('garden', 'Garden'), '/home/ann/garden', '/mnt/data/garden']
    expect(groupByProject(others.map((path, id) => ranIn(path, { id: String(id) })))).toHaveLength(4)
    const projects = groupByProject([ranIn(inLinux, { id: 'a' }), ranIn(GARDEN, { id: 'b' })])
    expect(projectAt(projects, '\\\\wsl$\\Ubuntu\\home\\ann\\garden\\src')?.path).toBe(inLinux)
    expect(projectAt(projects, '/mnt/c/Users/ann/dev/garden/src')?.path).toBe(GARDEN)
    expect(projectAt(projects, '/mnt/c/Users/ann/dev/garden-two')).toBeUndefined()
  })

  it('belong to the project whose files the tools of OpenClaw touched most', () => {
    const touched: [string, number][] = [
      ['c:\\Users\\ann\\dev\\garden\\src\\pond.ts', 2],
      ['C:/Users/ann/dev/garden/README.md', 1],
      ['C:\\Users\\ann\\dev\\shed\\x.ts', 2],
      ['C:\\Windows\\system.ini', 9],
      ['C:\\Users\\ann\\notes.md', 9],
    ]
    expect(projectOf(openclawSession({ touched }), nowhere)).toEqual({ path: GARDEN, by: 'touched' })
    const known = new Set([`${GARDEN}\\src`])
    expect(projectOf(openclawSession({ touched: touched.slice(0, 1) }), known).path).toBe(`${GARDEN}\\src`)
  })

  it('are found from the folder of their project and from below it', () => {
    const projects = groupByProject([ranIn(GARDEN), ranIn('C:\\Users\\ann\\dev\\garden-two')])
    for (const directory of [
      GARDEN,
      `${GARDEN}\\src`,
      'c:\\Users\\ann\\dev\\garden\\src\\deep',
      'c:/Users/ann/dev/garden',
    ])
      expect(projectAt(projects, directory)?.path).toBe(GARDEN)
    expect(projectAt(projects, 'C:\\Users\\ann\\dev\\gardens')).toBeUndefined()
  })
})
