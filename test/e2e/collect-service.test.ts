import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deliveredTo } from '../deliveries.ts'
import { run, variablesOf } from '../program.ts'
import { claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, uuid } from '../records.ts'

describe('the file of a service', () => {
  const given = (home: string, kind: string): string => {
    mkdirSync(join(home, 'my claude'))
    const flags = ['--claude-dir', 'my claude', '--deleted', '--skip', 'api-request*', '--no-redact']
    const env = { SCROLLBACK_HOME: join(home, 'ours & 50%'), SECRET: 'hush' }
    const answer = run(['collect', 'file:out', ...flags, '--token-env', 'SECRET', '--service', kind], home, {
      env,
    })
    expect(answer.code).toBe(0)
    expect(answer.stdout).not.toContain('hush')
    return answer.stdout
  }

  it('contains the folders, all flags and our own variables', () => {
    const home = temporaryHome()
    const unit = given(home, 'systemd')
    for (const words of [
      `"${home}/my claude"`,
      '--deleted',
      '--redact off',
      `file:${home}/out`,
      '"api-request*"',
      '--token-env SECRET',
    ])
      expect(unit).toContain(words)
    expect(unit).toContain(`Environment="SCROLLBACK_HOME=${home}/ours & 50%%"\nExecStart=`)
  })

  it.each([
    ['launchd', '<key>SCROLLBACK_HOME</key><string>', '/ours &amp; 50%</string>'],
    ['windows', 'set &quot;SCROLLBACK_HOME=', '/ours &amp; 50%&quot; &amp;&amp; '],
  ])('contains them for %s, too', (kind, ...pieces) => {
    const text = given(temporaryHome(), kind)
    for (const piece of [...pieces, '--claude-dir', '--deleted']) expect(text).toContain(piece)
  })

  it('contains no variable if none is set', () => {
    expect(run(['collect', '--service', 'systemd'], temporaryHome()).stdout).not.toContain('Environment=')
  })

  it('delivers the same from another folder', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'of the usual folder')])
    put(join(home, 'work/other/projects/-x', `${uuid(2)}.jsonl`), [claude.user(2, 'of the other folder')])
    putOpenclaw(home, 'fern.jsonl.deleted.2026-11-01T10-00-00.000Z', [
      openclaw.header('fern'),
      openclaw.user(3, 'of a deleted session'),
    ])
    const lines = [
      openclaw.header('moss'),
      openclaw.user(4, 'to be left out'),
      { type: 'fern-note', id: 'x' },
    ]
    putOpenclaw(home, 'moss.jsonl', lines)
    const flags = ['--history', 'all', '--deleted', '--claude-dir', 'other', '--device', 'my device']
    const dirs = ['--dir', `openclaw=${join(home, '.openclaw')}`, '--skip', 'fern-note']
    const asked = ['collect', 'file:out', '--service', 'systemd', '--no-redact', ...flags, ...dirs]
    const { stdout, code } = run(asked, home, { cwd: join(home, 'work') })
    expect(code).toBe(0)
    const line = /^ExecStart=(.*) --watch$/m.exec(stdout)![1]!
    execFileSync('sh', ['-c', line], { cwd: '/', env: variablesOf(home), stdio: 'pipe' })
    const records = deliveredTo(join(home, 'work/out'))
    const text = JSON.stringify(records)
    expect(text).toContain('of the other folder')
    expect(text).toContain('of a deleted session')
    expect(text).not.toContain('of the usual folder')
    expect(text).not.toContain('fern-note')
    expect(new Set(records.map(({ device }) => device))).toEqual(new Set(['my device']))
  })
})
