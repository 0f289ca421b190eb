import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../model/artifact.ts'
import { roots } from './roots.ts'

function homeWith(...folders: string[]): string {
  const home = mkdtempSync(join(tmpdir(), 'openclaw-roots-'))
  for (const folder of folders) mkdirSync(join(home, folder))
  return home
}
const look = (home: string, more: Partial<Environment> = {}): string[] =>
  roots({ home, variables: {}, ...more }).map(
    ({ path, reason, found }) => `${path.replace(home, '~')} (${reason})${found ? '' : ' absent'}`,
  )

describe('where OpenClaw keeps its files', () => {
  it('is one place by default, told even when it is absent', () => {
    expect(look(homeWith())).toEqual(['~/.openclaw (default) absent'])
  })

  it('is every profile and every old name that exists', () => {
    expect(
      look(
        homeWith(
          '.openclaw',
          '.openclaw-dev',
          '.openclaw-work',
          '.clawdbot',
          '.moltbot',
          '.moldbot',
          '.openclawed',
        ),
      ),
    ).toEqual([
      '~/.openclaw (default)',
      '~/.openclaw-dev (profile)',
      '~/.openclaw-work (profile)',
      '~/.clawdbot (legacy name)',
      '~/.moltbot (legacy name)',
      '~/.moldbot (legacy name)',
    ])
  })

  it('is told once when the old name is a link to the new one', () => {
    const home = homeWith('.openclaw')
    symlinkSync(join(home, '.openclaw'), join(home, '.clawdbot'))
    expect(look(home)).toEqual(['~/.openclaw (default)'])
  })

  it('is named by variables, with a tilde for the home', () => {
    const home = homeWith('state', 'other', 'other/.openclaw')
    expect(
      look(home, { variables: { OPENCLAW_STATE_DIR: '~/state', CLAWDBOT_STATE_DIR: `${home}/gone` } }),
    ).toEqual([
      '~/state (OPENCLAW_STATE_DIR)',
      '~/gone (CLAWDBOT_STATE_DIR) absent',
      '~/.openclaw (default) absent',
    ])
    expect(look(home, { variables: { OPENCLAW_HOME: '~/other' } })).toEqual(['~/other/.openclaw (default)'])
  })

  it('is what was given by hand and nothing else', () => {
    const home = homeWith('.openclaw', 'mine')
    expect(
      look(home, { openclawDirs: [join(home, 'mine')], variables: { OPENCLAW_STATE_DIR: home } }),
    ).toEqual(['~/mine (--openclaw-dir)'])
  })
})
