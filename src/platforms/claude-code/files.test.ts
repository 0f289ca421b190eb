import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryHome } from '../../../test/records.ts'
import type { Environment } from '../../model/artifact.ts'
import { roots } from './files.ts'

function homeWith(...folders: string[]): string {
  const home = temporaryHome()
  for (const folder of folders) mkdirSync(join(home, folder), { recursive: true })
  return home
}

const rootsOf = (home: string, more: Partial<Environment> = {}): string[] =>
  roots({ home, variables: {}, ...more }).map(
    ({ path, reason, found }) => `${path.replaceAll(home, '~')} (${reason})${found ? '' : ' absent'}`,
  )
const configured = (CLAUDE_CONFIG_DIR: string) => ({ variables: { CLAUDE_CONFIG_DIR } })

describe('the roots of Claude Code', () => {
  it('contain the default directory, even if it does not exist', () => {
    expect(rootsOf(homeWith())).toEqual(['~/.claude (default) absent'])
    expect(rootsOf(homeWith('.claude'))).toEqual(['~/.claude (default)'])
  })

  it('contain the configuration home if it has projects', () => {
    expect(rootsOf(homeWith('.claude', '.config/claude'))).toHaveLength(1)
    const home = homeWith('.claude', '.config/claude/projects', 'xdg/claude/projects')
    expect(rootsOf(home)[1]).toBe('~/.config/claude (default)')
    expect(rootsOf(home, { variables: { XDG_CONFIG_HOME: join(home, 'xdg') } })[1]).toBe(
      '~/xdg/claude (default)',
    )
  })

  it('contain the directory that a variable names, next to the default one', () => {
    const home = homeWith('other')
    expect(rootsOf(home, configured(join(home, 'other')))).toEqual([
      '~/other (CLAUDE_CONFIG_DIR)',
      '~/.claude (default) absent',
    ])
    expect(rootsOf(home, configured('~/other'))[0]).toBe('~/other (CLAUDE_CONFIG_DIR)')
    expect(rootsOf(home, configured('  '))).toHaveLength(1)
  })

  it('contain all directories of a list in the variable, unless a directory has that very name', () => {
    const home = homeWith('a', 'b', 'c,d')
    expect(rootsOf(home, configured(`${home}/a,${home}/b`)).slice(0, 2)).toEqual([
      '~/a (CLAUDE_CONFIG_DIR)',
      '~/b (CLAUDE_CONFIG_DIR)',
    ])
    expect(rootsOf(home, configured(`${home}/c,d`))[0]).toBe('~/c,d (CLAUDE_CONFIG_DIR)')
  })

  it('contain a directory once if two names lead to it', () => {
    const home = homeWith('.claude')
    symlinkSync(join(home, '.claude'), join(home, 'link'))
    expect(rootsOf(home, configured(join(home, 'link')))).toEqual(['~/link (CLAUDE_CONFIG_DIR)'])
  })

  it('are those of a home directory, if that was given', () => {
    const home = temporaryHome()
    for (const folder of ['oak/.claude/projects', 'both/.claude/projects', 'both/projects', 'neither'])
      mkdirSync(join(home, folder), { recursive: true })
    const given = (name: string): string[] => rootsOf(home, { dirs: { 'claude-code': [join(home, name)] } })
    expect(given('oak')).toEqual(['~/oak/.claude (--claude-dir)'])
    expect(given('both')).toEqual(['~/both (--claude-dir)'])
    expect(given('neither')).toEqual(['~/neither (--claude-dir)'])
  })

  it('contain only what was given explicitly', () => {
    const home = homeWith('.claude', 'x')
    expect(rootsOf(home, { ...configured('/other'), dirs: { 'claude-code': [join(home, 'x')] } })).toEqual([
      '~/x (--claude-dir)',
    ])
  })
})
