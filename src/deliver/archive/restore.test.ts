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

describe('restoring an archive whose batches arrived in another order', () => {
  /** What a file contains: lines of a letter and their number, and empty ones. */
  const contentOf = (lines: readonly object[]): string => {
    const { folder, files } = restored(lines.map((each) => JSON.stringify(each)))
    return readFileSync(join(folder, files.find((name) => name.endsWith('/-a/s.jsonl'))!), 'utf8')
  }
  const lineOf = (line: number, more: object = {}) =>
    envelope({
      line,
      raw: { uuid: `${line}`, timestamp: `2026-11-01T10:00:${String(line).padStart(2, '0')}Z` },
      ...more,
    })

  it('puts every line into its place, once', () => {
    const wanted = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(wanted, fc.infiniteStream(fc.nat()), fc.nat(5), (numbers, random, repeated) => {
        const ordered = numbers.toSorted((one, other) => one - other).map((line) => lineOf(line))
        const more = [...ordered, ...ordered.slice(0, repeated)]
        const shuffled = more
          .map((each) => ({ each, at: random.next().value }))
          .sort((one, other) => one.at - other.at)
          .map(({ each }) => each)
        expect(contentOf(shuffled)).toBe(contentOf(ordered))
      }),
      { numRuns: 60 },
    )
  })

  it('keeps several records of a line, earlier generations, and lines of other kinds', () => {
    const two = [lineOf(2, { part: 0, raw: { uuid: '2a' } }), lineOf(2, { part: 1, raw: { uuid: '2b' } })]
    expect(contentOf([lineOf(3), ...two, lineOf(1), ...two])).toBe(contentOf([lineOf(1), ...two, lineOf(3)]))
    const later = [lineOf(1, { generation: 2 }), lineOf(2, { generation: 2, raw: { uuid: 'new' } })]
    expect(contentOf([lineOf(2), lineOf(1), ...later.toReversed()])).toBe(
      contentOf([lineOf(1), lineOf(2), ...later]),
    )
  })

  it('continues a file that was set aside under its name with something behind it', () => {
    const own = { platform: 'openclaw', agent: 'a', path: '~/.openclaw/agents/a/sessions/s.jsonl' }
    const aside = { ...own, path: `${own.path}.reset.2026-11-01T10-00-00.000Z` }
    const lines = [
      lineOf(1, own),
      lineOf(2, own),
      lineOf(3, aside),
      lineOf(1, { ...own, raw: { uuid: 'new' } }),
    ]
    const { folder, files } = restored(lines.map((each) => JSON.stringify(each)))
    const textOf = (end: string) =>
      readFileSync(join(folder, files.find((name) => name.endsWith(end))!), 'utf8')
    expect(textOf('.000Z').split('\n')).toHaveLength(4)
    expect(textOf('/s.jsonl')).toBe('{"uuid":"new"}\n')
  })

  it('goes on where it has stopped', () => {
    const home = temporaryHome()
    const folder = join(home, 'trees')
    const batches = [
      [lineOf(4), lineOf(5)],
      [lineOf(1)],
      [lineOf(6), lineOf(4), lineOf(2)],
      [lineOf(3), lineOf(1)],
    ]
    for (const [index, batch] of batches.entries()) {
      const lines = batch.map((each) => `${JSON.stringify(each)}\n`).join('')
      put(
        join(home, `archive/records-2026-11-01-000${index + 1}.jsonl.zst`),
        firstFrame(Buffer.from(lines), batch.length),
      )
      restoreArchive(join(home, 'archive'), folder)
    }
    const [file] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('/-a/s.jsonl'),
    )
    expect(readFileSync(join(folder, file!), 'utf8')).toBe(
      contentOf([1, 2, 3, 4, 5, 6].map((line) => lineOf(line))),
    )
  })
})
