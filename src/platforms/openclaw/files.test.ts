import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryHome } from '../../../test/records.ts'
import type { Environment } from '../../model/artifact.ts'
import { roots } from './files.ts'

function homeWith(...folders: string[]): string {
  const home = temporaryHome()
  for (const folder of folders) mkdirSync(join(home, folder))
  return home
}
const rootsOf = (home: string, more: Partial<Environment> = {}): string[] =>
  roots({ home, variables: {}, ...more }).map(
    ({ path, reason, found }) => `${path.replace(home, '~')} (${reason})${found ? '' : ' absent'}`,
  )

describe('the roots of OpenClaw', () => {
  it('contain one directory by default, even if it does not exist', () => {
    expect(rootsOf(homeWith())).toEqual(['~/.openclaw (default) absent'])
  })

  it('contain every existing profile and old name', () => {
    expect(
      rootsOf(
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

  it('contain a directory once if the old name is a link to the new one', () => {
    const home = homeWith('.openclaw')
    symlinkSync(join(home, '.openclaw'), join(home, '.clawdbot'))
    expect(rootsOf(home)).toEqual(['~/.openclaw (default)'])
  })

  it('contain directories named by variables, with a tilde for the home directory', () => {
    const home = homeWith('state', 'other', 'other/.openclaw')
    expect(
      rootsOf(home, { variables: { OPENCLAW_STATE_DIR: '~/state', CLAWDBOT_STATE_DIR: `${home}/gone` } }),
    ).toEqual([
      '~/state (OPENCLAW_STATE_DIR)',
      '~/gone (CLAWDBOT_STATE_DIR) absent',
      '~/.openclaw (default) absent',
    ])
    expect(rootsOf(home, { variables: { OPENCLAW_HOME: '~/other' } })).toEqual([
      '~/other/.openclaw (default)',
    ])
  })

  it('are those of a home directory, if that was given', () => {
    const home = temporaryHome()
    for (const folder of ['oak/.openclaw/agents', 'both/.openclaw/agents', 'both/agents', 'neither'])
      mkdirSync(join(home, folder), { recursive: true })
    const given = (name: string): string[] => rootsOf(home, { dirs: { openclaw: [join(home, name)] } })
    expect(given('oak')).toEqual(['~/oak/.openclaw (--openclaw-dir)'])
    expect(given('both')).toEqual(['~/both (--openclaw-dir)'])
    expect(given('neither')).toEqual(['~/neither (--openclaw-dir)'])
  })

  it('contain only what was given explicitly', () => {
    const home = homeWith('.openclaw', 'mine')
    expect(
      rootsOf(home, { dirs: { openclaw: [join(home, 'mine')] }, variables: { OPENCLAW_STATE_DIR: home } }),
    ).toEqual(['~/mine (--openclaw-dir)'])
  })
})
