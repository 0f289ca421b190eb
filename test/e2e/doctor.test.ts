import { mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { json, run } from '../program.ts'
import { claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, uuid } from '../records.ts'

const doctor = (home: string, ...args: string[]) => {
  const { stdout, stderr, code } = run(['doctor', ...args], home)
  return { stdout: stdout.replaceAll(home, '~'), stderr, code }
}

/** The lines below a heading of a text. */
const below = (text: string, heading: string): string[] =>
  (text.split(`${heading}\n`)[1] ?? '').split(/\n(?! )/)[0]!.split('\n')

describe('doctor', () => {
  it('warns of files whose time is more than a day in the future', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'one')])
    const at = (hours: number): void => {
      const seconds = Date.now() / 1000 + hours * 3600
      utimesSync(path, seconds, seconds)
    }
    at(23)
    expect(doctor(home).stdout).not.toContain('in the future')
    at(25)
    const { stdout, code } = doctor(home)
    expect(stdout).toContain(
      `! 1 file has a modification time in the future, for example ~/.claude/projects/-home-ann-garden/${uuid(1)}.jsonl: the clock of this machine`,
    )
    expect(code).toBe(0)
    expect(json(home, 'doctor').warnings).toEqual([expect.stringContaining('in the future')])
  })

  it('lists what is never opened, with the reason and the size', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    put(join(home, '.claude/.credentials.json'), '0123456789')
    mkdirSync(join(home, '.claude/shell-snapshots'))
    const { stdout } = doctor(home)
    expect(below(stdout, 'Never opened:')).toEqual([
      '  ~/.claude/.credentials.json (10 B: keys of your account)',
      '  ~/.claude/shell-snapshots (environment variables)',
    ])
  })

  it('does not list a deleted session there once it is read, and omits the list if it is empty', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    expect(doctor(home).stdout).not.toContain('Never opened')
    const lines = [openclaw.header('fern'), openclaw.user(1, 'x')]
    putOpenclaw(home, 'fern.jsonl.deleted.2026-11-01T10-00-00.000Z', lines)
    const closed = doctor(home).stdout
    expect(below(closed, 'Never opened:')).toEqual([expect.stringContaining('fern.jsonl.deleted.')])
    expect(closed).toContain('1 file of these, copies and deleted sessions, takes')
    expect(doctor(home, '--deleted').stdout).not.toContain('Never opened')
  })
})
