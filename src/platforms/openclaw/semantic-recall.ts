import type { Notice } from '../../model/artifact.ts'
import type { SemanticHit, SemanticIndex, SemanticRecall } from '../../model/semantic.ts'
import { ask, type Connection, reasonOf } from './eras/connection.ts'
import { unreadable } from './semantic-memory.ts'
import { SEMANTIC_STATEMENTS } from './semantic-statements.ts'
import { semanticTables } from './semantic-tables.ts'

/** Patterns that are longer make the engine give up; what else is wanted is compared here. */
const LONGEST = 100

/**
 * The chunks that hold all words, by the agent's own index of words. Where that cannot be asked (its tokenizer or extension is not
 * here), or knows none of them, the chunks themselves are compared, parts of words too.
 */
export function recall(
  { agent, path }: Pick<SemanticIndex, 'agent' | 'path'>,
  words: readonly string[],
  limit: number,
): SemanticRecall | Notice {
  const wanted = words.map((word) => word.replaceAll('\0', '').trim()).filter((word) => word !== '')
  try {
    return ask(path, (connection) => search(connection, agent, wanted, limit))
  } catch (error) {
    return { platform: 'openclaw', path, message: unreadable(error) }
  }
}

function search(
  { database, ...rest }: Connection,
  agent: string,
  words: readonly string[],
  limit: number,
): SemanticRecall {
  const tables = semanticTables({ database, ...rest })
  if (typeof tables !== 'object' || words.length === 0) return { hits: [], total: 0, by: 'words' }
  const { prefix } = tables
  let why: string | undefined
  if (tables.words)
    try {
      const asked = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')
      const found = database.prepare(SEMANTIC_STATEMENTS[`${prefix}Words`]).iterate(asked)
      const answer = collect(found, agent, limit, () => true)
      if (answer.total > 0) return { ...answer, by: 'words' }
    } catch (error) {
      why = reasonOf(error)
    }
  else why = 'it has none'
  const small = words.map((word) => word.toLowerCase())
  const all = (text: string): boolean => small.every((word) => text.toLowerCase().includes(word))
  const found = database.prepare(SEMANTIC_STATEMENTS[`${prefix}Texts`]).iterate(patternOf(small))
  return { ...collect(found, agent, limit, all), by: 'text', ...(why === undefined ? {} : { why }) }
}

/** The longest word whose letters the engine compares as we do; everything where there is none. */
function patternOf(words: readonly string[]): string {
  const plain = words.filter((word) => /^[\x20-\x7e]+$/.test(word)).sort((a, b) => b.length - a.length)
  const escaped = (plain[0] ?? '').slice(0, LONGEST).replace(/[\\%_]/g, '\\$&')
  return `%${escaped}%`
}

/** The first of them, and how many there are. A chunk stands once for each model it was embedded with, and is told once. */
function collect(
  rows: Iterable<Record<string, unknown>>,
  agent: string,
  limit: number,
  fits: (text: string) => boolean,
): Pick<SemanticRecall, 'hits' | 'total'> {
  const told = new Set<string>()
  const hits: SemanticHit[] = []
  for (const { path, kind, first, last, text } of rows) {
    const place = `${path} ${kind} ${first} ${last}`
    if (typeof text !== 'string' || told.has(place) || !fits(text)) continue
    told.add(place)
    if (hits.length === limit) continue
    const lines = { startLine: Number(first) || 0, endLine: Number(last) || 0 }
    hits.push({ agent, name: String(path), kind: String(kind), ...lines, text })
  }
  return { hits, total: told.size }
}
