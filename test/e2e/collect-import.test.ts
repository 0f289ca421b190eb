import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { archiveOf, deliveredTo } from '../deliveries.ts'
import { run } from '../program.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'

const recordsIn = (home: string) => deliveredTo(archiveOf(home))

describe('the state of another collector', () => {
  const stateOf = (home: string, state: unknown) => {
    const other = put(join(home, 'other.json'), JSON.stringify(state))
    const { stdout } = run(['collect', '--import-state', other, '--json'], home)
    const [summary] = (JSON.parse(stdout) as { imported: { files: number; refused: { reason: string }[] }[] })
      .imported
    run(['collect'], home)
    return { ...summary!, lines: recordsIn(home).map(({ line }) => line) }
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
    const summary = stateOf(home, stateFor(path, Math.ceil(statSync(path).size / 3)))
    expect(summary).toMatchObject({ files: 1, refused: [] })
    expect(summary.lines).toEqual(name === 'an unchanged time' ? [] : [2, 3])
  })

  it('is reported where it cannot be imported, with the reason, and the source is delivered', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), lines)
    const summary = stateOf(home, { files: { [path]: { mtime: 5 }, '/b.jsonl': 'all', '/c.jsonl': -3 } })
    expect(summary.files).toBe(0)
    expect(summary.refused.map(({ reason }) => reason).sort()).toEqual([
      '-3 is no offset',
      'it is delivered line by line and has changed since, but the state only has a time',
      'it names neither an offset nor a time',
    ])
    expect(summary.lines).toEqual([1, 2, 3])
  })

  it('applies to a file that is delivered whole until that changes', () => {
    const home = temporaryHome()
    const jobs = put(
      join(home, '.openclaw/cron/jobs.json'),
      JSON.stringify({ version: 1, jobs: [{ id: 'a' }] }),
    )
    expect(stateOf(home, { [jobs]: { mtime: statSync(jobs).mtimeMs } })).toMatchObject({
      files: 1,
      lines: [],
    })
    const other = temporaryHome()
    const same = put(
      join(other, '.openclaw/cron/jobs.json'),
      JSON.stringify({ version: 1, jobs: [{ id: 'a' }] }),
    )
    expect(stateOf(other, { [same]: { mtime: statSync(same).mtimeMs - 60_000 } })).toMatchObject({
      files: 0,
      lines: [1],
    })
  })
})
