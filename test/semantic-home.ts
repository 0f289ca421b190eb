import { createHash } from 'node:crypto'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, run } from './program.ts'
import { put, temporaryHome } from './records.ts'
import { type SemanticDatabase, semanticDatabase } from './semantic-databases.ts'

/** When the notes were written and embedded. */
export const AT = Date.UTC(2026, 9, 3, 12)
export const NOTES = {
  'MEMORY.md': 'Holds last 15 minutes.\n',
  'memory/2026-10-03.md': 'Counted the ferns.\n',
}

/** A home whose agent has two notes and, once it is indexed, a semantic memory of these and of a session. */
export function semanticHome() {
  const home = temporaryHome()
  const state = join(home, '.openclaw')
  const write = (name: string, text: string, at = AT): void => {
    const path = put(join(state, 'workspace', name), text)
    utimesSync(path, at / 1000, at / 1000)
  }
  for (const [name, text] of Object.entries(NOTES)) write(name, text)
  const ask = (...args: string[]): Answer => run(['memory', ...args], home)
  return {
    state,
    write,
    ask,
    answer: (...args: string[]) => JSON.parse(ask('--json', ...args).stdout),
    /** The path of the database. */
    indexed(generation: 'old' | 'new', more?: (made: SemanticDatabase) => void): string {
      const made = semanticDatabase(state, generation)
      for (const [name, text] of Object.entries(NOTES)) {
        made.source(name, createHash('sha256').update(text).digest('hex'), AT, text.length)
        made.chunk(name, [1, 1], text)
      }
      const session = 'sessions/main/fern.jsonl'
      made.source(session, 'h', AT, 900, 'sessions')
      made.chunk(session, [3, 9], 'User: How are the ferns?\nAssistant: Wet.', { kind: 'sessions' })
      more?.(made)
      made.close()
      return made.path
    },
  }
}
