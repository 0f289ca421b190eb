import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { writeOpenCodeFixtures } from '../../../test/opencode-fixtures.ts'

it('the databases in the fixtures are those that their script writes', () => {
  const folder = join(import.meta.dirname, '../../../test/fixtures/opencode')
  const made = mkdtempSync(join(tmpdir(), 'scrollback-opencode-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  writeOpenCodeFixtures(made)
  const rows = (path: string): unknown[] => {
    const database = new DatabaseSync(path, { readOnly: true })
    const found = ['session', 'message', 'part', 'event', 'todo'].map((table) =>
      database.prepare(`SELECT * FROM ${table} ORDER BY 1`).all(),
    )
    database.close()
    return found
  }
  for (const trap of ['words', 'undone', 'forked', 'history', 'imported', 'damaged', 'killed']) {
    const name = `${trap}/.local/share/opencode/opencode.db`
    expect(rows(join(folder, name))).toEqual(rows(join(made, name)))
  }
})
