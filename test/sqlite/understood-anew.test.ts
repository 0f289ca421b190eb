import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { json, run } from '../program.ts'
import { append, claude, putClaude, temporaryHome, text, uuid } from '../records.ts'

/** A store whose prompt another version of the program understood differently. */
function olderStore() {
  const home = temporaryHome()
  const lines = [claude.user(1, 'Water the ferns'), claude.reply(2, [text('They are wet.')])]
  const path = putClaude(home, uuid(1), lines)
  expect(run(['index'], home).code).toBe(0)
  const database = new DatabaseSync(join(home, '.local/share/scrollback/store.sqlite'))
  database.exec("UPDATE message SET digest = digest + 1 WHERE text = 'Water the ferns'")
  database.exec('UPDATE artifact SET parser = parser - 1')
  database.exec('DELETE FROM settled')
  database.close()
  return { home, path }
}

const found = (home: string, words: string): number => json(home, 'search', words).hits.length

describe('what an older version of the program stored of a file', () => {
  it.each([
    ['is unchanged', () => {}],
    ['has grown', (path: string) => append(path, claude.user(3, 'And the moss'))],
  ])('goes once a newer one understands the file in another way, if that %s', (_, change) => {
    const { home, path } = olderStore()
    change(path)
    expect(run(['index'], home).code).toBe(0)
    expect(found(home, 'ferns')).toBe(1)
    expect(json(home, 'doctor', '--deep').ok).toBe(true)
  })

  it('stays findable if the file was written anew since', () => {
    const { home, path } = olderStore()
    writeFileSync(path, `${JSON.stringify(claude.user(4, 'Paint the gate'))}\n`)
    expect(run(['index'], home).code).toBe(0)
    expect(found(home, 'ferns')).toBe(1)
    expect(found(home, 'gate')).toBe(1)
  })
})
