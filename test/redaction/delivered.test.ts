import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { put, putClaude, temporaryHome, uuid } from '../records.ts'

/** Invented, and assembled here so that the repository contains nothing shaped like a secret. */
const google = ['AI', 'zaFOYeY4qwAP2lbE55fImJxFJFYkydyyacqV3'].join('')
const amazon = ['AK', 'IAKFEWLOBVJ6BITHZF'].join('')

/** A session whose every string has a secret, and whose folder and file are named after one. */
function fill(home: string): void {
  const gemini = join(home, '.gemini')
  put(join(gemini, 'projects.json'), JSON.stringify({ projects: { [`/home/ann/${google}`]: 'greenhouse' } }))
  put(
    join(gemini, 'tmp/greenhouse/chats/session-2026-11-07T10-50-07feed00.json'),
    JSON.stringify({
      sessionId: '07feed00-0000-4000-8000-000000000007',
      projectHash: 'aa',
      startTime: '2026-11-07T10:50:00.000Z',
      lastUpdated: '2026-11-07T10:50:00.000Z',
      kind: 'main',
      messages: [
        {
          id: 'm1',
          timestamp: '2026-11-07T10:50:01.000Z',
          type: 'user',
          content: [{ text: 'Name a moss.' }],
        },
      ],
    }),
  )
  putClaude(
    home,
    uuid(3),
    [
      {
        type: 'user',
        uuid: uuid(4),
        sessionId: uuid(3),
        timestamp: '2026-11-20T10:00:00.000Z',
        cwd: `/home/ann/${amazon}/src`,
        gitBranch: `fix-${amazon}-2`,
        version: '2.1.0',
        message: { role: 'user', content: `see ${google}` },
      },
    ],
    `-home-ann-${amazon}-src`,
  )
}

describe('everything that is delivered', () => {
  it.each([
    ['records', ['collect', 'stdout:', '--history', 'all']],
    ['records with the normalized form', ['collect', 'stdout:', '--history', 'all', '--normalized']],
    [
      'records with the normalized form, without people',
      ['collect', 'stdout:', '--history', 'all', '--normalized', '--identities'],
    ],
    ['a listing', ['sessions', '--json']],
    ['a session', ['read', uuid(3), '--full']],
    ['native records', ['export', uuid(3), '--format', 'native', '--out', '-']],
    ['the listing of secrets', ['secrets', '--all', '--places', '--json']],
  ])('is without secrets in any field, and in names of folders: %s', (_, command) => {
    const home = temporaryHome()
    fill(home)
    const { stdout, stderr } = run(command, home)
    expect(stdout, stderr).not.toBe('')
    for (const secret of [google, amazon]) expect(stdout + stderr).not.toContain(secret.slice(4, 16))
    if (command.includes('--identities')) expect(stdout).not.toContain('/home/ann')
  })
})
