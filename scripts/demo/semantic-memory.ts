import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DemoFile } from './claude-code-transcript.ts'

/** When it was made: before the last note was written. */
const MADE = Date.UTC(2026, 9, 20, 6)

/** The tables that OpenClaw keeps in a file for each agent; vectors are left out. */
const TABLES = `CREATE TABLE files (path TEXT PRIMARY KEY, source TEXT NOT NULL DEFAULT 'memory', hash TEXT NOT NULL,
    mtime INTEGER NOT NULL, size INTEGER NOT NULL);
  CREATE TABLE chunks (id TEXT PRIMARY KEY, path TEXT NOT NULL, source TEXT NOT NULL DEFAULT 'memory', start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL, hash TEXT NOT NULL, model TEXT NOT NULL, text TEXT NOT NULL, embedding TEXT NOT NULL,
    updated_at INTEGER NOT NULL);
  CREATE VIRTUAL TABLE chunks_fts USING fts5(text, id UNINDEXED, path UNINDEXED, source UNINDEXED, model UNINDEXED,
    start_line UNINDEXED, end_line UNINDEXED);`

/** What the shop's assistant finds its memory by: its notes, less the last one. */
export function writeSemanticMemory(target: string, files: readonly DemoFile[]): void {
  mkdirSync(dirname(target), { recursive: true })
  const database = new DatabaseSync(target)
  database.exec('PRAGMA page_size = 1024')
  database.exec(TABLES)
  const source = database.prepare('INSERT INTO files VALUES (?, ?, ?, ?, ?)')
  const chunk = database.prepare('INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const words = database.prepare('INSERT INTO chunks_fts VALUES (?, ?, ?, ?, ?, ?, ?)')
  const notes = files.filter(({ path }) => /^workspace\/(?:MEMORY|memory\/2026-10-.*)\.md$/.test(path))
  for (const [index, { path, content }] of notes.entries()) {
    const name = path.replace('workspace/', '')
    const hash = createHash('sha256').update(content).digest('hex')
    const lines = content.trimEnd().split('\n')
    source.run(name, 'memory', hash, MADE, Buffer.byteLength(content))
    const [id, text] = [`chunk-${index + 1}`, content.trimEnd()]
    chunk.run(id, name, 'memory', 1, lines.length, hash, 'text-embedding-3-small', text, '[]', MADE)
    words.run(text, id, name, 'memory', 'text-embedding-3-small', 1, lines.length)
  }
  database.exec('VACUUM')
  database.close()
}
