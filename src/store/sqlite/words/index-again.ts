import type { DatabaseSync } from 'node:sqlite'
import { indexText } from '../../../search/words.ts'
import { facetsOf } from '../facets.ts'
import { prepareWrite } from '../write-statement.ts'

/** Indexes again the messages whose text is now indexed differently, up to an id. */
export function indexAgain(
  database: DatabaseSync,
  isOther: (text: string) => boolean,
  upTo = Number.MAX_SAFE_INTEGER,
): void {
  const ids: number[] = []
  for (const { id, words } of database
    .prepare(`SELECT id, coalesce(text, target, '') AS words FROM message WHERE id <= ?`)
    .iterate(upTo))
    if (isOther(String(words))) ids.push(Number(id))
  const message = database.prepare('SELECT who, artifact, tool, text, target FROM message WHERE id = ?')
  const drop = prepareWrite(database, 'DELETE FROM spoken WHERE rowid = ?')
  const add = prepareWrite(database, 'INSERT INTO spoken (rowid, text, facet) VALUES (?, ?, ?)')
  for (const id of ids) {
    const { who, artifact, tool, text, target } = message.get(id) as unknown as {
      who: number
      artifact: number
      tool: number | null
      text: string | null
      target: string | null
    }
    drop.run(id)
    add.run(id, indexText(text ?? target ?? ''), facetsOf(who, artifact, tool, text))
  }
}
