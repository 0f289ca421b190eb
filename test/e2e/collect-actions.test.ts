import { mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'

describe('the actions of collect', () => {
  it.each([
    [['list'], ['--list']],
    [['status'], ['--status']],
    [
      ['run', 'stdout:', '--history', 'all', '--dry-run'],
      ['stdout:', '--history', 'all', '--dry-run'],
    ],
    [
      ['verify', 'nothing-here'],
      ['--verify', 'nothing-here'],
    ],
    [
      ['repair', 'nothing-here'],
      ['--repair', 'nothing-here'],
    ],
    [
      ['forget', 'stdout:'],
      ['--forget', 'stdout:'],
    ],
  ])('%j does what %j does', (action, flags) => {
    const home = temporaryHome()
    putClaude(home, uuid(0), [claude.user(1, 'hello')])
    const [one, other] = [action, flags].map((words) => run(['collect', ...words, '--json'], home))
    expect(one).toEqual(other)
  })

  it('is repaired without its marker, and named with a strange lock or without its only segment', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Water the moss.')])
    const folder = join(home, 'a')
    run(['collect', `file:${folder}`, '--history', 'all'], home)
    rmSync(join(folder, 'scrollback-archive.json'))
    const verified = run(['collect', 'verify', folder], home)
    expect(verified.code).toBe(3)
    expect(verified.stdout).toContain(`scrollback collect repair ${folder}`)
    expect(run(['collect', 'repair', folder], home).code).toBe(0)
    expect(run(['collect', 'verify', folder], home).code).toBe(0)
    expect(run(['collect', `file:${folder}`, '--history', 'all'], home).code).toBe(0)

    rmSync(join(folder, '.lock'), { force: true })
    mkdirSync(join(folder, '.lock'))
    const locked = run(['collect', 'repair', folder], home)
    expect(locked.stderr).toContain(`${join(folder, '.lock')} is not a lock file of scrollback`)
    rmdirSync(join(folder, '.lock'))

    for (const name of readdirSync(folder)) if (name.startsWith('records-')) rmSync(join(folder, name))
    const { stderr, code } = run(['sessions', '--all', '--from', folder], home)
    expect(stderr).not.toContain('not an archive')
    expect([code, stderr]).toEqual([3, expect.stringContaining('records-')])
  })

  it.each(['verify', 'repair', 'forget'])('%s names the argument that it lacks', (action) => {
    const { stderr, code } = run(['collect', action], temporaryHome())
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^scrollback: collect \w+: the (?:dir|destination) is missing\nUse: scrollback collect/,
    )
  })
})
