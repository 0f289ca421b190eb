import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureRoot } from '../openclaw-fixtures.ts'
import { type Json, json, run } from '../program.ts'
import { temporaryHome } from '../records.ts'

const homeOf = (name: string): string => {
  const home = temporaryHome()
  cpSync(fixtureRoot(name).path, join(home, '.openclaw'), { recursive: true })
  return home
}

describe('a compaction that lists the files of the conversation', () => {
  it('has them as fields in JSON', () => {
    const home = homeOf('compaction-files')
    for (const more of [[], ['--full']]) {
      const marks = json(home, 'read', '--all', ...more).items.filter(
        ({ marker }: Json) => marker === 'compaction',
      )
      expect(marks).toMatchObject([
        { readFiles: ['shelf.txt', 'cups.txt'], modifiedFiles: ['shelf.txt'] },
        { readFiles: ['drawer.txt'] },
      ])
      if (more.length > 0) expect(marks[0]?.summary).toBe('The shelf is tidy.')
    }
  })

  it.each(['text', 'md'])('shows them after the summary with --full as %s', (format) => {
    const home = homeOf('compaction-files')
    const { stdout } = run(['read', '--all', '--full', '--format', format], home)
    expect(stdout).toMatch(
      /The shelf is tidy\.[\s\S]*Files read:[\s\S]*cups\.txt[\s\S]*Files changed:[\s\S]*shelf\.txt/,
    )
    expect(stdout).not.toContain('read-files')
  })
})
