import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'

const statusOf = (home: string): string[] =>
  (
    JSON.parse(run(['collect', '--status', '--json'], home).stdout) as { status: { url: string }[] }
  ).status.map(({ url }) => url)

describe('a destination', () => {
  it('is forgotten by the name it was given, or as it is told, and is new afterwards', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    run(['collect', 'file:one', 'file:two', '--history', 'all'], home)
    expect(statusOf(home)).toEqual([`file:${home}/one`, `file:${home}/two`])
    expect(run(['collect', '--forget', 'file:one'], home).stdout).toContain('Forgotten: ~/one')
    expect(statusOf(home)).toEqual([`file:${home}/two`])
    const again = run(['collect', '--forget', `file:${home}/two`, '--json'], home)
    expect(JSON.parse(again.stdout)).toMatchObject({ forgotten: `file:${home}/two` })
    expect(statusOf(home)).toEqual([])
    expect(run(['collect', 'file:two'], home)).toMatchObject({ code: 2 })
  })

  it('that is not known cannot be forgotten, and those that are known are named', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    run(['collect', 'file:one', '--history', 'all'], home)
    const { code, stderr } = run(['collect', '--forget', 'file:other'], home)
    expect(code).toBe(2)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`Known: file:${home}/one`)
  })
})

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

  it('carries the folders, all flags and the place of all that is ours', () => {
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
  ])('says so to %s, too', (kind, ...pieces) => {
    const text = given(temporaryHome(), kind)
    for (const piece of [...pieces, '--claude-dir', '--deleted']) expect(text).toContain(piece)
  })

  it('sets nothing where nothing was set', () => {
    expect(run(['collect', '--service', 'systemd'], temporaryHome()).stdout).not.toContain('Environment=')
  })
})
