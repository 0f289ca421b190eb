import type { Notice } from '../../../model/artifact.ts'
import type { SemanticHit, SemanticIndex, SemanticRecall } from '../../../model/semantic.ts'
import { ask, type Connection, reasonOf } from '../eras/connection.ts'
import { unreadable } from './memory.ts'
import { SEMANTIC_STATEMENTS } from './statements.ts'
import { semanticTables } from './tables.ts'

/** Longer patterns are rejected by the engine. The remaining words are compared here. */
const LONGEST = 100

/**
 * The chunks that contain all words, from the agent's full-text index. If the index cannot be used (its
 * tokenizer or extension is missing) or finds nothing, the chunks themselves are searched, including parts of
 * words.
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

/** A pattern with the longest word that the engine compares as we do, or one that matches everything. */
function patternOf(words: readonly string[]): string {
  const plain = words.filter((word) => /^[\x20-\x7e]+$/.test(word)).sort((a, b) => b.length - a.length)
  const escaped = (plain[0] ?? '').slice(0, LONGEST).replace(/[\\%_]/g, '\\$&')
  return `%${escaped}%`
}

/** Collects the first hits and the total. A chunk occurs once per embedding model, but is reported once. */
function collect(
  rows: Iterable<Record<string, unknown>>,
  agent: string,
  limit: number,
  fits: (text: string) => boolean,
): Pick<SemanticRecall, 'hits' | 'total'> {
  const seen = new Set<string>()
  const hits: SemanticHit[] = []
  for (const { path, kind, first, last, text } of rows) {
    const key = `${path} ${kind} ${first} ${last}`
    if (typeof text !== 'string' || seen.has(key) || !fits(text)) continue
    seen.add(key)
    if (hits.length === limit) continue
    const lines = { startLine: Number(first) || 0, endLine: Number(last) || 0 }
    hits.push({ agent, name: String(path), kind: String(kind), ...lines, text })
  }
  return { hits, total: seen.size }
}
