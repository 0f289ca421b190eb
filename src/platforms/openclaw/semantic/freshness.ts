import { createHash } from 'node:crypto'
import { readSmall } from '../../../io/source.ts'
import type { SemanticFreshness, SemanticTexts } from '../../../model/semantic.ts'
import { isDocumentName } from '../documents.ts'

/** A text as it was when it was embedded. */
export interface Source {
  name: string
  kind: string
  hash: string
  mtimeMs: number
  size: number
}

/** The files that every release embeds. */
const EMBEDDED = /^(?:MEMORY|memory)\.md$|^memory\//
const SHA256 = /^[0-9a-f]{64}$/i
const LIMIT = 16 * 1024 * 1024

/**
 * Which texts have changed since they were embedded. Only opens memory documents, and only if just the time
 * differs: a restored copy has another time but the same content.
 */
export function freshnessOf(sources: readonly Source[], texts: SemanticTexts): SemanticFreshness {
  const found = new Map(texts.map((text) => [text.sessionId, text]))
  const embedded = sources.filter(({ kind }) => kind === 'memory')
  const freshness: SemanticFreshness = { changed: [], gone: [], missing: [], unchecked: 0 }
  for (const source of embedded) {
    const text = found.get(source.name)
    if (text) {
      if (isChanged(source, text)) freshness.changed.push(source.name)
    } else if (texts.length > 0 && isDocumentName(source.name)) freshness.gone.push(source.name)
    // Elsewhere: a configured folder, or a workspace outside of the state directory.
    else freshness.unchecked++
  }
  const known = new Set(embedded.map(({ name }) => name))
  for (const name of found.keys()) if (EMBEDDED.test(name) && !known.has(name)) freshness.missing.push(name)
  return freshness
}

function isChanged({ hash, mtimeMs, size }: Source, text: SemanticTexts[number]): boolean {
  if (text.bytes !== size) return true
  if (Math.abs(text.modifiedMs - mtimeMs) < 1) return false
  if (!SHA256.test(hash)) return true
  try {
    const content = readSmall(text.path, LIMIT)
    return content === undefined || createHash('sha256').update(content).digest('hex') !== hash.toLowerCase()
  } catch {
    return true
  }
}
