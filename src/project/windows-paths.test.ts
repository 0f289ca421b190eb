import { win32 } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openclawSession, ranIn, session } from '../../test/sessions.ts'
import { slugMatches, slugOf } from '../model/project.ts'
import { groupByProject } from './group.ts'
import { isProjectPath, oneForm, projectOf } from './identity.ts'
import { projectAt } from './match.ts'

const GARDEN = 'C:\\Users\\ann\\dev\\garden'
const nowhere: ReadonlySet<string> = new Set()

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
