import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { archiveOf, deliveredTo } from '../deliveries.ts'
import { type Json, json, run } from '../program.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'

const recordsIn = (home: string) => deliveredTo(archiveOf(home))

describe('the state of another collector', () => {
  const stateOf = (home: string, state: unknown) => {
    const other = put(join(home, 'other.json'), JSON.stringify(state))
    const [summary] = json(home, 'collect', '--import-state', other).imported
    run(['collect'], home)
    return { ...summary, lines: recordsIn(home).map(({ line }) => line) }
  }
  const lines = [1, 2, 3].map((number) => claude.user(number, 'x'))

  it.each([
    ['objects', (path: string, offset: number) => ({ files: { [path]: { offset } } })],
    [
      'bare numbers',
      (path: string, offset: number) => ({ version: 1, sources: { a: { files: { [path]: offset } } } }),
    ],
    [
      'offsets',
      (path: string, offset: number) => ({ version: 2, sources: { a: { offsets: { [path]: offset } } } }),
    ],
    ['a flat map', (path: string, offset: number) => ({ version: 1, [path]: offset, lastRun: 'x' })],
    ['an unchanged time', (path: string) => ({ [path]: { mtime: Date.now() / 1000 + 60 } })],
  ])('may be %s', (name, stateFor) => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), lines)
    const summary = stateOf(home, stateFor(path, Math.ceil(statSync(path).size / 2)))
    expect(summary).toMatchObject({ files: 1, refused: [] })
    expect(summary.lines).toEqual(name === 'an unchanged time' ? [] : [2, 3])
  })

  it('is reported where it cannot be imported, with the reason, and the source is delivered', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), lines)
    const summary = stateOf(home, { files: { [path]: { mtime: 5 }, '/b.jsonl': 'all', '/c.jsonl': -3 } })
    expect(summary.files).toBe(0)
    const { stdout } = run(['collect', '--import-state', join(home, 'other.json')], home)
    expect(stdout).toContain('resumes after the other collector in 0 files.')
    expect(stdout).toContain('/c.jsonl')
    expect(run(['collect', '--import-state', path], home).code).toBe(2)

    expect(summary.refused.map(({ reason }: Json) => reason).sort()).toEqual([
      '-3 is no offset',
      'it is delivered line by line and has changed since, but the state only has a time',
      'it names neither an offset nor a time',
    ])
    expect(summary.lines).toEqual([1, 2, 3])
  })

  it('applies to a file that is delivered whole until that changes', () => {
    for (const [older, wanted] of [
      [0, { files: 1, lines: [] }],
      [60_000, { files: 0, lines: [1] }],
    ] as const) {
      const home = temporaryHome()
      const jobs = put(join(home, '.openclaw/cron/jobs.json'), '{"version":1,"jobs":[{"id":"a"}]}')
      expect(stateOf(home, { [jobs]: { mtime: statSync(jobs).mtimeMs - older } })).toMatchObject(wanted)
    }
  })
})
