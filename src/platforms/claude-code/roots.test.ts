import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../model/artifact.ts'
import { roots } from './roots.ts'

function homeWith(...folders: string[]): string {
  const home = mkdtempSync(join(tmpdir(), 'claude-roots-'))
  for (const folder of folders) mkdirSync(join(home, folder), { recursive: true })
  return home
}

const look = (home: string, more: Partial<Environment> = {}): string[] =>
  roots({ home, variables: {}, ...more }).map(
    ({ path, reason, found }) => `${path.replaceAll(home, '~')} (${reason})${found ? '' : ' absent'}`,
  )
const configured = (CLAUDE_CONFIG_DIR: string) => ({ variables: { CLAUDE_CONFIG_DIR } })

describe('where to look for Claude Code', () => {
  it('is the directory in the home, told even when it does not exist', () => {
    expect(look(homeWith())).toEqual(['~/.claude (default) absent'])
    expect(look(homeWith('.claude'))).toEqual(['~/.claude (default)'])
  })

  it('is the configuration home too, when it holds projects', () => {
    expect(look(homeWith('.claude', '.config/claude'))).toHaveLength(1)
    const home = homeWith('.claude', '.config/claude/projects', 'xdg/claude/projects')
    expect(look(home)[1]).toBe('~/.config/claude (default)')
    expect(look(home, { variables: { XDG_CONFIG_HOME: join(home, 'xdg') } })[1]).toBe(
      '~/xdg/claude (default)',
    )
  })

  it('is the directory that a variable names, beside the usual one', () => {
    const home = homeWith('other')
    expect(look(home, configured(join(home, 'other')))).toEqual([
      '~/other (CLAUDE_CONFIG_DIR)',
      '~/.claude (default) absent',
    ])
    expect(look(home, configured('~/other'))[0]).toBe('~/other (CLAUDE_CONFIG_DIR)')
    expect(look(home, configured('  '))).toHaveLength(1)
  })

  it('is each of several in the variable, unless a directory has that very name', () => {
    const home = homeWith('a', 'b', 'c,d')
    expect(look(home, configured(`${home}/a,${home}/b`)).slice(0, 2)).toEqual([
      '~/a (CLAUDE_CONFIG_DIR)',
      '~/b (CLAUDE_CONFIG_DIR)',
    ])
    expect(look(home, configured(`${home}/c,d`))[0]).toBe('~/c,d (CLAUDE_CONFIG_DIR)')
  })

  it('is one place when two names lead to it', () => {
    const home = homeWith('.claude')
    symlinkSync(join(home, '.claude'), join(home, 'link'))
    expect(look(home, configured(join(home, 'link')))).toEqual(['~/link (CLAUDE_CONFIG_DIR)'])
  })

  it('is nothing but what was given by hand', () => {
    const home = homeWith('.claude', 'x')
    expect(look(home, { ...configured('/other'), claudeDirs: [join(home, 'x')] })).toEqual([
      '~/x (--claude-dir)',
    ])
  })
})
