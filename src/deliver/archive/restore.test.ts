import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstFrame } from '../../../test/first-format.ts'
import { put, temporaryHome } from '../../../test/records.ts'
import { restoreArchive } from './restore.ts'

const envelope = (more: object) => ({
  v: 1,
  id: '0'.repeat(32),
  at: '2026-11-01T10:00:00.000Z',
  platform: 'claude-code',
  kind: 'transcript',
  device: 'd',
  agent: 'claude',
  session: 's',
  project: null,
  path: '~/.claude/projects/-a/s.jsonl',
  line: 1,
  offset: 0,
  generation: 1,
  raw: { a: 1 },
  redactions: 0,
  ...more,
})

function restored(lines: readonly string[]): { folder: string; files: string[]; strange: number } {
  const home = temporaryHome()
  put(
    join(home, 'archive/records-2026-11-01-0001.jsonl.zst'),
    firstFrame(Buffer.from(`${lines.join('\n')}\n`), lines.length),
  )
  const folder = join(home, 'trees')
  const { strange } = restoreArchive(join(home, 'archive'), folder)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    lstatSync(join(folder, name)).isFile(),
  )
  expect(readdirSync(home).sort()).toEqual(['archive', 'trees'])
  return { folder, files, strange }
}

describe('restoring an archive that somebody else wrote', () => {
  it.each([
    ['a path that leads elsewhere', { path: '~/.claude/projects/../../../../etc/passwd.jsonl' }],
    ['a device that leads elsewhere', { device: '../../..' }],
    [
      'a session that leads elsewhere',
      { session: '../x', path: '~/.openclaw/agents/a/agent/openclaw-agent.sqlite#x', platform: 'openclaw' },
    ],
    ['an unknown platform', { platform: '__proto__' }],
    ['an invalid path', { path: 7 }],
    ['a path of many folders', { path: `~/.claude/projects/${'x/'.repeat(3000)}s.jsonl` }],
    ['an invalid device', { device: {} }],
    ['a name that is too long', { path: `~/.claude/projects/${'x'.repeat(5000)}/s.jsonl` }],
    ['more lines than fit in memory', { line: 1e15 }],
    ['a line before the first', { line: -5 }],
    ['a deeply nested record', { raw: 'DEEP' }],
  ])('stays inside the folder and restores the rest: %s', (_, more) => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const hostile = JSON.stringify(envelope(more)).replace('"DEEP"', deep)
    const { folder, files } = restored([
      hostile,
      JSON.stringify(envelope({ path: '~/.claude/projects/-b/t.jsonl' })),
    ])
    const sound = files.find((name) => name.endsWith('-b/t.jsonl'))
    expect(readFileSync(join(folder, sound!), 'utf8')).toBe('{"a":1}\n')
  })

  it('never throws, whatever a record contains', () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.constant(undefined),
      fc.constant({}),
      fc.constant('..'),
    )
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            path: fc.oneof(
              fc.constant('~/.claude/projects/-a/s.jsonl'),
              fc.constant('~/.openclaw/agents/a/sessions/sessions.json'),
              value,
            ),
            device: value,
            session: value,
            line: value,
            generation: value,
            kind: value,
            raw: value,
            part: value,
          }),
          {
            maxLength: 5,
          },
        ),
        (all) => void restored(all.map((each) => JSON.stringify(envelope(each)))),
      ),
      { numRuns: 60 },
    )
  })

  it('preserves the digits of numbers', () => {
    const line = JSON.stringify(envelope({})).replace('{"a":1}', '{"a":12345678901234567890.10}')
    const { folder, files } = restored([line])
    expect(readFileSync(join(folder, files.find((name) => name.endsWith('s.jsonl'))!), 'utf8')).toContain(
      '12345678901234567890.10',
    )
  })
})
