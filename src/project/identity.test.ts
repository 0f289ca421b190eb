import { describe, expect, it } from 'vitest'
import { openclawSession, ranIn, session } from '../../test/sessions.ts'
import { isProjectPath, projectOf } from './identity.ts'

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
    ...['/', '/root', '/tmp', '/app', '/home/ann', '/Users/ann', 'C:\\Users\\ann'],
    ...['/home/ann/.clawdbot', '/srv/workspace'],
  ])('does not treat %s as a project', (path) => expect(isProjectPath(path, true)).toBe(false))
})
